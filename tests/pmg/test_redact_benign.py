"""Lines that hold no secret come back as they are: code, configuration, logs, documentation, talk in several languages.

Each line is one that a person might well keep; the list is longer than any rule was made for.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pmg.ingest.redact import Redactor

BENIGN = r"""
# First pass: decided_mask==0, every element participates.
private_key: PKCS7PrivateKeyTypes,
status, message = _highs_to_scipy_status_message(highs_status,
pat = f"^({pat[1:]})$"
e.g., if flattened_key is "state.layer1.weight", prefix becomes "state.layer1.weight."
token = r"[-!#$%&'*+.^_`|~0-9a-zA-Z]+"
c.login("/path/to/login", "somebody1", "mypassword")
The secret: cook it slowly
The secret: cook it slowly over 40 minutes.
Password: minimum 12 characters
Password: at least 8 characters, one digit and one symbol
Password: 12 characters minimum
Password must contain 1 uppercase letter and 2 digits
password = getpass.getpass()
password = getpass.getpass("Password: ")
password = input("Enter your password: ")
api_key = os.environ["API_KEY"]
api_key = os.environ.get("OPENAI_API_KEY")
api_key = os.getenv("OPENAI_API_KEY", "")
const apiKey = process.env.API_KEY;
const token = await getToken();
let token = localStorage.getItem("token");
token = request.headers.get("X-Auth-Token")
export TOKEN=${TOKEN}
export GITHUB_TOKEN=$(gh auth token)
TOKEN=$TOKEN
PASSWORD=%PASSWORD%
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
curl -H "Authorization: Bearer ${ACCESS_TOKEN}" https://api.example.com
curl -H "Authorization: Bearer <token>" https://api.example.com
curl -H "Authorization: Bearer YOUR_API_KEY" https://api.example.com
curl -u user:password https://example.com
Authorization: Bearer {token}
Authorization: Basic <credentials>
api_key = "<your-api-key>"
api_key = "YOUR_API_KEY"
api_key: your-api-key-here
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
password: xxxx
password: xxxxxxxx
password: ********
password: "********"
Password: ••••••••
password: [hidden]
password: (hidden)
password=<password>
password={password}
password={{ db_password }}
password: "{{ vault_db_password }}"
password: !vault |
password: ${{ secrets.DB_PASSWORD }}
token: ${{ secrets.GITHUB_TOKEN }}
The documented example is AKIAIOSFODNN7EXAMPLE.
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
Merge 4b825dc642cb6eb9a060e54bf8d69288fbee4904 into main
index 83db48f..bf269f4 100644
git checkout a1b2c3d4e5f60718293a4b5c6d7e8f9012345678
id: 550e8400-e29b-41d4-a716-446655440000
request_id=6ba7b810-9dad-11d1-80b4-00c04fd430c8 status=200
{"uuid": "123e4567-e89b-12d3-a456-426614174000"}
ISBN 978-3-16-148410-0
ISBN: 9780306406157
ISBN-10 0-306-40615-2
max_tokens=4096
max_tokens: 4096
"max_tokens": 1024,
"usage": {"prompt_tokens": 1234, "completion_tokens": 567, "total_tokens": 1801}
total tokens: 128000
The model has a context of 128000 tokens.
tokens per second: 45.2
token_count = 512
token_limit: 8192
num_tokens = len(tokenizer.encode(text))
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
pad_token_id=50256
eos_token = "</s>"
pad_token: "[PAD]"
special_tokens_map = {"bos_token": "<s>", "eos_token": "</s>"}
next_page_token = response.next_page_token
nextPageToken: string | undefined
4111 1111 1111 1112
Card 4111111111111112 was declined
Order number 1234567890123456
Order #4532015112830366 shipped yesterday
Tracking number: 9400 1000 0000 0000 0000 00
Call me at +49 170 1234567
Phone: (555) 123-4567
Tel. 0049 89 1234 5678
+1-800-555-0199 ext. 1234
password: str
password: str = None
password: Optional[str] = None
password: string;
password?: string;
password: String!
password: &str,
pub password: String,
private String password;
private final String token;
string Password { get; set; }
public string ApiKey { get; set; }
def login(username: str, password: str) -> Token:
def connect(host, port, user, password=None):
def authenticate(self, token: str, *, secret: bytes) -> bool:
function login(username, password) {
func Login(user string, password string) error {
fn verify(token: &str, secret: &[u8]) -> Result<Claims, Error>
async login(email: string, password: string): Promise<User> {
login(username=username, password=password)
client = Client(api_key=api_key, secret=secret)
client = OpenAI(api_key=settings.openai_api_key)
self.password = password
self.token = token
this.token = token;
this.password = user.password;
user.password = hash_password(password)
user.setPassword(passwordEncoder.encode(password));
if password != confirm_password:
if (password === "") {
if (!token) return null;
assert token == expected_token
password_hash = bcrypt.hashpw(password.encode(), bcrypt.gensalt())
hashed_password = pwd_context.hash(password)
secret = secrets.token_hex(32)
SECRET_KEY = secrets.token_urlsafe(50)
token = jwt.encode(payload, SECRET_KEY, algorithm="HS256")
payload = jwt.decode(token, SECRET_KEY, algorithms=["HS256"])
password VARCHAR(255) NOT NULL
password VARCHAR(255) NOT NULL,
    password_hash CHAR(60) NOT NULL,
`token` varchar(64) DEFAULT NULL,
CREATE TABLE users (id SERIAL PRIMARY KEY, email TEXT, password TEXT NOT NULL);
ALTER TABLE users ADD COLUMN password VARCHAR(255);
SELECT id, email, password FROM users WHERE email = ?
INSERT INTO users (name, password) VALUES (:name, :password)
UPDATE users SET password = @password WHERE id = @id
CREATE USER app WITH PASSWORD '<password>';
I forgot my password
I forgot my password again, can you help me reset it?
the token expired
The token expired after 3600 seconds.
reset your password
Please reset your password by clicking the link below.
Your password has been changed.
Your password will expire in 14 days.
The password is required.
the password is incorrect
The password is wrong, try again.
My password is too weak.
Her password is the same as his.
The password is stored in the keychain.
The password was leaked in 2019.
The password is 12 characters long.
The password is at least 8 characters.
What is the password policy?
A strong password is important.
Never share your password with anyone.
My password is not working.
Is the password case-sensitive?
The secret is to let the dough rest.
The secret is patience.
The secret ingredient is love.
The key is under the mat.
The key is to keep practising.
The key to success: hard work
Key takeaways: it works
The token is valid for 24 hours.
The token is invalid or expired.
An API key is required to use this endpoint.
You can find your API key in the dashboard.
Store the API key in an environment variable.
The access token is returned in the response body.
Tokens: 1,204 in, 356 out
Secret Santa: Bob gives to Alice
Victoria's Secret: new collection 2024
The secret garden was published in 1911.
It's an open secret.
Top secret: the party is on Friday!
![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)
src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file.txt
SHA256 (dist.tar.gz) = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
md5: d41d8cd98f00b204e9800998ecf8427e
"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
"resolved": "https://registry.npmjs.org/lodash/-/lodash-4.17.21.tgz",
    --hash=sha256:5f4a7d1c2b3e4f5061728394a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e
etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
https://example.com/path?query=value&page=2
https://example.com:8080/path
https://en.wikipedia.org/wiki/Password
http://localhost:3000/login
postgres://localhost:5432/mydb
postgresql://user@localhost/mydb
postgres://user:password@localhost:5432/db
mongodb://<user>:<password>@host/db
redis://localhost:6379/0
git@github.com:user/repo.git
ssh://git@github.com/user/repo.git
mailto:someone@example.com
https://example.com/reset?token=<token>
https://medium.com/@user/some-long-article-title-with-id-1a2b3c4d5e6f
https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s
https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit
Bearer of bad news
He is the bearer of good tidings and the ring-bearer.
basic authentication
Basic authentication uses a username and password.
Basic knowledge of Python required
authorization: required
Authorization is handled by the gateway.
Set-Cookie: theme=dark; Path=/
Cookie: lang=en; theme=dark
Chocolate chip cookie: 200g flour, 100g sugar
This site uses cookies: accept or decline
export DEBUG=true
PORT=8080
NODE_ENV=production
LOG_LEVEL=info
DATABASE_HOST=db.internal
AWS_REGION=eu-central-1
PATH=/usr/local/bin:/usr/bin
secretName: my-app-tls
secretKeyRef:
  key: password
  name: db-credentials
imagePullSecrets:
kind: Secret
type: kubernetes.io/service-account-token
serviceAccountName: default
token_url: https://auth.example.com/oauth/token
tokenUrl: /oauth/token
token_type: bearer
"token_type": "Bearer",
"expires_in": 3600
password_field = driver.find_element(By.ID, "password")
<input type="password" name="password" placeholder="Password" required>
<label for="password">Password</label>
<PasswordField label="Password" value={password} />
<password>string</password>
"password": {"type": "string", "minLength": 8}
"password": "string"
"password": "required|min:8",
"forgotPassword": "Forgot your password?",
"password.placeholder": "Enter your password",
"passwordHint": "At least 8 characters",
label: "Password"
type: "password"
password: Yup.string().min(8).required(),
password: z.string().min(8),
password: { type: String, required: true },
validates :password, length: { minimum: 8 }
PasswordAuthentication no
PermitRootLogin prohibit-password
password-based authentication is disabled
--password-file /run/secrets/db
--password <password>
--token $TOKEN
POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password
password_file: /etc/app/password.txt
private_key: /etc/ssl/private/server.key
private_key_path = "~/.ssh/id_rsa"
ssl_certificate_key /etc/nginx/ssl/server.key;
public_key: ssh-ed25519
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 user@host
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
A PEM file starts with -----BEGIN PRIVATE KEY----- and ends with an END line.
primary_key=True
foreign_key: user_id
key: value
partition key: user_id, sort key: created_at
"key": "value"
cache_key = f"user:{user_id}"
sort_key = lambda x: x.name
keyboard shortcut: ctrl+shift+p
monkey = "banana"
PIN: 4 digits
int pin = 13;
pinMode(13, OUTPUT);
The pin is loose.
Pin this message to the channel
GPIO pin: 17
int ledPin = 13
2024-01-15 12:34:56,789 INFO auth: login succeeded for user bob
2024-01-15T12:34:56Z WARN token refresh failed: timeout after 30s
[error] password authentication failed for user "postgres"
FATAL: password authentication failed for user "app"
Access denied for user 'root'@'localhost' (using password: YES)
Access denied for user 'root'@'localhost' (using password: NO)
sudo: a password is required
[sudo] password for bob:
Enter passphrase for key '/home/bob/.ssh/id_ed25519':
error: invalid token at line 12, column 5
SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON
SyntaxError: Unexpected token } in JSON at position 42
Error: Invalid API key provided
401 Unauthorized: missing bearer token
csrf token missing or incorrect
WARNING: The script pip3.11 is installed in '/home/bob/.local/bin' which is not on PATH.
Elapsed: 1700000000000 ms
timestamp: 1700000000
epoch_ns=1700000000000000000
{"ts": 1700000000000, "level": "info"}
user_id: 4532015112830366
lat=52.520008, lon=13.404954
0x7ffee4b5f8c0
1234567890123456789012345678901234567890
3.14159265358979323846
IPv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334
MAC 00:1A:2B:3C:4D:5E
IBAN DE00 1234 5678 9012 3456 78 is not valid
version 1.2.3-beta.4+build.5678
gpt-4o-mini-2024-07-18
claude-3-5-sonnet-20241022
text-embedding-3-small
sentence-transformers/all-MiniLM-L6-v2
us-east-1a, eu-west-2b
arn:aws:iam::123456789012:role/MyRole
arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db
task-management-and-project-planning-tools
sk-learn is not the name of scikit-learn
from transformers import hf_hub_utils
npm_config_registry=https://registry.npmjs.org
pip install google-re2==1.1.20251105
docker run -p 8080:80 -e MODE=prod nginx:latest
docker login -u bob -p "$DOCKER_PASSWORD"
mysql -u root -p mydb
mysql -h localhost -u root -p
ssh -p 2222 user@host
zip -r archive.zip folder
curl -u "$USER:$PASS" https://example.com
ffmpeg -i input.mp4 -pass 1 -b:v 1M out.mp4
pass
pass: boolean
passed: 12, failed: 0
Tests passed: 128
bypass=1
compass: N
passport: required
passive: true
Passage: 12 lines
Das Passwort ist falsch.
Das Passwort muss mindestens 12 Zeichen haben.
Passwort vergessen?
Ich habe mein Passwort vergessen.
Bitte ändern Sie Ihr Kennwort.
Passwort: mindestens 8 Zeichen
Das Geheimnis ist Geduld.
He olvidado mi contraseña
La contraseña es incorrecta
La contraseña es obligatoria.
Contraseña: mínimo 8 caracteres
La clave es la paciencia.
J'ai oublié mon mot de passe
Le mot de passe est incorrect
Le mot de passe est obligatoire.
Mot de passe : 8 caractères minimum
Ho dimenticato la password
La password è sbagliata
Esqueci minha senha
Mijn wachtwoord is verlopen
Я забыл пароль
Неверный пароль
我忘记了密码
密码错误
密码至少8个字符
パスワードを忘れました
パスワードは8文字以上
비밀번호를 잊었어요
Let's meet at 10:30, table 4, order 2 coffees
The recipe needs 200g flour, 3 eggs and 1/2 cup of milk.
My flight is LH1234 at gate B22, seat 14C.
My son's height is 1m42 now.
The wifi is slow at the cafe.
The wifi password is on the fridge.
The wifi password is written on the back of the router.
What's the wifi password?
The door code changed last week.
We watched 3 movies: Alien, Aliens and Alien3.
My favourite token is the thimble in Monopoly.
As a token of appreciation: a gift card
The London pass is £89 for 3 days.
I got 95% on the exam: passed!
Chapter 12: The Secret
He said "the password is swordfish" is a joke from an old film? No idea.
Use a password manager such as Bitwarden or 1Password.
Login: https://example.com/login
login: 10:30 today
Username and password are required.
credentials: include
credentials: "same-origin"
fetch(url, { credentials: "include" })
auth = HTTPBasicAuth(user, password)
requests.get(url, auth=(user, password))
requests.get(url, auth=("user", "password"))
headers = {"Authorization": f"Bearer {token}"}
headers = {"X-API-Key": api_key}
"Authorization": "Bearer " + token,
@app.route("/token", methods=["POST"])
router.post("/reset-password/:token", resetPassword)
grant_type=client_credentials
grant_type=password
scope=openid profile email
response_type=token
{"secret": true}
{"token": null, "password": ""}
secret=False
token=None
api_key=""
password=''
password = None
password: null
secrets: inherit
enable_secret: yes
has_token: true
show_password = false
password.length >= 8
token.split(".")[1]
tokens = text.split()
for token in doc:
token = tokens[0]
token = doc[i]
Token(type=NAME, value="x", line=1)
{ token: "comment", foreground: "6A9955" }
{ token: 'keyword', foreground: '0000FF' }
{"token": "hello", "logprob": -0.31}
validate the password first. Then pass `user_id` to the function
The suspect was identified by witnesses
[API key safety](https://help.example.org/en/articles/5112595-best-practices-for-api-key-safety)
En el objeto, la clave `price` guarda el precio
"pbkdf2-password": "1.2.1",
headers["Authorization"] = build_header(user1, token2)
Authorization: Bearer access”
Authorization: Bearer mytoken，然后
Authorization: Zugriffsschlüssel fehlt
00000010  be71 0961 2345 6769 de89 3704 0044 0532  .q.a#Egi..7..D.2
Your order 4539148803436467 has been shipped
token=token).create(name)
'pwd', 'pushd', 'popd', 'read', 'regexp'
re.compile("api|token|secret_key|signature")
@sensitive_variables("user", "password", "credit_card")
cache_key = "views.decorators.cache.cache_page.%s.%s.%s"
{"username": "string?", "password": "string?", "title": "string?"}
"password1": "anewpassword", "password2": "some_other_password"
user = User.objects.create_user("john", password="testpw")
DB_PASSWORD=mypassword
password="test",
add("PASSWORD", "password='%s'")
self.client_secret = "FORBIDDEN_VALUE"
_csrf_id_token = MASKED_TEST_SECRET2
request.headers["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
/* cache key: enwiki:resourceloader:filter:minify-css:7:3904d24a08aa08f6a68dc338f9be277e */
# public key: age1epzmwwzw8n09slh0c7z1z52x43nnga7lkksx3qrh07tqz5v7lcys45428t
version_pat="^[0-9]+\.[0-9]+\.[0-9]+(rc[0-9]+)?$"
pat = "^v[0-9]+.*(rc[0-9]+)?$"
client = httpx.Client(cookies=cookies, transport=httpx.MockTransport(get_and_set_cookies_42))
ser = Series([635554097106142143], dtype="int64")
{"A": [3002399751580331.0 + add, -0.0]}
secret := NewSecret(`ey[a-zA-Z0-9]{17,}\.ey[a-zA-Z0-9\/\\_-]{17,}`)
{radio:!0,checkbox:!0,file:!0,password:!0,image:!0}
ALTER USER %(user)s IDENTIFIED BY "%(password)s"
""".strip("\n").split("\n")  # fmt: skip


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor()


def test_the_set_is_large_and_varied() -> None:
    assert len(set(BENIGN)) >= 300


@pytest.mark.parametrize("line", BENIGN)
def test_a_line_without_a_secret_is_left_as_it_is(redactor: Redactor, line: str) -> None:
    assert redactor.redact(line).text == line


@pytest.mark.parametrize("line", BENIGN)
def test_it_is_left_as_it_is_inside_a_message_too(redactor: Redactor, line: str) -> None:
    text = f"Look at this 👇\n\n    {line}\n\nwhat do you think?"
    assert redactor.redact(text).text == text


def test_the_whole_set_as_one_text_is_left_as_it_is(redactor: Redactor) -> None:
    text = "\n".join(BENIGN)
    assert redactor.redact(text).text == text


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def test_real_conversations_are_hardly_touched(redactor: Redactor) -> None:
    data = Path(__file__).resolve().parents[2].parent / "shared" / "data"
    if not data.is_dir():
        pytest.skip("no folder of real conversations beside the checkout")
    texts = set(_strings(json.loads((data / "locomo10.json").read_text("utf-8"))))
    with gzip.open(data / "longmemeval_s_dev60.json.gz", "rt", encoding="utf-8") as file:
        texts |= set(list(_strings(json.load(file)))[:20000])
    lines = [line for text in sorted(texts) for line in text.split("\n")]
    # What is hit are signed addresses of pictures, which do carry tokens.
    hits = [line for line in lines if redactor.redact(line).counts and "?token=" not in line]
    assert len(hits) <= len(lines) // 20000, hits[:5]
