"""Rules for tools with tokens of a shape of their own: hosting, monitoring, design, tickets, build machines.

Knows: the shapes of their tokens. Does not know: tokens without a shape (see keyvalue.py).
"""

from __future__ import annotations

from pmg.ingest.redact.rule import HEX, UPPER, Rule, filler
from pmg.ingest.redact.vendor import token

_UUID = "-".join((filler(8, HEX), filler(4, HEX), filler(4, HEX), filler(4, HEX), filler(12, HEX)))
_NAMED = r"[\w .\-]{0,30}[\"'\]]{0,2}\s{0,3}(?:=>|:=|=|:|is)\s{0,3}[\"']?"

TOOL_RULES: tuple[Rule, ...] = (
    token("dropbox token", r"\b(sl\.(?:u\.)?[A-Za-z0-9_-]{100,})", "sl.", ("sl.", "B", filler(136))),
    token("okta token", r"\bSSWS[ \t:]{1,3}[\"']?(00[A-Za-z0-9_-]{38,42})", "ssws", ("SSWS ", "00", filler(40))),
    token(
        "twitch token", r"\boauth:([a-z0-9]{30})\b", "oauth:", ("oauth:", filler(30, HEX)), no=("oauth: a protocol",)
    ),
    token(
        "databricks token",
        r"\b(dapi[0-9a-f]{32}(?:-\d)?|dkea[0-9a-h]{32})\b",
        "",
        ("dapi", filler(32, HEX)),
        opening=r"dapi[0-9a-f]{4}|dkea[0-9a-h]{4}",
    ),
    token(
        "vault token",
        r"\b(hv[sbr]\.[A-Za-z0-9_-]{20,}|(?:VAULT_TOKEN|vault token)\W{1,4}s\.[A-Za-z0-9]{24})",
        "",
        ("hvs.", filler(90)),
        ("VAULT_TOKEN=", "s.", filler(24)),
        opening=r"hv[sbr]\.|(?:VAULT_TOKEN|vault token)",
    ),
    token("linear key", r"\b(lin_(?:api|oauth)_[A-Za-z0-9]{30,})", "lin_api_ lin_oauth_", ("lin_", "api_", filler(40))),
    token(
        "notion token",
        r"\b(ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b",
        "",
        ("ntn_", filler(46)),
        ("secret_", filler(43)),
        opening=r"ntn_|secret_[A-Za-z0-9]{8}",
    ),
    token(
        "figma token",
        r"\b(fig[dor]_?[a-z]?_[A-Za-z0-9_-]{35,})",
        "figd_ figo_ figr_ figoh_ figor_ figur_",
        ("figd_", filler(40)),
    ),
    token(
        "atlassian token",
        r"(ATATT3[A-Za-z0-9_=-]{50,}|ATCTT3[A-Za-z0-9_=-]{50,}|ATSTT3[A-Za-z0-9_=-]{50,})",
        "atatt3 atctt3 atstt3",
        ("ATATT3", "xFfGF0", filler(170), "=", filler(8, HEX)),
    ),
    token(
        "atlassian token",
        r"(?i)(?:jira|atlassian|confluence)" + _NAMED + r"([A-Za-z0-9]{24})\b",
        "jira atlassian confluence",
        ("JIRA_API_TOKEN=", filler(24)),
    ),
    token(
        "postman key", r"(PMAK-[0-9a-f]{24}-[0-9a-f]{34})", "pmak-", ("PMAK-", filler(24, HEX), "-", filler(34, HEX))
    ),
    token(
        "doppler token",
        r"\b(dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,})",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        ("dp.", "pt.", filler(43)),
    ),
    token("netlify token", r"\b(nf[pcoub]_[A-Za-z0-9_]{30,})", "nfp_ nfc_ nfo_ nfu_ nfb_", ("nfp_", filler(36))),
    token(
        "netlify token",
        r"(?i)netlify" + _NAMED + r"([A-Za-z0-9_-]{40,46})\b",
        "netlify",
        ("NETLIFY_AUTH_TOKEN=", filler(43)),
    ),
    token("sentry token", r"\b(sntr(?:ys|yu|ya|yi)_[A-Za-z0-9_+/=]{40,})", "sntry", ("sntrys_", "eyJp", filler(120))),
    token(
        "sentry dsn",
        r"(?i)https://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[a-z0-9.-]+/\d+",
        "",
        ("https://", filler(32, HEX), "@o1.ingest.sentry.io/2"),
        opening=r"(?i)https://[0-9a-f]{8}",
    ),
    token(
        "new relic key",
        r"\b(NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9_-]{32}|NRJS-[0-9a-f]{19}|NRIQ-[A-Za-z0-9_-]{20,}|[0-9a-f]{36,40}NRAL)\b",
        "nrak- nrii- nrjs- nriq- nral",
        ("NRAK-", filler(27, UPPER)),
    ),
    token(
        "grafana token",
        r"\b(glc_[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|eyJrIjoi[A-Za-z0-9+/=]{50,})",
        "glc_ glsa_ eyjrijoi",
        ("glsa_", filler(32), "_", filler(8, HEX)),
    ),
    token(
        "dynatrace token",
        r"\b(dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64})\b",
        "",
        ("dt0c01.", filler(24, UPPER), ".", filler(64, UPPER)),
        opening=r"dt0[a-z]\d",
    ),
    token(
        "airtable token",
        r"\b(pat[A-Za-z0-9]{14}\.[0-9a-f]{64})\b",
        "",
        ("pat", filler(14), ".", filler(64, HEX)),
        opening=r"[A-Za-z0-9]{8}\.[0-9a-f]{8}",
    ),
    token("pulumi token", r"\b(pul-[0-9a-f]{40})\b", "pul-", ("pul-", filler(40, HEX))),
    token("prefect key", r"\b(pn[ub]_[A-Za-z0-9]{36})\b", "pnu_ pnb_", ("pnu_", filler(36))),
    token("readme key", r"\b(rdme_[a-z0-9]{70})\b", "rdme_", ("rdme_", filler(70, HEX))),
    token(
        "hubspot token", r"\b(pat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f-]{27})\b", "pat-na pat-eu", ("pat-", "na1-", _UUID)
    ),
    token("clickup token", r"\b(pk_\d{4,10}_[A-Z0-9]{32})\b", "pk_", ("pk_", "1234567_", filler(32, UPPER))),
    token(
        "asana token",
        r"\b([012]/\d{16}(?:/\d{16})?:[0-9a-f]{32})\b",
        "",
        ("1/", "1203948571203948", ":", filler(32, HEX)),
        opening=r"\d:[0-9a-f]{8}",
    ),
    token(
        "1password token",
        r"\b(ops_eyJ[A-Za-z0-9+/=_-]{100,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5})",
        "",
        (
            "A3-",
            filler(6, UPPER),
            "-",
            filler(11, UPPER),
            "-",
            filler(5, UPPER),
            "-",
            filler(5, UPPER),
            "-",
            filler(5, UPPER),
        ),
        opening=r"ops_eyJ|A3-[A-Z0-9]{4}",
    ),
    token(
        "tailscale key",
        r"\b(tskey-[a-z]+-[A-Za-z0-9-]{16,})",
        "tskey-",
        ("tskey-", "auth-", filler(12), "CNTRL-", filler(32)),
    ),
    token(
        "ngrok token",
        r"(?i)ngrok[\w .\-:]{0,40}[\"'=: ]{1,4}([12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22})\b",
        "ngrok",
        ("ngrok config add-authtoken ", "2", filler(26), "_", filler(21)),
    ),
    token(
        "buildkite token",
        r"\b(bk(?:ua|ct|at|pi)?_[0-9a-f]{40}|bkua_[a-z0-9]{40})\b",
        "bkua_ bkct_ bkat_ bkpi_",
        ("bkua_", filler(40, HEX)),
    ),
    token(
        "circleci token",
        r"\b(CCIPAT_[A-Za-z0-9]{20,}_[0-9a-f]{40}|CCIPRJ_[A-Za-z0-9]{20,}_[0-9a-f]{40})\b",
        "ccipat_ cciprj_",
        ("CCIPAT_", filler(22), "_", filler(40, HEX)),
    ),
    token("contentful token", r"\b(CFPAT-[A-Za-z0-9_-]{43})", "cfpat-", ("CFPAT-", filler(43))),
    token("typeform token", r"\b(tfp_[A-Za-z0-9_.=-]{40,})", "tfp_", ("tfp_", filler(44))),
    token(
        "duffel or frameio token",
        r"\b((?:duffel_(?:test|live)_|fio-u-)[A-Za-z0-9_=-]{40,})",
        "duffel_ fio-u-",
        ("duffel_", "test_", filler(43)),
    ),
    token(
        "mapbox token",
        r"\b(sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,})",
        "sk.eyj",
        ("sk.", "eyJ", filler(60), ".", filler(22)),
    ),
    token(
        "infisical or akeyless token",
        r"\b(st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32})",
        "",
        ("st.", filler(24, HEX), ".", filler(32, HEX), ".", filler(32, HEX)),
        opening=r"st\.[0-9a-f]{4}",
    ),
    token("confluent or algolia key", r"\b(cflt[A-Za-z0-9/+]{60})\b", "cflt", ("cflt", filler(60))),
    token(
        "age key", r"(AGE-SECRET-KEY-1[A-Z0-9]{50,})", "age-secret-key-1", ("AGE-", "SECRET-KEY-1", filler(58, UPPER))
    ),
    token(
        "otp seed",
        r"(?i)otpauth://[^\s\"'<>]{0,200}?[?&]secret=([A-Z2-7]{10,})",
        "otpauth://",
        ("otpauth://totp/Acme:bob?", "secret=", filler(32, UPPER)),
    ),
)
