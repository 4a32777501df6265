"""What first users told and found kept, or lost without need: sentences that go on, no-break spaces, passwords of any sign, codes as devices
show them, and what is called a pass, a PIN or a key without being one. Values are put together at run time."""

from __future__ import annotations

import base64
import random
import string

import pytest

from pmg.ingest.redact import Redactor
from pmg.ingest.redact.rule import filler
from pmg.store.seal import SecretBox

REDACTOR = Redactor()
WORD, OTHER, SIGNS, PIN, NEXT = "Otter" + "55x", "Lake" + "66y", "Otter!" + "55x", "77" + "31", "90" + "42"
PUK, KEY, IBAN = "7731" + "8842", "9f8e7d6c5b4a3928" + "1706f5e4d3c2b1a0", "DE8937040044" + "0532013000"
GROUPED = "DE89 3704 0044 " + "0532 0130 00"
CODE, GROUPS = "Q7KX-99PL-" + "2MZB-TT41", "kq7a 3bzd " + "x2pl mm5t"

GOES_ON = (
    (f"The router password is {WORD} and it is on the back.", WORD),
    (f"my laptop password is {SIGNS} to get in", SIGNS),
    (f"The Netflix password is {WORD} or {OTHER}, try both", OTHER),
    (f"Mein Passwort ist {WORD} oder {OTHER}", OTHER),
    (f"Our gate code is {PIN} and the dog is friendly.", PIN),
    (f"My bank PIN is {PIN} and the card is in the drawer.", PIN),
    (f"My PIN is {PIN} and 6 people know it", PIN),
    (f"My SIM PIN is {PIN} or {NEXT}", NEXT),
    (f"CVV: {PIN[:3]} and exp 04/28", PIN[:3]),
    (f"Please send the money to {IBAN} by Friday", IBAN),
    (f"Überweise es auf {GROUPED} bis Freitag", GROUPED),
    (f"{GROUPED} Danke", GROUPED),
)

IN_OTHER_WORDS = (
    (f"{SIGNS} is my password", SIGNS),
    (f"{WORD} is the wifi password", WORD),
    (f"{SIGNS} ist unser Passwort.", SIGNS),
    (f"My passwords are {SIGNS}, {WORD} and {OTHER}", OTHER),
    (f"The old password was {WORD}, now it is {OTHER}", OTHER),
    (f"my pass is {WORD}", WORD),
    (f"Password:\n{SIGNS}\n", SIGNS),
    (f"**Passwort:**\n{SIGNS}", SIGNS),
    (f"PIN {PIN}", PIN),
    (f"my voicemail pin {PIN}", PIN),
    (f"PIN der Karte: {PIN}", PIN),
    (f"PUK {PUK}", PUK),
    (f"front door code {PIN}", PIN),
    (f"my iPad code is {PIN}88", f"{PIN}88"),
    (f"the code for the garage is {PIN}", PIN),
    (f"Der Code für die Haustür lautet {PIN}", PIN),
    (f"Mastercard 04/29, security code {PIN[:3]}", PIN[:3]),
    (f"Der WLAN-Schlüssel lautet 4930 1812 8743 {PIN} {NEXT}", f"{PIN} {NEXT}"),
    (
        "the 24 words of my Trezor: "
        + "apple river stone cloud maple tiger ocean candle violin rocket meadow lantern "
        + "amber basket copper dragon eagle forest garden hammer island jungle kettle ladder",
        "kettle",
    ),
    ("National Insurance number is AB 12 34 " + "56 C", "56 C"),
    ("Meine Rentenversicherungsnummer lautet 12 150780 " + "M 004", "M 004"),
    ("Kontonummer 5320" + "13000, BLZ 37040044", "13000"),
)

AS_SHOWN = (
    (f"Visa card, security code: {PIN[:3]}, valid until 04/29", PIN[:3]),
    (f"my tablet code is {PIN}", PIN),
    (f"The new code for the garage is {PIN}", PIN),
    (
        f"My 12 words for the wallet: {'apple river stone cloud maple tiger ocean candle violin rocket meadow'} {'lantern'}",
        "lantern",
    ),
    (f"WIFI:S:Otter Net;T:WPA2;P:{WORD};H:true;;", WORD),
    (f"    Key Content            : {WORD}\n", WORD),
    (f"    Schlüsselinhalt        : {SIGNS}", SIGNS),
    (f"Recovery key: {CODE}", CODE),
    (f"My backup code for Google is {PIN} {NEXT}", f"{PIN} {NEXT}"),
    (f"Backup codes:\n1. {PIN} {NEXT}\n2. {NEXT} {PIN}\n", f"{NEXT} {PIN}"),
    (f"GitHub recovery codes:\n\na551f-{'e71c3'}\nbaf88-{'09174'}\n", "09174"),
    ("BitLocker: " + "-".join(["112233", "445566"] * 4), "445566"),
    (f"Can't scan? Your key: {GROUPS}", GROUPS),
    ("Gmail app password is zqpl mtrx " + "wbno ktas", "wbno ktas"),
    (f"mongodump -u root -p {SIGNS} --out d", SIGNS),
    (f"az login -u me@example.org -p {SIGNS}", SIGNS),
    (f"echo '{SIGNS}' | sudo -S ls", SIGNS),
    (f"kubectl create secret generic a --from-literal=db-password='{SIGNS}'", SIGNS),
    (f'$p = ConvertTo-SecureString "{SIGNS}" -AsPlainText -Force', SIGNS),
    (f"name,login_username,login_password,login_totp\nx,anna,{SIGNS},{'JBSWY3DPEHPK' + '3PXP'}\n", "JBSWY3DPEHPK"),
)

ORDINARY = """
I have my boarding pass: LH2038, seat 14C.
Season pass: 2024/25
Monthly pass: zone2
Low pass: 120Hz, high pass: 8kHz
high-pass: 80Hz/24dB
LLVM pass: mem2reg
First pass: R1-R24, second pass: R25-R48
Tests: pass: 1204, fail: 0
{"pass": 1204, "fail": 3}
:root { --pass: #2e7d32; }
my pass is LH2038
my pass is valid until 31.12.2026
PIN code: 560001, Bangalore
My PIN code is 600042 in Chennai
CVC: 2018 report
PIN 2026 congress
pin 1024 of the connector
PIN: 1000 to 9999
The password is 2048 or 4096 bits long
The pin was 2000 and more dollars
The public key is 04a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f
Public key token: b77a5c561934e089
According to NordPass, the most common password is 123456.
La senha da fila: A045
The building code is 2018
the code for the door sensor is in main.py
The area code for the city is 4150
the iPhone code base is 4829 lines
The security code 404 was returned by the server
Backup codes are stored in the safe
backup key 2024-10-01 rotated
The recovery code path handles E10023
key: blue bird song tree
my app password is very long they said
Key Content : Absent
WIFI:T:nopass;S:Cafe;;
My account number at the gym is 12345678
Kundenkontonummer: 123456789
My bank account has 250000 in it
National Insurance contributions rose by 12 percent in 2024
echo hello | sudo tee file
Windows11 is the password manager I use
Bitwarden is my password manager
Passwords are hashed with SHA256 and salted.
The password policy changed and now it is v2.1
I forgot the password for my iPhone15!
password: {type: String, required: true}
password: [A-Za-z0-9]{8,}
password: e.A1(t)
>>> key = G.add_edge(1, 2)
password: $Password01
$password = $Input22;
password: *Default99
Replace dowel PIN 5512 with a new one.
PIN 4017 of the connector goes to ground.
PIN of the microcontroller: 1024
The paint code for the gate is 6005
The country code for the phone is 0049
the code of the safe is 3000 lines long
The pill says tablet code 5421
Die TÜV-Prüfnummer 455 vom 03/21
Meine KFZ-Versicherungsnummer 12 345678 K 001
I have account number 1000001 at the blood bank
my bank account was 2000000 at the time
Learn these twelve words for Friday: cat dog bird fish horse mouse sheep goat cow pig duck hen
docker run --name mongo -p 27017:27017 -d mongo
backup codes base64url encoded
backup key: user-profile-2024
Ersatzschlüssel 12345678
Answer key: abcd dcba abcd bcda 2222
app password auth flow uses http
The password screen was red, now it's #ff0000
Token: Dict[str,T1]?
""".strip().split("\n")


@pytest.mark.parametrize(("text", "secret"), (*GOES_ON, *IN_OTHER_WORDS, *AS_SHOWN))
def test_what_is_told_or_shown_is_taken_out(text: str, secret: str) -> None:
    assert secret not in REDACTOR.redact(text).text


@pytest.mark.parametrize("line", ORDINARY)
def test_what_only_sounds_like_it_stays(line: str) -> None:
    assert REDACTOR.redact(line).text == line


@pytest.mark.parametrize("space", "\u00a0\u2009\u202f\u3000")
@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"password:_{SIGNS}", SIGNS),
        (f"my_password is_{WORD}", WORD),
        (f"PIN:_{PIN}", PIN),
        (f"API key:_{KEY}", KEY),
        (f"mot de passe_: {SIGNS}", SIGNS),
        (f"Mot de passe de la box_: {SIGNS}", SIGNS),
    ],
)
def test_no_space_hides_a_secret_and_all_of_them_stay(text: str, secret: str, space: str) -> None:
    again = "e" if secret == PIN else secret  # four digits go only where they are a PIN
    around = f"a{space}b " + text.replace("_", space) + f" c{space}{again}{space}d"
    found = REDACTOR.redact(around)
    assert secret not in found.text
    assert found.text.count(space) == around.count(space)
    assert found.text.startswith(f"a{space}b ") and found.text.endswith(f"{space}d")


def test_what_is_sealed_behind_such_a_space_is_the_secret_and_has_its_place() -> None:
    box = SecretBox.with_ephemeral_key()
    found = REDACTOR.sealing(box).redact(f"ä\u00a0b\u202fc password:\u00a0{SIGNS}\u00a0end")
    (sealed,) = found.sealed
    assert box.open(sealed.box, sealed.kind).decode() == SIGNS
    assert found.text[sealed.place :].startswith("[redacted: password]")


@pytest.mark.parametrize(
    "text", ["my password is {}", "password: {}", "DB_PASSWORD={}\n", "The wifi password is {} and it works"]
)
def test_passwords_over_the_whole_keyboard_are_taken_out(text: str) -> None:
    """Generated ones; the few that read like code or words are left."""
    chance = random.Random(9)
    signs = string.ascii_letters + string.digits + string.punctuation
    made = ["".join(chance.choices(signs, k=16)) for _ in range(300)]
    full = [one for one in made if all(any(map(is_kind, one)) for is_kind in (str.isdigit, str.isupper, str.islower))]
    kept = [one for one in full if one in REDACTOR.redact(text.format(one)).text]
    assert len(full) > 200
    assert len(kept) < len(full) * 0.14, kept[:5]


@pytest.mark.parametrize("value", ["$Meadow" + "47", "&Otter" + "1955"])
def test_a_sign_before_a_word_and_a_number_makes_no_variable_of_it(value: str) -> None:
    assert value not in REDACTOR.redact(f"password: {value}").text


def test_a_private_key_once_more_in_base64_is_taken_out_and_a_certificate_stays() -> None:
    body = "\n".join(filler(64, seed=seed) for seed in range(40))
    key, certificate = ("-----BEGIN RSA " + "PRIVATE KEY-----\n" + body, "-----BEGIN CERTIFICATE-----\n" + body)
    written = [base64.b64encode(block.encode()).decode() for block in (key, certificate)]
    text = f"{'talk ' * 900}\nclient-key-data: {written[0]}\ncertificate-authority-data: {written[1]}\n"
    cleaned = REDACTOR.redact(text).text
    assert written[0][-60:] not in cleaned and written[1] in cleaned


def test_a_static_key_of_openvpn_is_taken_out() -> None:
    lines = "\n".join(filler(32, "0123456789abcdef", seed) for seed in range(16))
    text = (
        f"<tls-auth>\n-----BEGIN OpenVPN Static key V1-----\n{lines}\n-----END OpenVPN Static key V1-----\n</tls-auth>"
    )
    assert REDACTOR.redact(text).text == "<tls-auth>\n[redacted: private key]\n</tls-auth>"
