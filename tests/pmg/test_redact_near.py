"""How people hand over passwords, codes and seed phrases, and many ordinary lines that come near such a rule.

Values are put together at run time; in the ordinary lines `\\n` stands for a line end.
"""

from __future__ import annotations

import base64

import pytest

from pmg.ingest.redact import Redactor
from pmg.ingest.redact.rule import HEX, filler
from tests.growth import LINEAR, growth

REDACTOR = Redactor()
SIGNED, HILLS, PHRASE, WORD = "Sommer" + "2024!", "7hills" + "&Rome", "correct-" + "horse-battery", "letmein" + "2026"
ENCODED = base64.b64encode(b"S3cr3t" + b"Pass!").decode()
SEED = "legal winner thank year wave sausage " + "worth useful legal winner thank yellow"
NUMBERED = "\n".join(f"{number}. {word}" for number, word in enumerate(SEED.split(), 1))
NETWORK = "4930281736" + "4529184736"
KEY = "sk-ant-" + "api03-" + filler(93) + "AA"

TOLD = (
    # Base64, as the data of a Kubernetes secret is
    (f"password: {ENCODED}", ENCODED),
    (f"apiVersion: v1\nkind: Secret\ndata:\n  db_password: {ENCODED}\n  user: x", ENCODED),
    (f"token: {base64.b64encode(b'abc12' + b'3xyzQQ').decode()[:-1]}=", "MTIzeHl6"),
    ("password: Abc" + "1234=", "Abc" + "1234"),
    # begins with a digit, ends with a letter
    (f"das Passwort lautet {HILLS}", HILLS),
    ("my password is 7days" + "OfRain", "7days" + "OfRain"),
    ("my password is 9Lives" + "#cat", "9Lives" + "#cat"),
    # PW
    (f"PW: {SIGNED}", SIGNED),
    (f"Mein PW: {SIGNED}", SIGNED),
    # networks
    (f"Wi-Fi key: {SIGNED}", SIGNED),
    (f"WLAN-Schlüssel: {NETWORK}", NETWORK),
    (f"WLAN-Schlüssel (WPA2): {' '.join(NETWORK[at : at + 4] for at in range(0, 20, 4))}", NETWORK[4:8]),
    ("Netzwerkschlüssel: Schatzi" + "1987", "Schatzi" + "1987"),
    # codes
    ("pay with my card, exp 04/29 CVV 7" + "39", "7" + "39"),
    ("die PIN meiner Karte ist 48" + "27", "48" + "27"),
    ("PUK: 4839" + "2017", "4839" + "2017"),
    ("phone unlock code: 258" + "036", "258" + "036"),
    ("card CVV 7" + "39", "7" + "39"),
    ("CVV 7" + "39, valid until 04/29", "7" + "39"),
    ("our alarm code is 44" + "82", "44" + "82"),
    ("The alarm code of the house is 44" + "82", "44" + "82"),
    ("Unser Alarmcode ist 44" + "82", "44" + "82"),
    ("my SSN is 536-22-" + "8145", "536-22"),
    # seed phrases
    (f"my seed phrase: {SEED} and the ledger is in the drawer", "yellow"),
    (f"my seed phrase:\n{NUMBERED}\n", "sausage"),
    (f"Recovery phrase\n{NUMBERED}", "yellow"),
    (f"my seed phrase is {SEED.replace(' ', ', ')}. Keep it.", "yellow"),
    # hyphens
    (f"The wifi password is {PHRASE}", PHRASE),
    (f"The password is {PHRASE} and it works", PHRASE),
    (f"password: {PHRASE}", PHRASE),
    (f"Passwort: {PHRASE}", PHRASE),
    # other words
    (f"user anna, pass {SIGNED}", SIGNED),
    (f"use {SIGNED} as password", SIGNED),
    ('Use "blauer' + 'Elefant77" as the password', "Elefant77"),
    ("my password is Level" + "10", "Level" + "10"),
    ("| user | password |\n|---|---|\n| anna | Zebra" + "77 |\n", "Zebra" + "77"),
    ("the password (hunter" + "42!) is on the note", "hunter" + "42!"),
    (f"Ich habe das Passwort auf {HILLS} geändert", HILLS),
    (f"I changed my password from {SIGNED} to something else", SIGNED),
    (f"my password used to be {SIGNED}", SIGNED),
    (f"Das Sperrkennwort ist {SIGNED}", SIGNED),
    (f"Password\n{WORD}", WORD),
    (f"<b>Password</b>: {SIGNED}", SIGNED),
    (f"<strong>Password:</strong> {SIGNED}<br>", SIGNED),
    (f"<td>Password</td><td>{SIGNED}</td>", SIGNED),
    # commands
    (f"sqlplus scott/{WORD}@orcl", WORD),
    (f"htpasswd -b users anna {WORD}", WORD),
    (f"net use Z: \\\\srv\\x /user:anna {WORD}", WORD),
    (f"wandb login {filler(40, HEX)}", filler(40, HEX)),
    (KEY[:60] + "\n" + KEY[60:], KEY[60:]),
)


@pytest.mark.parametrize(("text", "secret"), TOLD, ids=[text[:40] for text, _ in TOLD])
@pytest.mark.parametrize(("before", "after"), [("", ""), ("Hello Tom.\n", "\nSee you on Monday.")])
def test_what_is_handed_over_is_taken_out(text: str, secret: str, before: str, after: str) -> None:
    redacted = REDACTOR.redact(before + text + after).text
    assert secret not in redacted
    assert redacted.startswith(before) and redacted.endswith(after)


def test_the_words_behind_a_seed_phrase_stay() -> None:
    mark = "[redacted: seed phrase]"
    assert REDACTOR.redact(f"my seed phrase is {SEED}, keep it safe").text == f"my seed phrase is {mark}, keep it safe"
    assert REDACTOR.redact(f"seed phrase: {SEED} and the rest").text == f"seed phrase: {mark} and the rest"


ROWS = [(f"site{number}", f"anna{number}", f"Wint3r{number}!" + "xQ") for number in range(300)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_every_row_of_a_table_of_passwords_is_taken_out(separator: str, quote: str) -> None:
    header = separator.join(f"{quote}{name}{quote}" for name in ("name", "url", "username", "password"))
    rows = [separator.join(f"{quote}{cell}{quote}" for cell in (a, f"https://{a}.org", b, c)) for a, b, c in ROWS]
    redacted = REDACTOR.redact("\n".join(["Here:", header, *rows, "", "That is all."])).text
    assert not [one for _, _, one in ROWS if one in redacted]
    assert "https://site299.org" in redacted and "anna299" in redacted and redacted.endswith("\n\nThat is all.")


def test_a_plain_word_in_a_list_of_accounts_is_a_password() -> None:
    text = "url,username,password\nhttps://a.org,anna,sunshine\nhttps://b.org,tom,\nhttps://c.org,eva,dragon"
    marks = "url,username,password\nhttps://a.org,anna,[redacted: password]\nhttps://b.org,tom,\nhttps://c.org,eva,[redacted: password]"
    assert REDACTOR.redact(text).text == marks


def test_a_column_of_passwords_in_markdown_is_taken_out() -> None:
    rows = "\n".join(f"| {a} | {b} | `{c}` |" for a, b, c in ROWS)
    redacted = REDACTOR.redact(f"| site | user | Password |\n|---|:--|---|\n{rows}\n").text
    assert not [one for _, _, one in ROWS if one in redacted] and "| anna7 |" in redacted


def test_tables_that_begin_alike_are_read_each_by_itself() -> None:
    """Text that comes again is looked at once; what stands further on need not be the same."""
    lines = ["name,url,username,password"] + [f"site{n},https://a.org/{'x' * 90},anna,Wint3r{n}!xQ" for n in range(40)]
    first = "\n".join(lines) + "\n"
    first += "." * (1024 - len(first.encode()) % 1024 - 1) + "\n"
    second = first.replace("site39,", "other39,").replace("Wint3r39!", "Spring39!")
    alone = [REDACTOR.redact(one).text for one in (first, second)]
    assert REDACTOR.redact(first * 4 + second + first * 4).text == alone[0] * 4 + alone[1] + alone[0] * 4


BENIGN = r"""
The batteries cost 7.99€/pack and last 90days.
We drove at 50km/h for 3hours.
My password is 8-characters long
the password is 12+characters
the password is 5-year-old stuff
The PIN is 4-digit
The passcode is 6digits
The wifi password is 90-days old
password is 2x harder to crack now
The password is 10-times reused
My password is 3rd on the list
password is 1-click away
Passwort ist 8-stellig
Das Passwort ist 12-stellig und neu.
Mein Passwort ist 5Jahre alt
Das Kennwort lautet 3-mal gleich
the password was 24/7available
PW: 96940
PW: Palau
"PW": "Palau",
"PW": "+680",
'PW' => 'Pacific/Palau',
PW: USD
"PW": "PLW"
PW: 9 am
{"code": "PW", "name": "Palau", "dial": "+680"}
case PW: return 3
PW: Projektwoche
PW: 12,5 kW
PW: 250.000 km gelaufen
Wi-Fi key: see the sticker on the router
Wi-Fi key: printed below
Wi-Fi key: WPA2/WPA3
WLAN-Schlüssel: steht auf der Rückseite
WLAN-Schlüssel: AES256
Netzwerkschlüssel: bitte bei Anna erfragen
Router key: missing
Network key: ethernet
router keys: 12345678 rows deleted from table
Wi-Fi channel: 11
The network security key mismatch error appears
CVC words: cat, dog, sun
CVC word lists with 300 words
We practised CVC 40 minutes a day.
CVV is printed on the back
The CVV check failed with code 12
Enter the 3-digit CVV
CVC 2024 conference in Berlin was nice
pay by card, exp 04/29
the PUK of that movement
PUK: siehe Brief
Die PKK und PUK
Die PIN meiner Karte ist gesperrt
Die PIN meiner Karte ist 3 Jahre alt
Pin meiner Brosche ist 1920 Jahre alt
door code: ask Anna
The door code changed twice
Alarm code: see folder
error code: 258036
product code: 258036
postal code: 10115
Country code: 0049
promo code: 2580
area code: 4155
the unlock code is new
The safe code of practice is 2019
exit code: 137
status code: 404
Zip code 94110
SSN format is ddd-dd-dddd
The SSN field takes 9 digits
SSN stands for social security number
my phone is 536-22-8145 ext
order 536-22-8145 shipped
ISBN 978-3-16-148410-0 and SSN unknown
SSN: xxx-xx-1234
social security number: not given
Write your seed phrase on paper and keep it in a safe place far away from home
The seed phrase is a list of words that your wallet gives you when you start
Seed phrase: never share it with anyone
A mnemonic is a learning technique that aids recall
mnemonic: my very educated mother just served us nine pizzas
Recovery phrase: twelve words that restore the wallet
seed words: tomato, cucumber, basil, pumpkin, lettuce
Seed words for the spelling test: apple, pear, plum
Backup phrase: write down twelve words which your wallet shows when you first open
backup words\n1. Open settings\n2. Click export
Wallet seed\n1. Open the app\n2. Tap settings\n3. Choose backup\n4. Enter code\n5. Write words\n6. Confirm\n7. Done\n8. Close\n9. Store\n10. Check\n11. Tell nobody\n12. Sleep
secret words: we played a game with tiger, candle and river
The password is case-sensitive
The password is not-so-secret
password: up-to-date
password: see-the-docs
password: minimum-eight-characters
password: must-be-changed
password: two-factor-only
password: user-defined-value
password: multi-factor-authentication required
password: grafana-admin-credentials
password: postgres-admin-login
password: my-db-password
password: keycloak-default-user
The password is easy-to-remember
Passwort: bitte-neu-setzen
the passphrase is four random words
A good passphrase: four random words.
A strong passphrase: several unrelated common words.
passphrase: six dice words
the password policy is company-wide
the password is hard-coded
password: plain-text-only
use bcrypt as password hash
use argon2id as the password hasher
Use SHA-256 as password digest.
use your email as password
Use the same word as password for all? No.
Don't use 123 as password
use pg14 as the password store
Use it as the password.
use field2 as password input
They used names as passwords.
Nimm deinen Namen als Passwort
used as password
use $DB_PASS as password
use {{password}} as password
with user1 as password holder
user input, pass rate 90%
user anna, pass the salt please
user tests, pass 12 of 14
user stories and pass criteria
user anna / password reset
User anna and pass through the gate
users: 12, pass: 10
Login failed, pass count 3
User guide, password chapter
the password (optional)
the password (min8)
password (8-16 characters)
password (SHA256)
password (step2)
the password (see note3)
Passwort (WPA2)
Passwort (siehe Anhang2)
password (user@example.org)
a password (C++17) library
the password (bcrypt$2b) hash
Das Passwort auf Standard zurückgesetzt
Ich habe das Passwort auf Zettel geschrieben
das Passwort wurde auf 8 Zeichen gesetzt
Das Passwort auf Deutsch gesetzt
Password\nForgot your password?
Password\nRemember me
Password\nSign in
Password\n--------
Password\n========
Password\nRequired
Passwort\nAnmelden
Password\nMinimum 8 characters
# Password\nThe password is hashed.
Password\nConfirm
Password\n12
<b>Password</b>: required
<b>Password</b>: at least 8 characters
<td>Password</td><td>required</td>
<th>Password</th><th>Created</th>
<td>password</td><td>string</td><td>yes</td>
<label>Password</label><input type="password">
<strong>Password:</strong> optional
<li>Password</li><li>Token</li>
<dt>password</dt><dd>the password of the user</dd>
<code>password</code>: the user's password
<b>Token</b>: v1.2.3
name,type,password\nfield,string,required
user,password,role\nadmin,,owner
name,age,city\nAnna,31,Ulm
Enter your name, password\nand then, press Enter
username, password and email are required\nfirst, second
| field | password |\n|---|---|\n| type | string |
| method | password | token |\n|---|---|---|\n| SSH | yes | no |\n| LDAP | optional | n/a |
| Option | Password |\n|---|---|\n| length | 12 |\n| expires | 90days |
| Setting | Password |\n|---|---|\n| hash | bcrypt |\n| rounds | 12 |
password,count\nold,12\nnew,30
sqlplus / as sysdba
sqlplus /nolog
sqlplus is at /usr/lib/oracle/client64/bin
htpasswd -c /etc/nginx/.htpasswd anna
htpasswd -b file user $PASSWORD
net use Z: /delete
net use Z: \\srv\share /user:anna *
net use * \\srv\share /persistent:yes
the net use of water is 30 litres
wandb login --relogin
wandb login and then run
wandb login $KEY
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-Ab12Cd
"SecretArn": "arn:aws:secretsmanager:us-east-1:111122223333:secret:MySecret-a1b2c3"
password: str = None
password: Optional[str] = None
token: string = ""
let token: String =
private password: string = ''
def f(password: str="", n=1):
key: Base64 = decode(x)
token: Final =
secret: Annotated[str, Field()] =
password: bytes = b""
hash: YWJj=
checksum: sha256=
etag: W/"abc="
a: b=
Bake at 180°C for 25min.
500g flour, 2tsp salt, 1.5l water
Run 5x5 squats at 80kg
M8x40mm bolts, 12pcs
1080p60fps video
2.4GHz and 5GHz bands
USB3.2gen2 cable
Windows11Pro licence
iPhone15ProMax case
Berlin, 12.03.2024, 14:30Uhr
Rechnung 2024-0815, 1.299,00€
Am 3.Oktober ist Feiertag
Die Karte gilt bis 04/29
Der Code 4711 ist ein Parfüm
Der Schlüssel liegt unter der Matte
PIN-Code eingeben
Der Türcode steht im Kalender
Meine Sozialversicherungsnummer suche ich noch
Passwort: steht im Tresor
Passwort: siehe Zettel
Passwort: wie immer
Das Passwort lautet wie der Hund
Login mit Benutzer und Passwort
Benutzer: anna und Passwort vergessen
Benutzer anna, Passwort fehlt
WLAN: FritzBox7590
SSID: FRITZ!Box 7590 XY
[2024-01-01 10:00:00] INFO password changed for user anna
2024-01-01T10:00:00Z WARN pass 3 of 5 failed in 12ms
GET /password/reset 200 12ms
auth: user anna, method password
sshd[123]: Failed password for root from 10.0.0.1 port 22 ssh2
Failed password for invalid user admin1 from 10.0.0.1
INFO login user=anna pass=3 fail=0
Boiler alarm code: 4012 means the fan is stuck
Boiler alarm code: 4012
Der Alarmcode ist 5012, laut Handbuch Überlast
Unlock code is 1000 points in the game
Our alarm code: 4012 = low battery
The ward is CVC 204.
The CVC course: CVC 101, then CVC 102.
visa appointment CVC 305
login screen / pass Level10 first
Passwort von Windows11 auf Windows10 zurück
das Passwort wurde auf iOS18.2 zurückgesetzt
password: first-name-surname
Das Passwort ist streng-geheim-geblieben.
| Feature | Password |\n|---|---|\n| unlock | Pixel8Pro |
""".strip().split("\n")


@pytest.mark.parametrize("line", BENIGN)
def test_an_ordinary_line_stays(line: str) -> None:
    text = line.replace("\\n", "\n")
    for whole in (text, f"Hello.\n{text}\nBye."):
        assert REDACTOR.redact(whole).text == whole


PIECES = (
    "PUK: ", "CVV 7", "door code of the ", "SSN 5", "Wi-Fi key", "WLAN-Schlüssel (a) ", "seed phrase: apple ", "seed phrase\n1. a ", "mnemonic\n",
    "use x as the password ", "user a, pass ", "password (a", "das Passwort a auf ", "Passwort von ", "Password\n", "a,password\n", "password,password,",
    "password\t", "|password", '"password",', "| password |\n|---|---|\n", "<td>Password</td><td>", "<b>Password:</b> ", "password is 7a-", "password: abc-def-",
    "password: aaa =", "PW: a1!", "arn:aws:secretsmanager:secret:", "sqlplus a/", "htpasswd -b a ", "net use \\\\a ", "sk-ant-a\n", "wpa_passphrase ", "Sperrkennwort ist ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_full_of_beginnings_takes_time_in_step_with_its_size(piece: str) -> None:
    def of(size: int) -> str:
        return (piece * (size // len(piece) + 1))[:size]

    assert not REDACTOR.redact(of(80_000)).failed
    assert growth(REDACTOR.redact, of, 20_000) < LINEAR
