"""Credentials on command lines, in calls and in files that have no name for them: `curl -u bob:…`, `auth=("bob", "…")`, a line of `.pgpass`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pmg.base.patterns import AnyMatch
from pmg.ingest.redact.accept import is_unit
from pmg.ingest.redact.anchored import anywhere, at_literals, at_word, in_bytes
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_named_stand_in, is_place, is_placeholder, looks_random, shape_of


def _argument(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore")
    return () if is_placeholder(text) or len(text) < 3 else ((start, end),)


def _either_argument(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1) if match.start(1) >= 0 else match.span(2)
    text = data[start:end].decode("utf-8", "ignore")
    return () if is_placeholder(text) or is_named_stand_in(text.lower()) else ((start, end),)


def _key(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore")
    return ((start, end),) if looks_random(text, 12) and not is_placeholder(text) else ()


def _pair(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore").rstrip(".,;)")
    odd = shape_of(text).is_mixed and not is_unit(text) and not is_placeholder(text) and not is_place(text)
    return ((start, start + len(text.encode())),) if odd else ()


_MYSQL = rb"(?i)(?:mysql|mysqldump|mysqladmin|mariadb|mycli)\b[^\r\n|;&]{0,200}?[ \t]-p([^\s\"'`$<-][^\s\"'`]{2,})"
_TOOL = (
    rb"(?i)(?:sshpass -p|redis-cli[^\r\n|;&]{0,80}? -a|docker login[^\r\n|;&]{0,120}? -p|pass(?:in|out) pass:|smbclient[^\r\n]{0,80}%|"
    rb"ldap\w+[^\r\n|;&]{0,160}? -w|sqlcmd[^\r\n|;&]{0,120}? -P|7z\b[^\r\n|;&]{0,80}? -p|(?:zip|unzip)\b[^\r\n|;&]{0,80}? (?-i:-P)|"
    rb"(?:psexec|wmiexec|smbexec|net use)[^\r\n|;&]{0,120}? -p|(?:masterauth|requirepass)(?=[ \t])|wpa_passphrase[ \t]{1,3}[\"']?[^\s\"']{1,32}[\"']?(?=[ \t])|"
    rb"(?:mongo(?:sh|dump|restore|export|import)?|az login)(?=[ \t])[^\r\n|;&]{0,160}? -p(?=[ \t])(?![ \t]{1,3}[\"']?[\d.:]+(?![\w!#%&*?@^~+-]))|(?:mosquitto_\w{3}|ipmitool)\b[^\r\n|;&]{0,120}? (?-i:-P)(?=[ \t])|"
    rb"convertto-securestring[^\r\n|;&\"']{0,40}?(?=[ \t][\"'])|(?:xfreerdp|wfreerdp|mstsc)\b[^\r\n|;&]{0,120}? /p:|lftp\b[^\r\n|;&]{0,60}? -u [\w.@-]{1,40},)[ \t]{0,3}[\"']?([^\s\"'`$<|;&][^\s\"'`$<|]{2,})"
)
_ORACLE = rb"(?i)(?:sqlplus|expdp|impdp|sqlldr)\b[^\r\n|;&/]{0,60}?[ \t\"'][A-Za-z]\w{0,29}/([^\s@/\"'`$<]{3,64})(?:@|[ \t\"'\r\n]|\Z)"
# With -b the password stands behind the file and the user, with -n behind the user alone.
_HTPASSWD = (
    rb"(?i)htpasswd(?=(?:[ \t]{1,3}-\w{1,6}){0,3}?[ \t]{1,3}-\w{0,5}b)(?:(?:[ \t]{1,3}-[a-mo-z]{1,6}){1,4}+[ \t]{1,3}[^\s-]\S{0,120}|(?:[ \t]{1,3}-\w{1,6}){1,4}+)"
    rb"[ \t]{1,3}[^\s-]\S{0,60}[ \t]{1,3}([^\s\"'`$<|;&-][^\s\"'`$<|;&]{2,63})(?=[ \t]*(?:[\r\n|;&`]|\Z))"
)
# The password stands before or behind the user; a star asks for it.
_NET_USE = rb"(?i)net[ \t]use[ \t][^\r\n|;&]{0,120}?(?:[ \t]/user:\S{1,64}[ \t]{1,3}([^\s/*\"'$<%][^\s\"'$<%]{2,63})|\\\\\S{1,120}[ \t]{1,3}([^\s/*\"'$<%][^\s\"'$<%]{2,63})[ \t]{1,3}/user:)"
_FETCH = (
    rb"(?i)(?:curl|wget|http|https|httpie)\b[^\r\n|;]{0,300}?[ \t](?:-u|--user|-a|--auth|-U|--proxy-user)[ =]{1,2}"
    rb"[\"']?[^\s:\"'$<]{0,80}[\"']?:[\"']?([^\s\"'`$<]{2,})"
)
# `curl -u "…:"`: the key is the user, and there is no password.
_FETCH_KEY = rb"(?i)(?:curl|wget|http|https|httpie)\b[^\r\n|;]{0,300}?[ \t](?:-u|--user|-a|--auth)[ =]{0,2}[\"']?([\w.-]{12,128}):[\"']?(?=[\s\\]|\Z)"
_CALL = (
    rb"(?i)(?:(?:auth|credentials)\s{0,3}=\s{0,3}|(?<=Network)Credential|(?<=Password)Credentials?|(?<=Basic)Auth|(?<=basic_)auth|"
    rb"(?<=\.)(?:login|authenticate|sign_?in))\(?\s{0,3}\(?\s{0,3}"
    rb"[\"'][^\"'/\r\n]{1,80}[\"']\s{0,3},\s{0,3}[\"']([^\"'\r\n$<{]{3,200})[\"']"
)
_LOGIN = in_bytes(
    r"(?i)(?:credentials|creds|login|log-?in|zugangsdaten|identifiants|credenciales|credenziali|(?:/ ?|and )pass(?:word)?)"
    r"(?: (?:for|to|für|zum|zur|vom|von|bei|de|del|du|des|para|pour|per|di)(?: [^\s.,;:!?/]{1,40}){1,4}?)?\s{0,3}(?:are|is|:|=)\s{0,3}[\"'`]?[\w.@+-]{2,60}"
    r"[ \t]{0,2}(?:/|:)[ \t]{0,2}([^\s\"'`<$/]{4,80})"
)
# A line of PostgreSQL's password file: `host:port:database:user:password`
_PGPASS = (
    r"(?:^|\n)[ \t]{0,8}[\w.*\[\]-]{1,80}:(?:5432|\*):[\w.*-]{1,63}:[\w.*@-]{1,63}:([^\s:]{3,100})[ \t]{0,4}(?:\r?\n|$)"
)
# `echo … | sudo -S`: what is handed to a program that asks for a password.
_PIPED = (
    rb"(?i)echo[ \t]{1,3}(?:-[neE]{1,2}[ \t]{1,3})?[\"']?(?:[A-Za-z_][\w.-]{0,31}:(?=[^\r\n|]{3,80}chpasswd))?([^\s\"'`$<|][^\s\"'`$<|]{2,79})[\"']?[ \t]{0,3}\|[ \t]{0,3}"
    rb"(?:sudo[ \t]{1,3}(?:-\w[ \t]{1,3}){0,3}-S\b|(?:sudo[ \t]{1,3})?(?:chpasswd|passwd[ \t]{1,3}--stdin|cryptsetup|docker[ \t]login|gpg\b[^\r\n]{0,60}--passphrase-fd))"
)
_USER = re.compile(rb"(?i)\buser(?:name)? ?\Z")


def _at_login(data: bytes, begin: int) -> bool:
    """A word of its own; `/pass` and `and pass` behind `user`."""
    if data[begin] in b"/aA":
        return _USER.search(data, max(0, begin - 12), begin) is not None
    return at_word(data, begin) and data[begin - 1 : begin] != b"/"  # not that of an address


COMMAND_RULES: tuple[Rule, ...] = (
    Rule("password", "", (("mysql -u root -p", "hunter22 app"),),
         (("mysql -u root -p app",), ("mysql -u root -p$PASS",)), ("mysql", "mariadb", "mycli"), find=at_literals("password", _MYSQL, _argument)),
    Rule("password", "", (("sshpass -p ", "hunter22 ssh host"), ("mongosh -u root -p ", "hunter22 --quiet"), ("ConvertTo-SecureString '", "hunter22' -AsPlainText"), ("redis-cli -a ", "hunter22"), ("wpa_passphrase Sonne ", "hunter22")),
         (("sshpass -p $PASS ssh host",), ("use Auth\\RequirePassword;",), ("docker run --name mongo -p 27017:27017 -d mongo",), ("docker run -d --name mongo -p 127.0.0.1:27017:27017 mongo:7",), ("$zip_file = Join-Path -Path $folder",)), ("sshpass", "redis-cli", "docker login", "passin pass:", "passout pass:", "smbclient", "ldap", "sqlcmd", "psexec", "wmiexec", "smbexec", "net use", "zip", "unzip", "7z", "masterauth", "requirepass", "wpa_passphrase",
          "mongo", "az login", "mosquitto_", "ipmitool", "convertto-securestring", "xfreerdp", "wfreerdp", "lftp"),
         find=at_literals("password", _TOOL, _argument)),
    Rule("password", "", (("echo ", "hunter22 | sudo -S apt update"), ("echo 'anna:", "hunter22' | sudo chpasswd"), ('echo "', 'hunter22" | docker login --password-stdin')),
         (("echo $PASS | sudo -S apt update",), ("echo hello | tee log",), ("echo done | passwd_check",)), ("echo",), find=at_literals("password", _PIPED, _argument), follow=b" \t"),
    Rule("password", "", (("sqlplus scott/", "T1ger22@orcl"),), (("sqlplus / as sysdba",), ("sqlplus user/password@db",), ("sqlplus /nolog",), ("run sqlplus from /opt/oracle/bin",)), ("sqlplus", "expdp", "impdp", "sqlldr"),
         find=at_literals("password", _ORACLE, _argument)),
    Rule("password", "", (("htpasswd -b users anna ", "hunter22"), ("htpasswd -nbB anna ", "hunter22")), (("htpasswd -c users anna",), ("htpasswd -b users anna $PASS",), ("the htpasswd -b option",)), ("htpasswd",),
         find=at_literals("password", _HTPASSWD, _argument)),
    Rule("password", "", (("net use Z: \\\\srv\\x /user:anna ", "hunter22"), ("net use \\\\srv\\x ", "hunter22 /user:anna")), (("net use Z: \\\\srv\\x /user:anna *",), ("net use Z: /delete",), ("net use Z: \\\\srv\\x /user:anna /persistent:yes",)), ("net use",),
         find=at_literals("password", _NET_USE, _either_argument)),
    Rule("password", r"(?i)\b(?:(?:create|alter)[ \t]{1,4}user|grant)\b[^\r\n;]{0,120}?\bidentified (?:with \w{1,40} )?by[ \t]{1,3}[\"']?([^\s\"'`$<]{3,})", (("create user bob identified by '", "hunter22'"),),
         (("The suspect was identified by witnesses",), ("the federated user identified by {@code userId}",)), ("identified by", "identified with"), _argument),
    Rule("password", _PGPASS, (("db.example.org:5432:shop:bob:", "hunter22"), ("*:*:*:bob:", "hunter22")),
         (("hostname:port:database:username:password",), ("localhost:5432:database:root:password",), ("see db.example.org:5432:shop:bob:hunter22 there",)),
         (":5432:", ":*:"), _argument),
    Rule("password", "", (("curl -u bob:", "hunter22 https://x.org"), ("curl --user bob:'", "hunter22' https://x.org"), ('curl -u ":', 'hunter22" https://x.org')),
         (("curl -u user:password https://x.org",), ("curl --user 'user':'password' https://x.org",)), ("curl", "wget", "http -", "https -", "httpie"), find=at_literals("password", _FETCH, _argument)),
    Rule("secret", "", (('curl -u "{alnum 16}:" https://x.org',), ("curl https://x.org -u sk_{alnum 24}:",)), (("curl -u my-user-name: https://x.org",), ("curl -u $API_KEY_VALUE: https://x.org",)),
         ("curl", "wget", "http -", "https -", "httpie"), find=at_literals("secret", _FETCH_KEY, _key)),
    Rule("password", "",
         (("requests.get(u, auth=('bob', '", "hunter22'))"), ('new NetworkCredential("bob", "', 'hunter22")')), (("auth=('user', 'password')",), ("c.login('/path/to/login', 'somebody1', 'password')",)), ("auth", "credential", "login", "sign_in", "signin"), find=at_literals("password", _CALL, _argument, left=anywhere), follow=b" \t=(eEsS"),
    Rule("password", "",
         (("login: bob / ", "hunter22"), ("Zugangsdaten für den Server: root / ", "Xy7!kq2P")), (("login: https://example.org",), ("login: 10:30 today",)), ("credentials", "creds", "login", "log-in", "zugangsdaten", "identifiants", "credenciales", "credenziali", "/password", "/ password", "and password", "/pass", "/ pass", "and pass"),
         find=at_literals("password", _LOGIN, _pair, left=_at_login), follow=b" \t\r\n:="),
)  # fmt: skip
