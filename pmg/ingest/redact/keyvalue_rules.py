"""The rules of secrets that are known by their name, with what they find and what they leave. How they find it is in keyvalue.py."""

from __future__ import annotations

from pmg.ingest.redact.keyvalue import find_named
from pmg.ingest.redact.rule import Rule, Sample
from pmg.ingest.redact.words import PASSWORD_STEMS, SHORT_STEMS, TOKEN_STEMS, WHOLE_STEMS


def _rule(name: str, yes: list[Sample], no: list[str]) -> Rule:
    counter = tuple((text,) for text in no)
    stems = (*PASSWORD_STEMS, *TOKEN_STEMS)
    # `Bearer …` is of headers.py.
    return Rule(
        name,
        "",
        tuple(yes),
        counter,
        stems,
        find=find_named,
        whole=WHOLE_STEMS,
        unspaced=("bearer",),
        words=SHORT_STEMS,
    )


KEY_VALUE_RULES: tuple[Rule, ...] = (
    _rule("password",
          [("password = ", '"hunter22"'), ("DB_PASSWORD=", "sw0rdfish"), ('{"password": "', 'tr0ub4dor&3"}'), ("Passwort: ", "Sommer2024!"),
           ("define('DB_PASSWORD', '", "sw0rdfish');"), ("ALTER USER bob WITH PASSWORD '", "sw0rdfish'"), ("$dbpasswd = '", "sw0rdfish9';"),
           ("<password>", "sw0rdfish</password>"), ('<add key="Password" value="', 'sw0rdfish"/>'), ('<Pass encoding="plain">\n  ', "sw0rdfish9\n</Pass>"),
           ("tool --password ", "sw0rdfish"), ("sshpass --pass ", "hunter22 ssh"), ("ENV DB_PASS ", "sw0rdfish"),
           ('dbPassword := "', 'sw0rdfish9"'), ('{"name":"DB_PASSWORD","value":"', 'sw0rdfish9"}'), ('{"name": "db-password", "value": "', 'sw0rdfish9"}'), ('variable "db_password" {\n  default = "', 'sw0rdfish9"\n}')],
          ["password = getpass.getpass()", "password: str", "Password: minimum 12 characters", "password=${DB_PASSWORD}",
           "define('DB_PASSWORD', 'password')", "getPassword('label')", "<password>string</password>", '<input type="password" value="">',
           "tool --password <password>", "tool --password-file path.txt", "ENV DB_PASSWORD_FILE /run/pw",
           "validate the password first. Then pass `user_id` to the function", "la clave `price`", '"pbkdf2-password": "1.2.1"']),
    _rule("secret",
          [("api_key = '{hex 32}'",), ("CLIENT_SECRET={alnum 24}",), ("?access_token={alnum 30}&x=1",), ("ENV API_TOKEN {alnum 24}",),
           ("('api_key', '{alnum 24}')",), ('setToken("{alnum 24}")',), ("<apiKey>{alnum 24}</apiKey>",), ("- name: API_TOKEN\n  value: {alnum 24}",),
           ("tool --token {alnum 24}",), ("SERVICE_KEY={alnum 24}",), ("key={alnum 40}",), ("here is the key: {alnum 40}",),
           ("sonar.login={hex 40}",), ('process.env.API_KEY || "{alnum 24}"',), ('const std::string AccountKey{\n    "{alnum 40}"};',),
           ("buildConfigField 'String', 'API_KEY', '\"{hex 32}\"'",), ('"auth": "{base64 40}"',)],
          ["api_key = os.environ['API_KEY']", "The secret: cook it slowly", "max_tokens=4096", "token: <your-token>", "ENV API_TOKEN $TOKEN",
           "getToken('session')", "<token>string</token>", "tool --token $TOKEN", "cache_key={hex 40}", "token || 'none'", 'const key = options.apiKey ?? "default"', 'type Token{"name"}', "key: value", "key=user_profile_cache_version_2"]),
)  # fmt: skip
