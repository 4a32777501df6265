"""Sentences of ordinary life in several languages, and how people paste what a program shows them. Values are put together at run time."""

from __future__ import annotations

import pytest

from pmg.ingest.redact import Redactor

REDACTOR = Redactor()
WORD, MIXED, PIN = "Sonne!" + "42x", "4Xk9" + "Qp", "49" + "21"

TOLD = (
    (f"The password to the shared drive was changed to {WORD} last week.", WORD),
    (f"The password for the tax portal has been changed to {WORD}", WORD),
    (f"The meeting is at ten, passcode {MIXED}", MIXED),
    (f"Das WLAN-Passwort bei Oma ist {WORD}", WORD),
    (f"Das Passwort beim Arzt war {WORD}", WORD),
    (f"Mein Passwort für die Bahn-App: {WORD}", WORD),
    (f"Zugangsdaten für den Server: root / {WORD}", WORD),
    (f"Login for the printer: admin / {WORD}", WORD),
    (f"Voici mes identifiants pour le portail : julie / {WORD}", WORD),
    (f"Le mot de passe du wifi, c'est {WORD}", WORD),
    (f"Le mot de passe chez Orange est {WORD}", WORD),
    (f"mot de passe de la boîte mail : {WORD}", WORD),
    (f"La password di casa è {WORD}", WORD),
    (f"A senha do banco é {WORD}", WORD),
    (f"A palavra-passe do portal é {WORD}", WORD),
    (f"Het wachtwoord van de wifi is {WORD}", WORD),
    (f"My PIN is {PIN}.", PIN),
    (f"My debit card pin was {PIN}, now I need a new one", PIN),
    (f"Meine PIN ist {PIN} und die Karte ist blau", PIN),
    (f"Die PIN von der Karte lautet {PIN}, bitte nicht weitersagen.", PIN),
    (f"Mon code PIN est {PIN}, ne le note pas.", PIN),
    (f"El PIN de mi tarjeta es {PIN}.", PIN),
    (f"Il mio pin è {PIN}", PIN),
    (f"O pin do meu cartão é {PIN}", PIN),
)

HARMLESS = """
The pin of the brooch is 120 years old.
The pin was 2000 dollars at auction
The pin is 3300.5 mm long
Connect pin 13 to the LED; the pin for the servo is 9.
The OTP is valid for 300 seconds.
Mi PIN de Blackberry era largo.
Die PIN ist falsch.
The password for the site: see your mail.
Password for step 2: 8 characters minimum
Password for user: alice
Use the password of the user in step 3.
I forgot my password again and had to reset it twice on Monday.
The secret to a good risotto is patience and warm stock.
Das Passwort bei der Anmeldung ist Pflicht.
Das Passwort der Woche: Geduld.
Passwort für das Forum: bitte per Mail anfragen.
Der Schlüssel zum Keller liegt bei Frau Kaiser.
Le mot de passe des utilisateurs est haché avec bcrypt.
Le mot de passe, c'est important.
La clé du bonheur est la patience.
Identifiants : voir la page 12
La clave de la historia es que ella nunca volvió.
La clave del éxito: trabajar mucho.
La password dell'account è scaduta.
A senha do wifi é a mesma de sempre.
Login for members: 10:30 / 12:45
login: see docs / wiki
secretKeyRef: { name: db-credentials, key: password }
const [password, setPassword] = useState('')
if password != confirm_password: raise ValueError('passwords differ')
""".strip().split("\n")


@pytest.mark.parametrize(("text", "secret"), TOLD, ids=[text[:40] for text, _ in TOLD])
def test_what_somebody_tells_is_taken_out(text: str, secret: str) -> None:
    assert secret not in REDACTOR.redact(text).text


@pytest.mark.parametrize("line", HARMLESS)
def test_what_tells_nothing_stays(line: str) -> None:
    assert REDACTOR.redact(line).text == line


def test_a_cookie_needs_no_blank_before_it() -> None:
    value = "qZ7xK2mP9vL4" + "tR8wN3bY6cJ1"
    assert (
        REDACTOR.redact(f"Cookie:sid={value}; theme=dark").text == "Cookie:sid=[redacted: session cookie]; theme=dark"
    )


def test_a_stem_within_a_long_run_does_not_hide_the_name_at_its_end() -> None:
    for size in range(25, 50):
        assert REDACTOR.redact(f"PASS_{'X' * size}_TOKEN=" + "q7Zr2mLx9" * 3).counts == {"secret": 1}, size


CODE = r"""
use Illuminate\Auth\Middleware\RequirePassword;
return new RequirePassword($app[ResponseFactory::class]);
return [$field => $request->getUser(), 'password' => $request->getPassword()];
$password = $this->app->make('one.time.password');
'password' => '--password='.$connection['password'],
return new HtmlString('<input type="hidden" name="_token" value="'.csrf_token().'" autocomplete="off">');
Password::$defaultCallback = null;
$v = new Validator($trans, ['password' => 'foo'], ['password' => 'Confirmed']);
const wrapper = new InstanceWrapper({ token: TestProvider1, metatype: TestProvider1 });
inject: [ FixtureDep1, { token: FixtureDep2, optional: true } ],
provider.setAssertionValidator((assertionToken) -> OpenSaml5AuthenticationProvider
for (Saml2X509Credential credential : verificationX509Credentials) {
OAuth2Authorization authorization = TestOAuth2Authorizations
given(service.find(authorization, DEFAULT_TOKEN_ENDPOINT_URI)).willReturn(null);
AbstractLdapAuthenticationProvider.emptyPassword=Ung\u00FCltige Anmeldedaten
Long oidPrimaryKey = retrieveObjectIdentityPrimaryKey(objectIdentity);
List<Token> all = new DelegatingOAuth2TokenValidator(first); // see <p>there</p>
return NewError(OperationError, "unable to marshal key to SPKI format: "+err.Error())
unsubscribe_url(token: @user.to_sgid(for: 'unsubscribe').to_s)
root_url(confirmation_token: @subscription.confirmation_token)
    FS_IOC_REMOVE_ENCRYPTION_KEY = 0xc0406618
    SYS_GETPASSWD = 0x24c1ab
        password: парола
        reset_password: စကားဝှက်
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "ClientApp"
return NewError(DataError, "public is not a valid CryptoKey: "+err.Error())
hc.Headers.Set("Authorization", "Bearer "+conf.BearerToken.String)
self.eat(&Token::LeftParen)?;
esxi1_password: @ESXI1_PASSWORD
$zip_file = Join-Path -Path $coverage_dir -ChildPath 'coverage.zip'
will not allow the password to expire.
""".strip().split("\n")


@pytest.mark.parametrize("line", CODE)
def test_code_that_names_a_secret_and_holds_none_stays(line: str) -> None:
    assert REDACTOR.redact(line).text == line


def test_a_digest_in_which_a_name_stands_by_chance_stays() -> None:
    line = f'"integrity": "sha512-qv7+G3J2cc6wwFj3yKvXOamzqhMwSk1ogPGmhpS8iXllcP{"aB3dE5gH7j" * 4}=="'
    assert REDACTOR.redact(line).text == line


@pytest.mark.parametrize("text", ["CLIENT_SECRET={}", "secret: {}", 'token = "{}";', "jwt_secret: {}\nport: 1"])
def test_a_secret_made_of_words_and_a_number_goes(text: str) -> None:
    value = "CorrectHorse" + "Battery19"
    assert value not in REDACTOR.redact(text.format(value)).text


def test_a_word_that_a_password_is_changed_to_goes() -> None:
    word = "blue" + "fish"
    assert word not in REDACTOR.redact(f"I changed the router password to {word}.").text
