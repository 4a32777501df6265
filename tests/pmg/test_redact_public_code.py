"""What public code writes behind a name of a secret without being one, by kind, and that secrets written the same way still go.

Values are put together at run time.
"""

from __future__ import annotations

import pytest

from pmg.ingest.redact import Redactor

REDACTOR = Redactor()
MIXED, LONG = "tr0ub" + "4dor", "q7Zr2mLx9" * 3

HARMLESS = {
    "translations": r"""
        password: salasõna
        reset_password: "パスワードを設定"
        current_password: Emaoc'h o tont
        confirm_password: Inserta·nche sa crae
        blank_username_or_password: "请输入您的电子邮件和密码。"
        Provider.emptyPassword=Tu\u0161\u010dias slapta\u017eodis
        "auth.account_recover_password": "Kontowiederherstellung",
        "LoginCredentials": "Legitimationsoplysninger",
        "KeepTokenSecret": "如同你的帳號密碼一樣重要，%1$s請不要公開它%2$s！",
    """,
    "lists of countries": """
        PW: "Palau"
        'en_PW' => 'englanti (Palau)',
        'PW' => '585',
    """,
    "what a program says about a password": """
        errors[CONF_PASSWORD] = "invalid_auth"
        return {"password": "cannot_connect"}
        if (data.password === "not-activated") {
    """,
    "names of settings, whatever assigns them": """
        CONF_VIEWER_PASSWORD = "viewer_password"
        static final String INVALID_PASSWORD = "invalidPasswordMessage";
        UPDATE_PASSWORD = "UPDATE_PASSWORD",
    """,
    "names of fields and classes with a number": """
        api_key="bdc1DischargePower",
        "token": "AppV1Controller",
        key: "inputOptionLabelsI18nPrefix",
        wrapper({ token: TestClass1, name: TestClass1 });
        key="TargetPositionLiftPercent100ths",
        key=SensorKind.PM10_LEVEL.value,
        translation_key="oauth2_helper_refresh_failed"
        translation_key = "power_next_12hours"
    """,
    "types, calls and symbols": r"""
        public function auth(string $credentials): \Redis|bool
        function parse(string $secret): RemoteEvent|array|null
        "token": "Symbol(token)",
        ->add('password', 'Symfony\Component\Form\Type')
        name.i18n_key = :i18n_key
        var adminSecret = k8sclient
        $nbTokens = \count($tokens);
        SiteSetting.s3_secret_access_key = @current_s3_secret_access_key
        const token = ++this.#fetchToken;
        const credentials = !options.excludeCredentials
        signing.credentials: &relying-party-credentials
        long DONT_EXPIRE_PASSWORD = 0x10000L;
        u.MustChangePassword = *form.MustChangePassword
        item.Args[argToken] = authHeaderB64
        let key = pkcs12_pbkdf::<Sha1>(pass, salt)
        payload(token=e2ee_token)
        yearToken = `\b\d{4}\b`
        pub const PUBLISH_PASSWORD: &'static str = "PUBLISH_PASSWORD";
        const ERROR_WRONG_PASSWORD = 1323
        auth_user_change_password = 1103;
        NSS_BUFLEN_PASSWD     = 1024
        password: "a.type=='password'",
    """,
    "places behind `key`": """
        key: "fake/01234567890123456789/1234567890:1234567",
    """,
    "routes": """
        get "session/otp/:token" => "session#one_time_login"
        put "#{root}/security_key" => "users#update_security_key"
    """,
    "comparisons and choices": """
        - vaulted|unvault(data1_password) == data1_plaintext
        type = "client_credentials" | "password" | "implicit"
    """,
    "templates": r"""
        STORAGE_KEY = f"{DOMAIN}.pipelines"
        "refresh_token": f"new_{REFRESH_TOKEN}",
        secret: '%env(WEBHOOK_MAIL_SECRET)%'
        secret: '!MAIL_VALIDATION_SECRET!' # leave blank
        'vonage://apiKey:apiSecret@host.test?from=0611223344',
        'Crypto-Key' => "dh=#{Webpush.encode64(payload.fetch(:server_public_key)).delete('=')};",
        private_key = $dir/private/intermediate.key.pem
        subject_token=$SUBJECT_TOKEN&
        case "${MVNW_PASSWORD:+has-password}" in
        MAILER_DSN=mail+api://ACCESS_KEY:SECRET_KEY@default?sandbox=true
        key: '123-cargo-home-macos-x86_64-test-${{ matrix.job }}-${{ hashFiles(lock) }}'
        "%n%nUsing generated security password: %s%n%nThis password is"
        _XCOM_KEY_1 = f"test_xcom_key_{DATE_PARAM_1.replace(':', '')}_and_more_of_it"
        {{ (default $random_password .Values.redis.password) | b64enc | quote }}
        "--password", "anotherpassword", "--must-change-password=false"
        quarkus.tls.key-store.p12.password=%2$s
    """,
    "documentation": """
        <td colspan="2">--password string&nbsp;&nbsp;&nbsp;Default: "root"</td>
        the federated user identified by {@code userId}.
        A user might be identified by their certificate.
        Modificación de contraseña LDAPv3
        securely transmit the client secret to HTML5/JavaScript clients.
        # Wait for the secret "busybox1" to be created
        docker login -u $username -p $password localhost:5000
        Login password of the database to migrate.
        PASS: SHA-256 (WebCrypto-style name)
        With ZIP, unzip -p bundle.zip
        gpg: using EDDSA key 5055919906242571E5B0CC5A1846E140F733C4B2
        assert ok, "passphrase leaked onto argv"
        password: '#/components/schemas/TokenPasswordBody'
        Checks the reset password's complexity.
        echo -n username:realm:password | sha256sum
    """,
    "what follows a prompt": """
        [sudo via prompt] password: debug2: channel 2: written 67
    """,
    "addresses, whose password is told by itself": """
        yield 'Password only' => ['password', 'redis://password@localhost/queue'];
        factory.setSsl(getSsl("password", "classpath:test.jks"));
        assert uri == "conn-type://login:password@host/schema?charset=utf-8"
        t.pass("../op2/test_cases/**/*.rs");
    """,
    "minified code": """
        ,ending:16,endToken:17,spaceList:18,spaceListNewline:19,
        {"cookie":"a=b","accept":"text/html,application/xml;q=0.9,image/avif,image/webp"}
        document.cookie=n;t=o.exec,r=o.global,u=o.on;session=a.history.length(b)
        e.getInput=e.addPath=e.setSecret=e.exportVariable=e.ExitCode=void 0;
        credentials:A.credentials??"same-origin",
        $d = "auth_bearer": '.json_encode($options['auth_bearer']).'".
        function f(token){currentToken=token;Ext.History.fireEvent('change',token);}
        var token=elem?elem.innerText:null;var hash=1;
        e.token=r,T(e),T(e),void T(e);
        nav input[type=password]:valid,nav .field
    """,
    "drawings": """
        c-.2664.2785-.5134.5569-.7332.8509l
        e.C_x=.4222382003157712,e.C_y=1
    """,
    "lists of constants": """
        { "SCOPE_read", "FACTOR_BEARER", "FACTOR_X509" }
    """,
}
LINES = [(kind, line.strip()) for kind, lines in HARMLESS.items() for line in lines.strip().split("\n")]


@pytest.mark.parametrize(("kind", "line"), LINES, ids=[f"{kind}: {line[:30]}" for kind, line in LINES])
def test_what_is_no_secret_stays(kind: str, line: str) -> None:
    assert REDACTOR.redact(line).text == line, kind


def test_a_script_of_json_in_a_string_stays() -> None:
    for key in (r"{\"authority\": \"FACTOR_PASSWORD\", \"issuedAt\": 1759177143}",):
        assert REDACTOR.redact(key).text == key
    text = r'"{\"grants\":[\"client_credentials\",\"refresh_token\",\"urn:ietf:params:oauth\"]}"'
    assert REDACTOR.redact(text).text == text


def test_a_digest_of_a_lock_file_and_the_id_of_an_account_are_no_tokens() -> None:
    digest = "vRCqFv6UhXpWxZPyGDh" * 4 + "F3ZpNv8/q+"
    for text in (
        f"azure: {{integrity: sha512-{digest}==}}",
        '"account_id":"557058:c0b72ad0-1cb5-4018-9cdc-0cde8492c443"',
    ):
        assert REDACTOR.redact(text).text == text


def test_base64_of_zeros_is_no_token() -> None:
    for text in ("A" * 76 + "\n" + "A" * 30 + "EZMZNe6Q" + "A" * 38, "EAA" + "A" * 20 + "WVLO" + "A" * 90):
        assert REDACTOR.redact(text).text == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f'errors[CONF_PASSWORD] = "{MIXED}"', MIXED),
        (f"'PW' => '{MIXED}9',", MIXED),
        (f'"/reset/:token" => "{LONG}"', LONG),
        (f'if (data.password === "{MIXED}") {{', MIXED),
        (f"alter user bob identified by {MIXED}", MIXED),
        (f'the secret "{LONG}" was leaked', LONG),
        (f'password: "{"Straße!" + "7"}"', "Straße!7"),
        (f'LINKEDIN_KEY = "{"77yg7tx" + "91p4lag"}"', "91p4lag"),
        (f"jdbc:mysql://[(host=a,user=sandy,password={MIXED}),(host=b,port=2222)]/db", MIXED),
        (f"Cookie: lang=en; session={LONG}; theme=dark", LONG),
        (f'{{\\"password\\": \\"{MIXED}\\", \\"port\\": 1}}', MIXED),
    ],
)
def test_a_secret_that_is_written_the_same_way_goes(text: str, secret: str) -> None:
    assert secret not in REDACTOR.redact(text).text


def test_a_short_value_that_stands_everywhere_is_the_name_of_something() -> None:
    name, rest = "mylogin" + "1", "\n".join(f"call('mylogin1', {number})" for number in range(20))
    assert REDACTOR.redact(f"saveSecret('{name}')\n{rest}").text.endswith(rest)


def test_a_card_below_a_line_that_ends_with_a_word_goes() -> None:
    card = "4111 1111 " + "1111 1111"
    assert card not in REDACTOR.redact(f"the new card\n{card}\n").text


def test_random_letters_that_hold_a_short_name_by_chance_are_no_label() -> None:
    for value in ("pwMHzAP" + "MYNOP", "KeyWsYX" + "x7lM0", "gUQsPWQ" + "ln4Nm"):
        assert value not in REDACTOR.redact(f"password = '{value}'").text


def test_the_password_of_the_day_is_a_motto_and_a_year_no_password() -> None:
    for line in ("the password of the day is courage", "la clave de este capítulo es 2024"):
        assert REDACTOR.redact(line).text == line
    for line, secret in (
        ("the password for the router is blue" + "fish", "bluefish"),
        ("la clave del wifi es 40" + "86", "4086"),
    ):
        assert secret not in REDACTOR.redact(line).text
