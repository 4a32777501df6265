"""Words: what secrets are called, and what stands in their place without being one.

Knows: names of secrets in code and in several languages; placeholders, types and everyday answers.
"""

from __future__ import annotations

# What every name of a secret holds: text without any of them needs no closer look.
PASSWORD_STEMS = (
    "pass pwd psw kennwort contraseña contrasena clave mdp senha parola parolă wachtwoord hasło haslo lösenord losenord adgangskode "
    "salasana şifre sifre heslo jelszó пароль Пароль ПАРОЛЬ 密码 密碼 パスワード 비밀번호 암호 κωδικός סיסמה पासवर्ड รหัสผ่าน geheimzahl "
    "zugangscode zugangswort masterauth"
).split()
TOKEN_STEMS = (
    "secret token salt credential creds bearer jwt key auth login encrypteduser".split()
)  # the last is Firefox's
# With a small letter behind it, each of these is another word (`author`, `tokens`, `secretary`), unless the name holds a second stem.
WHOLE_STEMS = ("secret", "token", "salt", "bearer", "jwt", "auth", "login", "creds")
SHORT_STEMS = ("pw", "pat", "psk")  # at the end of a name only

# As whole parts of a name: `db_password`, `clientSecret`, `API-KEY`.
PASSWORD_PARTS = frozenset(
    "password passwd passwrd passwort kennwort passphrase passcode pwd psw pw pass pswd passw userpass userpassword "
    "dbpassword dbpass dbpwd pgpassword mysqlpwd rootpassword adminpassword requirepass masterauth sshpass keypass storepass "
    "contraseña contrasena clave motdepasse mdp senha parola wachtwoord hasło haslo lösenord losenord adgangskode "
    "passord salasana şifre sifre parolă heslo jelszó пароль 密码 密碼 パスワード 비밀번호 암호 "
    "κωδικός סיסמה पासवर्ड รหัสผ่าน zugangscode zugangswort geheimzahl".split()
)
TOKEN_PARTS = frozenset(
    "secret token salt apikey apitoken apisecret clientsecret accesskey secretkey privatekey signingkey encryptionkey masterkey "
    "accesstoken authtoken presharedkey psk refreshtoken bearertoken idtoken sessiontoken authkey appsecret appkey credential credentials "
    "creds bearer jwt pat webhooksecret secrettoken keysecret sharedsecret sharedkey accountkey encryptedusername".split()
)
# `key` is a secret only behind one of these: a `primary_key` or `sort_key` is not.
KEY_QUALIFIERS = frozenset(
    "api access secret private signing sign encryption encrypt decryption master account auth app application service "
    "license licence deploy shared preshared stream storage subscription hmac aes jwt session cookie webhook recovery activation product "
    "integration admin security rsa ssh crypto cipher wifi wlan network psk fernet openai anthropic claude gemini azure aws gcp "
    "github gitlab stripe slack twilio sendgrid mailgun cohere mistral groq deepseek openrouter algolia datadog firebase".split()
)
# Words joined without a sign: `dbpasswd`, `authtoken`.
PASSWORD_ENDS = ("password", "passwd", "passwort", "passphrase", "kennwort", "pwd", "passwrd")
TOKEN_ENDS = (
    "token",
    "secret",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "presharedkey",
    "streamkey",
)
# A `key` with one of these parts is the name of something, or known to everybody.
HARMLESS_KEYS = frozenset(
    "primary foreign sort partition cache public row group unique index hot map dict object item sub registry reg shortcut "
    "arrow enter escape shift ctrl control alt tab return space home end function composite natural surrogate candidate order "
    "column field hash range search lookup storage state query react translation locale i18n message resource config setting "
    "idempotency dedup routing binding artifact file path url s3 redis memcache etag checksum digest integrity commit sha "
    "fingerprint content metric label tag event trigger context feature flag ssh host known socket".split()
)
# Parts that may follow the telling one without changing what the value is.
TRAILING_PARTS = frozenset(
    "prod production dev development staging stage live local sandbox value val string str text plain plaintext raw b64 "
    "base64 env old new current default main primary secondary base db admin root user a b c x primary1 id0".split()
)
# Names with these parts are counts, switches, names of things: `max_token`, `show_password`, `next_page_token`.
HARMLESS_PARTS = frozenset(
    "max min num count total per page next prev continuation pad eos bos unk mask cls sep stop special cursor sync "
    "cancellation cancel forgot forgotten show hide toggle require requires required has is use allow enable enabled disable "
    "disabled no with without validate check verify generate invalid wrong missing expired forgotten input output prompt "
    "completion get syntax lexer parse parser public error placeholder type strength len length size buflen".split()
)

# A pass of these is a ticket, a turn or a throw: `boarding pass`, `second pass`, `high-pass`.
PASSES = frozenset(
    "boarding season ski lift bus rail train tram metro transit travel day week weekend month year daily weekly monthly yearly annual "
    "hall library museum park parking city tourist island mountain press backstage media visitor event festival concert conference "
    "lunch meal gym pool swim zoo world game battle fast express priority lounge vip free wildlife fishing national interrail eurail "
    "covid vaccine health hiking climbing first second third fourth fifth sixth seventh eighth next last final previous each every "
    "one two three low high band all notch compiler llvm optimizer optimization optimisation analysis render rendering shader shadow "
    "forward backward training inference completed incomplete lateral touchdown through cross short long tests".split()
)
# Before a word for a password these make a stand-in of it: `somepassword`, `a_new_pass`, `testpw`.
STAND_IN_PREFIXES = (
    "my your his her our their the a an any some new old no not non un other another same first second last next "
    "test testing tests dummy fake mock sample demo example temp tmp default wrong bad good right correct incorrect valid invalid "
    "empty blank raw plain long short weak strong simple complex sensitive secure current previous original updated changed "
    "option setting deprecated user username admin super very secret".split()
)
# Read as a value, each of these is a label, a type, a state or a stand-in.
PLACEHOLDERS = frozenset(
    "password passwd passwort kennwort passphrase passcode pwd pass secret token apikey api_key api-key key value string str text bytes "
    "none null nil undefined true false yes no on off n/a na tbd todo empty blank hidden masked redacted removed changeme "
    "change_me change-me changeit replaceme replace_me replace-me placeholder example sample dummy default foo bar baz foobar "
    "int integer number float double bool boolean char varchar object any unknown void never optional required mandatory "
    "your yours mine user username admin_password env environment config secret_key secret-key client_secret access_token "
    "enter here insert input prompt stdin file path missing invalid incorrect wrong expired valid correct ok okay good "
    "bad weak strong safe secure unsafe insecure encrypted hashed plain plaintext cleartext same different unchanged random "
    "generated auto automatic manual see below above following private public shared unset set not the a an it this that "
    "is was be to for of in and or but if when where what which who how why please contact ask use used using stored "
    "bearer basic digest oauth jwt oauth2 ldap saml sso mfa totp contraseña senha motdepasse wachtwoord 密码 パスワード "
    "парола лозинка гасло parool pasahitza passord lösenord adgangskode lykilorð contrasinal contrasenya clau heslo geslo lozinka zaporka "
    "slaptažodis parole parolė jelszó salasana pasvorto pasvortas паролем пароля katalaluan գաղտնաբառ პაროლი "
    "fjalëkalim fjalëkalimi cyfrinair wachtwurd wagwoord parol şifrə senhas hasło hasła κωδικός סיסמה رمز گذرواژه loyniorð "
    "лозинком лозинку lozinkom geslom heslem heslom heslo parolem hasłem salasanalla salasanaa contrasenyes "
    "field column varchar2 nvarchar uuid email phone name type len length min max minimum maximum characters chars "
    "self this props state data request response args kwargs params options settings context body form event item "
    "getenv environ process import require const let var new return function def class async await lambda "
    "vergessen falsch erforderlich notwendig geheim ändern olvidada incorrecta obligatoria requis oublié incorrect faux "
    "confirmed disabled enabled allowed denied never always sometimes empty_string nothing something anything everything".split()
)
ALGORITHMS = frozenset(
    "sha1 sha256 sha512 sha384 sha224 sha3 sha3256 sha3512 md5 base64 base64url base32 ed25519 secp256k1 secp256r1 oauth2 oauth1 aes128 aes256 rsa2048 "
    "rsa4096 hs256 rs256 es256 pbkdf2 argon2 argon2id bcrypt scrypt ripemd160 x509 pkcs8 pkcs12 utf8 utf16 utf32 ascii85 "
    "aes256gcm hmacsha256 curve25519 x25519 p256 win32 int32 int64 uint8 uint32 uint64 float32 float64 i32 i64 u8 u16 u32 u64 "
    "bytes32 uint256 string255 varchar255 log4j h2o web3 oauth2token iso8601 rfc6749 rfc7519 cl100k o200k gpt2 gpt4 v1beta1".split()
)
UNITS = frozenset(
    "character characters char chars digit digits letter letters word words symbol symbols day days hour hours hr hrs minute "
    "minutes min mins second seconds sec secs week weeks month months year years time times attempt attempts byte bytes bit "
    "bits kb mb gb ms mg line lines row rows record records pixel pixels px baud rpm pcs pieces zeilen km dollar dollars euro euros usd eur pounds cents token tokens more long zeichen ziffern stellen jahr jahre jahren monate wochen tage tagen stunden minuten sekunden caracteres caractères dígitos percent users people".split()
)
# The last of these words says how a passphrase is made up: `four random words`.
PARTS_OF_PHRASES = frozenset(
    "words letters characters symbols digits nouns verbs sentences phrases emojis things parts names wörter buchstaben zeichen".split()
)
# Function words: a run of words that holds one of them is a sentence, not a passphrase.
STOP_WORDS = frozenset(
    "the a an to in is of and for or on at by with from your my our their his her its it this that these those be been are "
    "was were will would can could should must may might not no do does did has have had please enter if when then as than "
    "but so you we they he she i me us them what which who how why where there here all any some each every more less most "
    "least new old own same forgot forgotten reset change changed invalid incorrect required wrong confirm show hide create "
    "update set password secret token key passphrase cook use using used only never always about into out up down over "
    "der die das ein eine und oder ist sind nicht mit für von zu im in auf bitte ihr dein mein passwort el la los las un una y "
    "o es son no con para por de del en su tu mi contraseña le les des du et ou est sont pas avec pour dans sur votre ton mon "
    "mot passe".split()
)
