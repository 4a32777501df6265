"""Hashes of passwords: what shadow, htpasswd and user tables hold. See row.py for the rows."""

from __future__ import annotations

from pmg.ingest.redact.tokens.row import TokenRow, token

# fmt: off
HASH_TOKENS: tuple[TokenRow, ...] = (
    token("password hash", r"(\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53})", "$2a$ $2b$ $2x$ $2y$ $2$", "$2b$12${alnum 53}", not_found=("$2b$12$ is how a bcrypt hash begins",)),
    token("password hash", r"(\$(?:1|5|6|7|8|9|y|gy|md5|sha1|apr1)\$[^\s:\"'$,;]{0,48}\$(?:[^\s:\"'$,;]{1,60}\$)?[./A-Za-z0-9]{20,100})", "$1$ $5$ $6$ $7$ $8$ $9$ $y$ $gy$ $md5$ $sha1$ $apr1$",
          "root:$6${alnum 12}${alnum 86}:18000:0:99999:7:::", "bob:$apr1${alnum 8}${alnum 22}", "$y$j9T${alnum 22}${alnum 43}"),
    token("password hash", r"(\$argon2(?:id?|d)\$(?:v=\d+\$)?[mtp=,\d]{3,40}\$[A-Za-z0-9+/=]{8,}\$[A-Za-z0-9+/=]{16,})", "$argon2", "$argon2id$v=19$m=65536,t=3,p=4${alnum 22}${alnum 43}"),
    token("password hash", r"(\$(?:pbkdf2(?:-\w+)?|scrypt|s0|S|P|H)\$[^\s:\"',;]{20,200})", "$pbkdf2 $scrypt$ $s0$ $S$ $P$ $H$", "$P$B{alnum 30}", "$pbkdf2-sha256$29000${alnum 22}${alnum 43}"),
    token("password hash", r"\b((?:pbkdf2_sha\d+|pbkdf2:sha\d+(?::\d+)?|scrypt:\d+:\d+:\d+|bcrypt_sha256|sha1|md5|argon2)\$[^\s:\"',;]{0,60}\$[A-Za-z0-9+/=.$]{20,})", "pbkdf2_sha pbkdf2:sha scrypt: bcrypt_sha256$ sha1$ md5$ argon2$", "pbkdf2_sha256$260000${alnum 22}${alnum 43}="),
    token("password hash", r"(\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\w-]*|PKCS5S2)\}[A-Za-z0-9+/=$.]{20,})", "{SHA {SSHA {MD5} {SMD5} {CRYPT} {PBKDF2 {PKCS5S2}", "bob:{SSHA}{alnum 32}"),
    token("password hash", r"(\$krb5(?:asrep|tgs|pa)\$[^\s\"',;]{40,})", "$krb5", "$krb5asrep$23$bob@corp.lan:{hex 32}${hex 64}"),
)
