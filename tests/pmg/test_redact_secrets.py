"""Secrets of every kind are taken out, wherever they stand. All of them are put together at run time."""

from __future__ import annotations

import base64
import random
import string

import pytest

from pmg.ingest.redact import Redactor
from pmg.ingest.redact.rule import HEX, filler

REDACTOR = Redactor()
_RANDOM = random.Random(20261115)
ALNUM = string.ascii_letters + string.digits


def body(length: int, alphabet: str = ALNUM) -> str:
    """Random characters; from mixed alphabets always with a letter and a digit, as real tokens have."""
    text = "".join(_RANDOM.choices(alphabet, k=length))
    if alphabet == ALNUM and length >= 8:
        text = text[:2] + "q7K" + text[5:]
    return text


def hexa(length: int) -> str:
    return "a1" + body(length - 2, "0123456789abcdef")


def upper(length: int) -> str:
    return "Q7" + body(length - 2, string.ascii_uppercase + "234567")


def digits(length: int) -> str:
    return "8" + body(length - 1, "0123456789")


def uuid() -> str:
    return "-".join((hexa(8), hexa(4), "4" + hexa(3), "a" + hexa(3), hexa(12)))


def pem(label: str, end: str = "\n") -> str:
    lines = end.join(body(64) for _ in range(4))
    return f"-----BEGIN {label}-----{end}{lines}{end}-----END {label}-----"


def jwt() -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"42","name":"Ada"}')
    return ".".join([base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts] + [body(43)])


def tokens() -> dict[str, str]:
    """A bare token for every vendor: recognised by its own shape, without a name before it."""
    return {
        "aws key id": "AKIA" + upper(16),
        "aws temporary key id": "ASIA" + upper(16),
        "github classic": "ghp_" + body(36),
        "github oauth": "gho_" + body(36),
        "github user": "ghu_" + body(36),
        "github server": "ghs_" + body(36),
        "github refresh": "ghr_" + body(36),
        "github fine-grained": "github_pat_" + body(22) + "_" + body(59),
        "gitlab": "glpat-" + body(20),
        "gitlab deploy": "gldt-" + body(20),
        "gitlab runner": "glrt-" + body(20),
        "slack bot": f"xoxb-{digits(12)}-{digits(12)}-{body(24)}",
        "slack user": f"xoxp-{digits(12)}-{digits(12)}-{digits(12)}-{hexa(32)}",
        "slack app": f"xapp-1-A{upper(10)}-{digits(13)}-{hexa(64)}",
        "slack webhook": f"https://hooks.slack.com/services/T{upper(8)}/B{upper(8)}/{body(24)}",
        "stripe live": "sk_live_" + body(24),
        "stripe test": "sk_test_" + body(24),
        "stripe restricted": "rk_live_" + body(24),
        "stripe webhook": "whsec_" + body(32),
        "google api": "AIza" + body(35),
        "google oauth": "ya29." + body(60),
        "google client secret": "GOCSPX-" + body(28),
        "google refresh": "1//0" + body(60),
        "azure client secret": body(3) + "8Q~" + body(34),
        "openai": "sk-" + body(48),
        "openai project": "sk-proj-" + body(60),
        "openai service": "sk-svcacct-" + body(60),
        "openai project with dashes": "sk-proj-" + body(20) + "-" + body(20) + "_" + body(20),
        "anthropic": "sk-ant-api03-" + body(80) + "-" + body(12) + "AA",
        "hugging face": "hf_" + body(34),
        "npm": "npm_" + body(36),
        "pypi": "pypi-AgEIcHlwaS5vcmc" + body(120),
        "telegram": digits(10) + ":AA" + body(33),
        "twilio account": "AC" + hexa(32),
        "twilio api key": "SK" + hexa(32),
        "sendgrid": f"SG.{body(22)}.{body(43)}",
        "digitalocean": "dop_v1_" + hexa(64),
        "mailgun": "key-" + hexa(32),
        "mailchimp": hexa(32) + "-us12",
        "discord bot": "M" + body(23) + "." + body(6) + "." + body(38),
        "discord webhook": f"https://discord.com/api/webhooks/{digits(18)}/{body(68)}",
        "databricks": "dapi" + hexa(32),
        "shopify": "shpat_" + hexa(32),
        "vault": "hvs." + body(90),
        "age": "AGE-SECRET-KEY-1" + upper(58),
        "groq": "gsk_" + body(52),
        "xai": "xai-" + body(80),
        "replicate": "r8_" + body(37),
        "linear": "lin_api_" + body(40),
        "notion": "ntn_" + body(46),
        "notion old": "secret_" + body(43),
        "figma": "figd_" + body(40),
        "atlassian": "ATATT3xFfGF0" + body(180) + "=" + upper(8),
        "square": "sq0atp-" + body(22),
        "postman": f"PMAK-{hexa(24)}-{hexa(34)}",
        "doppler": "dp.pt." + body(43),
        "netlify": "nfp_" + body(36),
        "sentry": "sntrys_eyJ" + body(100),
        "new relic": "NRAK-" + upper(27),
        "docker": "dckr_pat_" + body(27),
        "terraform": body(14) + ".atlasv1." + body(67),
        "grafana": "glsa_" + body(32) + "_" + hexa(8),
        "openrouter": "sk-or-v1-" + hexa(64),
        "perplexity": "pplx-" + body(48),
        "pulumi": "pul-" + hexa(40),
        "rubygems": "rubygems_" + hexa(48),
        "supabase": "sbp_" + hexa(40),
        "planetscale": "pscale_tkn_" + body(43),
        "tailscale": "tskey-auth-" + body(12) + "-" + body(32),
        "facebook": "EAACEdEose0cBA" + body(120),
        "jwt": jwt(),
        "rsa key": pem("RSA PRIVATE KEY"),
        "pkcs8 key": pem("PRIVATE KEY"),
        "encrypted key": pem("ENCRYPTED PRIVATE KEY"),
        "ec key": pem("EC PRIVATE KEY"),
        "openssh key": pem("OPENSSH PRIVATE KEY"),
        "pgp key": pem("PGP PRIVATE KEY BLOCK"),
        "escaped key": pem("PRIVATE KEY", "\\n"),
        "cut-off key": pem("RSA PRIVATE KEY").split("-----END")[0],
        "visa": "4539 1488 " + "0343 6467",
        "mastercard": "5555-5555-" + "5555-4444",
        "amex": "3714 496353 " + "98431",
        "visa bare": "45391488" + "03436467",
        "iban de": "DE89 3704 0044 " + "0532 0130 00",
        "iban gb": "GB82WEST" + "12345698765432",
        "iban nl": "NL91 ABNA " + "0417 1643 00",
    }


HERE = "\x00"  # stands for the secret in the templates below
PASSWORDS = ("hunter2", "Tr0ub4dor&3", "P@ssw0rd!", "Blue-Fish-77", "Gr33nTea#9")

PASSWORD_PLACES = (
    f'password = "{HERE}"', f"password='{HERE}'", f"password: {HERE}", f"Password: {HERE}", f"PASSWORD={HERE}",
    f"DB_PASSWORD={HERE}", f"export PGPASSWORD={HERE}", f'{{"user": "bob", "password": "{HERE}"}}',
    f'{{\\"password\\":\\"{HERE}\\"}}', f"db_pass: {HERE}", f"passwd={HERE}", f"pwd = '{HERE}'",
    f"  password: '{HERE}'", f"<password>{HERE}</password>", f'<property name="password" value="{HERE}"/>',
    f"tool --password {HERE} --verbose", f"tool --password={HERE}", f"sshpass -p {HERE} ssh bob@host",
    f"mysql -u root -p{HERE} app", f"curl -u bob:{HERE} https://api.example.org/v1",
    f"https://example.org/login?user=bob&password={HERE}&x=1", f"my password is {HERE}", f"The wifi password is {HERE}.",
    f"the password for the router is {HERE}", f"I changed my password to {HERE} yesterday",
    f"Mein Passwort ist {HERE}", f"Das Passwort lautet: {HERE}", f"Passwort: {HERE}", f"mi contraseña es {HERE}",
    f"Contraseña: {HERE}", f"mon mot de passe est {HERE}", f"Mot de passe : {HERE}", f"minha senha é {HERE}",
    f"la password è {HERE}", f"密码是{HERE}", f"密码：{HERE}", f"пароль: {HERE}", f"**Password:** {HERE}",
    f"Password: `{HERE}`", f"- name: DB_PASSWORD\n  value: {HERE}", f"define('DB_PASSWORD', '{HERE}');",
    f"ALTER USER app WITH PASSWORD '{HERE}';", f"CREATE USER bob IDENTIFIED BY '{HERE}';",
    f"auth=('bob', '{HERE}')", f"Server=db;User Id=sa;Password={HERE};Encrypt=true", f"machine x login bob password {HERE}",
    f'passphrase: "{HERE}"', f'String password = "{HERE}";', f'const password: string = "{HERE}"',
    f'os.environ["DB_PASSWORD"] = "{HERE}"', f"spring.datasource.password={HERE}", f'password => "{HERE}",',
    f"user: bob, pass: {HERE}", f"🔑 password: {HERE} 🎉", f"username bob password {HERE}",
)  # fmt: skip

TOKEN_PLACES = (
    f"API_KEY={HERE}", f'api_key = "{HERE}"', f'"apiKey": "{HERE}",', f"client_secret: {HERE}", f"ACCESS_TOKEN='{HERE}'",
    f"Authorization: Bearer {HERE}", f'-H "Authorization: Bearer {HERE}"', f"X-API-Key: {HERE}", f"x-auth-token: {HERE}",
    f"https://api.example.org/v1?access_token={HERE}", f"https://api.example.org/?a=1&api_key={HERE}&b=2",
    f"tool --token {HERE}", f"tool --api-key={HERE}", f"<apiKey>{HERE}</apiKey>", f"my api key is {HERE}",
    f"the token is {HERE}", f"SECRET_KEY = '{HERE}'", f"aws_session_token={HERE}", f"Cookie: sessionid={HERE}; theme=dark",
    f"Set-Cookie: session={HERE}; Path=/; HttpOnly", f"//registry.npmjs.org/:_authToken={HERE}",
    f"const clientSecret = '{HERE}';", f"private_key: {HERE}", f"JWT_SECRET={HERE}", f"token: {HERE}",
    f'secrets: {{"webhook_secret": "{HERE}"}}', f"CONSUMER_SECRET={HERE}", f"encryption_key={HERE}", f"PHPSESSID={HERE}",
    f"Authorization: token {HERE}", f"refresh_token={HERE}&grant_type=refresh_token",
)  # fmt: skip

URIS = (
    "postgres://app:{}@db.internal:5432/app", "postgresql+psycopg2://app:{}@db/app", "mysql://root:{}@127.0.0.1:3306/shop",
    "mongodb+srv://bob:{}@cluster0.ab1cd.mongodb.net/test", "mongodb://bob:{}@h1:27017,h2:27017/db", "redis://:{}@cache:6379/0",
    "rediss://default:{}@cache:6380", "amqp://svc:{}@broker:5672/vhost", "amqps://svc:{}@broker/vhost",
    "https://bob:{}@git.example.org/r.git", "ftp://bob:{}@files.example.org/x", "mssql+pyodbc://sa:{}@db/app?driver=x",
    "smtp://mailer:{}@mail.example.org:587", "mqtt://dev:{}@broker:1883", "kafka://svc:{}@broker:9092",
)  # fmt: skip

WHOLE = {
    "aws secret in file": ("aws_secret_access_key = {}", body(19) + "/" + body(20)),
    "aws secret in json": ('"SecretAccessKey": "{}"', body(30) + "+" + body(9)),
    "azure storage": ("AccountName=a;AccountKey={};EndpointSuffix=core.windows.net", body(86) + "=="),
    "azure service bus": ("SharedAccessKeyName=Root;SharedAccessKey={}", body(43) + "="),
    "azure sas": ("https://a.blob.core.windows.net/c/b?sv=2022-11-02&se=2025-01-01&sr=b&sig={}", body(43) + "%3D"),
    "basic header": ("Authorization: Basic {}", base64.b64encode(b"bob:hunter2hunter2").decode()),
    "basic header lower": ("authorization: basic {}", base64.b64encode(b"svc:pa55").decode()),
    "heroku": ("HEROKU_API_KEY={}", uuid()),
    "twilio auth token": ("TWILIO_AUTH_TOKEN={}", hexa(32)),
    "cloudflare": ("CLOUDFLARE_API_TOKEN={}", body(40)),
    "pin": ("My PIN is {}", "49" + "27"),
    "cvv": ("CVV: {}", "7" + "31"),
    "word password": ("the wifi password is {}", "sword" + "fish"),
    "word in env": ("DB_PASSWORD={}", "sword" + "fish"),
    "word in quotes": ('password = "{}"', "sword" + "fish"),
    "passphrase": ('passphrase = "{}"', "correct horse " + "battery staple"),
    "passphrase in prose": ("passphrase: {}", "correct horse " + "battery staple"),
    "number password": ("password: {}", "123" + "456"),
    "bcrypt": ("bob:{}", "$2b$12$" + body(53)),
    "shadow": ("root:{}:19000:0:99999:7:::", "$6$" + body(12) + "$" + body(86)),
    "htpasswd": ("bob:{}", "$apr1$" + body(8) + "$" + body(22)),
    "docker auth": ('{{"auths": {{"x.org": {{"auth": "{}"}}}}}}', base64.b64encode(b"bob:hunter2hunter2").decode()),
    "npm auth": ("_auth = {}", base64.b64encode(b"admin:admin77").decode()),
    "filezilla": ("<Pass>{}</Pass>", "Tr0ub4dor"),
    "xml on lines": ("<apiToken>\n    {}\n</apiToken>", body(32)),
    "php": ("$dbpasswd='{}';", "Tr0ub4dor9"),
    "net": ('new NetworkCredential("bob", "{}")', "Tr0ub4dor9"),
    "go": ('var dbToken string = "{}"', body(32)),
    "make": ("API_TOKEN ::= {}", body(32)),
    "hcl": ('variable "db_password" {{\n  default = "{}"\n}}', "Tr0ub4dor9"),
    "sonar": ("sonar.login={}", hexa(40)),
    "stream": ("STREAM_KEY={}", "live_" + digits(9) + "_" + body(30)),
    "any key": ("SERVICE_KEY={}", body(24)),
    "bare key": ("here is the key: {}", body(40)),
    "slack told": ("my slack token {} stopped working", body(32)),
    "wireguard": ("PresharedKey = {}", body(43) + "="),
    "salesforce": ("session {}", "00D" + body(12) + "!AQ" + body(90)),
    "router": ("My router password is {}", "blue" + "fish"),
    "seed phrase": (
        "seed phrase: {}",
        "apple river stone cloud maple tiger " + "ocean candle violin rocket meadow lantern",
    ),
}

TOKENS = tokens()
CASES = (
    [(f"bare {name}", value, value) for name, value in TOKENS.items()]
    + [(f"{name} in a sentence", f"here it is 🎁 {value}, keep it", value) for name, value in TOKENS.items()]
    + [
        (place, place.replace(HERE, word), word)
        for place in PASSWORD_PLACES
        for word in PASSWORDS[: 5 if "-p" not in place else 3]
    ]
    + [(place, place.replace(HERE, value), value) for place in TOKEN_PLACES for value in (body(32), hexa(40))]
    + [(uri, uri.format(word), word) for uri in URIS for word in ("hunter2", "s3cr3t%21", "x9!kLm")]
    + [(name, form.format(value), value) for name, (form, value) in WHOLE.items()]
)


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


def test_there_are_samples_of_many_kinds() -> None:
    assert len(CASES) >= 120
    assert len({name for name, _, _ in CASES}) >= 120


@pytest.mark.parametrize(
    ("text", "secret"), [case[1:] for case in CASES], ids=[f"{n}-{c[0]}" for n, c in enumerate(CASES)]
)
def test_a_secret_is_taken_out_and_the_result_is_stable(redactor: Redactor, text: str, secret: str) -> None:
    result = redactor.redact(text)
    assert secret not in result.text
    assert "[redacted: " in result.text
    assert sum(result.counts.values()) >= 1
    assert redactor.redact(result.text).text == result.text


@pytest.mark.parametrize(("text", "secret"), [case[1:] for case in CASES[::3]])
def test_it_is_taken_out_of_a_long_message_too(redactor: Redactor, text: str, secret: str) -> None:
    chatter = "We talked about the garden and the weather for a while.\n" * 100
    assert secret not in redactor.redact(chatter + text + "\n" + chatter).text


KEY16, KEY64 = filler(16), filler(64)
MISSED = (
    ('{"method": "auth.login_with_api_key", "params": ["8-' + KEY64 + '"]}', KEY64),
    ("sha256~" + filler(43), filler(43)),
    ("vault operator unseal " + filler(44), filler(44)),
    (f"pat.{filler(22)}.{filler(24, HEX)}.{filler(20)}", filler(20)),
    ("https://example.org/a?tokenkey=" + filler(24), filler(24)),
    ("https://example.org/a?b=1&key=" + KEY16 + "&c=2", KEY16),
    (f'curl -u "{KEY16}:" https://example.org', KEY16),
    ("kind: Secret\ndata:\n  anything: " + filler(16), filler(16)),
    ('password = "my dog has ' + '3 legs"', "legs"),
    ('const shop = new ShopAPI("550e8400-e29b-41d4-' + 'a716-446655440000")', "446655440000"),
    ('"sshUserPassword": "' + 'sunshine"', "sunshine"),
    ("<Pass>" + "changeit</Pass>", "changeit"),
    ("<Pass>" + "sunshine</Pass>", "sunshine"),
    ("DB_PASSWORD=" + "SummerPass1\n", "SummerPass1"),
    ('{"password": "' + 'SummerPass1"}', "SummerPass1"),
)
SAID = ("My password is {}.", "the root password on the NAS is {}", "Mein Passwort ist {}.", "Mon mot de passe est {}")
CHOSEN = (
    "changeme" + "99",
    "ExamplePas" + "123",
    "Password" + "1",
    "hunter" + "Pass",
    "top" + "secret",
    "Blau" + "beere",
)
NAMES = (
    "private_key: Ed25519PrivateKey | None",
    'token = "RSASSAPSSAlgorithm"',
    "secretKey = new HMACAlgorithmProvider();",
    'password = "at least 8 characters"',
    'password = "newPassword2"',
    "<password>string</password>",
    "https://example.org/a?key=user_profile_page_2",
    "The password is step 2.",
    "Mein Passwort ist abgelaufen.",
    "Das Passwort ist Pflicht.",
    "my password is OAUTH2",
)


@pytest.mark.parametrize(("text", "secret"), MISSED, ids=[text[:30] for text, _ in MISSED])
def test_a_secret_that_only_its_place_or_its_form_tells_goes(text: str, secret: str) -> None:
    assert secret not in REDACTOR.redact(text).text


@pytest.mark.parametrize("sentence", SAID)
@pytest.mark.parametrize("value", CHOSEN[:-2])
def test_what_somebody_says_is_the_password_goes_whatever_it_looks_like(sentence: str, value: str) -> None:
    assert value not in REDACTOR.redact(sentence.format(value)).text


@pytest.mark.parametrize("value", CHOSEN[-2:])
def test_a_plain_word_that_somebody_says_is_the_own_password_goes(value: str) -> None:
    assert value not in REDACTOR.redact(f"Mein Passwort ist {value}.").text
    assert value not in REDACTOR.redact(f"My password is {value}.").text


@pytest.mark.parametrize("line", NAMES)
def test_names_of_classes_messages_and_stand_ins_of_code_stay(line: str) -> None:
    assert REDACTOR.redact(line).text == line


def test_the_values_of_a_kubernetes_secret_go_and_those_of_its_neighbours_stay() -> None:
    value, certificate = filler(24), base64.b64encode(b"-----BEGIN CERTIFICATE-----" + b"x" * 30).decode()
    secret = f"kind: Secret\ndata:\n  ca.crt: {certificate}\n  a: {value}\n  b: {value}\ntype: Opaque\n"
    other = "kind: ConfigMap\ndata:\n  a: c29tZXRoaW5nIG90aGVy\n"
    text = f"{other}---\n{secret}---\n{other}"
    assert REDACTOR.redact(text).text == text.replace(value, "[redacted: secret]")
