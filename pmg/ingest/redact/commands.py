"""Credentials on command lines and in calls that have no name for them: `curl -u bob:…`, `auth=("bob", "…")`."""

from __future__ import annotations

from collections.abc import Sequence

from pmg.ingest.redact.accept import is_unit
from pmg.ingest.redact.linear import AnyMatch
from pmg.ingest.redact.rule import Rule, Span
from pmg.ingest.redact.values import is_place, is_placeholder, shape_of


def _argument(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore")
    return () if is_placeholder(text) or len(text) < 3 else ((start, end),)


def _pair(data: bytes, match: AnyMatch) -> Sequence[Span]:
    start, end = match.span(1)
    text = data[start:end].decode("utf-8", "ignore").rstrip(".,;)")
    odd = shape_of(text).is_mixed and not is_unit(text) and not is_placeholder(text) and not is_place(text)
    return ((start, start + len(text.encode())),) if odd else ()


COMMAND_RULES: tuple[Rule, ...] = (
    Rule("password", r"(?i)\b(?:mysql|mysqldump|mysqladmin|mariadb|mycli)\b[^\r\n|;&]{0,200}?[ \t]-p([^\s\"'`$<-][^\s\"'`]{2,})", (("mysql -u root -p", "hunter22 app"),),
         (("mysql -u root -p app",), ("mysql -u root -p$PASS",)), ("mysql", "mariadb", "mycli"), _argument),
    Rule("password", r"(?i)\b(?:sshpass -p|redis-cli[^\r\n|;&]{0,80}? -a|docker login[^\r\n|;&]{0,120}? -p|pass(?:in|out) pass:|smbclient[^\r\n]{0,80}%|ldap\w+[^\r\n|;&]{0,160}? -w|sqlcmd[^\r\n|;&]{0,120}? -P|"
         r"(?:zip|7z|unzip)[^\r\n|;&]{0,80}? -p|(?:psexec|wmiexec|smbexec|net use)[^\r\n|;&]{0,120}? -p|masterauth|requirepass)[ \t]{0,3}[\"']?([^\s\"'`$<]{3,})", (("sshpass -p ", "hunter22 ssh host"), ("redis-cli -a ", "hunter22")),
         (("sshpass -p $PASS ssh host",),), ("sshpass", "redis-cli", "docker login", "pass:", "smbclient", "ldap", "sqlcmd", "psexec", "wmiexec", "smbexec", "zip", "7z", "masterauth", "requirepass"), _argument),
    Rule("password", r"(?i)\b(?:user|alter|grant)\b[^\r\n;]{0,120}?\bidentified (?:with \w{1,40} )?by[ \t]{1,3}[\"']?([^\s\"'`$<]{3,})", (("create user bob identified by '", "hunter22'"),),
         (("The suspect was identified by witnesses",),), ("identified by", "identified with"), _argument),
    Rule("password", r"(?i)\b(?:curl|wget|http|https|httpie)\b[^\r\n|;]{0,300}?[ \t](?:-u|--user|-a|--auth|-U|--proxy-user)[ =]{1,2}[\"']?[^\s:\"'$<]{1,80}:([^\s\"'`$<]{2,})", (("curl -u bob:", "hunter22 https://x.org"),),
         (("curl -u user:password https://x.org",),), ("curl", "wget", "http -", "https -", "httpie"), _argument),
    Rule("password", r"(?i)(?:auth\s{0,3}=\s{0,3}|NetworkCredential|PasswordCredential|UsernamePasswordCredentials|BasicAuth|basic_auth|\.(?:login|authenticate|sign_?in)|HTTPBasicAuth|credentials\s{0,3}=\s{0,3})\(?\s{0,3}\(?\s{0,3}[\"'][^\"'/\r\n]{1,80}[\"']\s{0,3},\s{0,3}[\"']([^\"'\r\n$<{]{3,200})[\"']",
         (("requests.get(u, auth=('bob', '", "hunter22'))"), ('new NetworkCredential("bob", "', 'hunter22")')), (("auth=('user', 'password')",), ("c.login('/path/to/login', 'somebody1', 'password')",)), ("auth", "credential", "login", "sign_in", "signin"), _argument),
    Rule("password", r"(?i)\b(?:credentials|creds|login|log-?in|zugangsdaten|user(?:name)?(?: ?/ ?| and )pass(?:word)?)\s{0,3}(?:are|is|:|=)\s{0,3}[\"'`]?[\w.@+-]{2,60}[ \t]{0,2}(?:/|:)[ \t]{0,2}([^\s\"'`<$/]{4,80})",
         (("login: bob / ", "hunter22"),), (("login: https://example.org",), ("login: 10:30 today",)), ("credentials", "creds", "login", "log-in", "zugangsdaten", "/pass", "/ pass", "and pass"), _pair),
)  # fmt: skip
