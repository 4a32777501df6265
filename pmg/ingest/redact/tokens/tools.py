"""Tokens of hosting, monitoring, design, tickets and build machines. A row: name, pattern, literals, recipes of examples; see row.py."""

from __future__ import annotations

from pmg.ingest.redact.tokens.row import NAMED, TokenRow, token

# fmt: off
TOOL_TOKENS: tuple[TokenRow, ...] = (
    token("dropbox token", r"\b(sl\.(?:u\.)?[A-Za-z0-9_-]{100,})", "sl.", "sl.B{alnum 136}"),
    token("okta token", r"\bSSWS[ \t:]{1,3}[\"']?(00[A-Za-z0-9_-]{38,42})", "SSWS", "SSWS 00{alnum 40}"),
    token("twitch token", r"\boauth:([a-z0-9]{30})\b", "oauth:", "oauth:{hex 30}", not_found=("oauth: a protocol",)),
    token("databricks token", r"\b(dapi[0-9a-f]{32}(?:-\d)?|dkea[0-9a-h]{32})\b", "dapi dkea", "dapi{hex 32}"),
    token("vault token", r"\b(hv[sbr]\.[A-Za-z0-9_-]{20,}|(?i:VAULT_TOKEN|vault token)\W{1,4}s\.[A-Za-z0-9]{24})", "hvs. hvb. hvr. vault_token vault", "hvs.{alnum 90}", "VAULT_TOKEN=s.{alnum 24}"),
    token("linear key", r"\b(lin_(?:api|oauth)_[A-Za-z0-9]{30,})", "lin_api_ lin_oauth_", "lin_api_{alnum 40}"),
    token("notion token", r"\b(ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b", "ntn_ secret_", "ntn_{alnum 46}", "secret_{alnum 43}"),
    token("figma token", r"\b(fig[dor]_?[a-z]?_[A-Za-z0-9_-]{35,})", "figd_ figo_ figr_ figoh_ figor_ figur_", "figd_{alnum 40}"),
    token("atlassian token", r"(ATATT3[A-Za-z0-9_=-]{50,}|ATCTT3[A-Za-z0-9_=-]{50,}|ATSTT3[A-Za-z0-9_=-]{50,})", "ATATT3 ATCTT3 ATSTT3", "ATATT3xFfGF0{alnum 170}={hex 8}"),
    token("atlassian token", r"(?i)(?:jira|atlassian|confluence)" + NAMED + r"([A-Za-z0-9]{24})\b", "jira atlassian confluence", "JIRA_API_TOKEN={alnum 24}"),
    token("postman key", r"(PMAK-[0-9a-f]{24}-[0-9a-f]{34})", "PMAK-", "PMAK-{hex 24}-{hex 34}"),
    token("doppler token", r"\b(dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,})", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "dp.pt.{alnum 43}"),
    token("netlify token", r"\b(nf[pcoub]_[A-Za-z0-9_]{30,})", "nfp_ nfc_ nfo_ nfu_ nfb_", "nfp_{alnum 36}"),
    token("netlify token", r"(?i)netlify" + NAMED + r"([A-Za-z0-9_-]{40,46})\b", "netlify", "NETLIFY_AUTH_TOKEN={alnum 43}"),
    token("sentry token", r"\b(sntr(?:ys|yu|ya|yi)_[A-Za-z0-9_+/=]{40,})", "sntry", "sntrys_eyJp{alnum 120}"),
    token("sentry dsn", r"(?i)https://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[a-z0-9.-]+/\d+", "", "https://{hex 32}@o1.ingest.sentry.io/2", gate=r"(?i)https://[0-9a-f]{8}"),
    token("new relic key", r"\b(NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9_-]{32}|NRJS-[0-9a-f]{19}|NRIQ-[A-Za-z0-9_-]{20,}|[0-9a-f]{36,40}NRAL)\b", "NRAK- NRII- NRJS- NRIQ- NRAL", "NRAK-{upper 27}"),
    token("grafana token", r"\b(glc_[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|eyJrIjoi[A-Za-z0-9+/=]{50,})", "glc_ glsa_ eyJrIjoi", "glsa_{alnum 32}_{hex 8}"),
    token("dynatrace token", r"\b(dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64})\b", "dt0", "dt0c01.{upper 24}.{upper 64}"),
    token("airtable token", r"\b(pat[A-Za-z0-9]{14}\.[0-9a-f]{64})\b", "", "pat{alnum 14}.{hex 64}", gate=r"[A-Za-z0-9]{8}\.[0-9a-f]{8}"),
    token("pulumi token", r"\b(pul-[0-9a-f]{40})\b", "pul-", "pul-{hex 40}"),
    token("prefect key", r"\b(pn[ub]_[A-Za-z0-9]{36})\b", "pnu_ pnb_", "pnu_{alnum 36}"),
    token("readme key", r"\b(rdme_[a-z0-9]{70})\b", "rdme_", "rdme_{hex 70}"),
    token("hubspot token", r"\b(pat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f-]{27})\b", "pat-na pat-eu", "pat-na1-{uuid}"),
    token("clickup token", r"\b(pk_\d{4,10}_[A-Z0-9]{32})\b", "pk_", "pk_1234567_{upper 32}"),
    token("asana token", r"\b([012]/\d{16}(?:/\d{16})?:[0-9a-f]{32})\b", "", "1/1203948571203948:{hex 32}", gate=r"\d:[0-9a-f]{8}"),
    token("1password token", r"\b(ops_eyJ[A-Za-z0-9+/=_-]{100,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5})", "ops_eyJ A3-", "A3-{upper 6}-{upper 11}-{upper 5}-{upper 5}-{upper 5}"),
    token("tailscale key", r"\b(tskey-[a-z]+-[A-Za-z0-9-]{16,})", "tskey-", "tskey-auth-{alnum 12}CNTRL-{alnum 32}"),
    token("ngrok token", r"(?i)ngrok[\w .\-:]{0,40}[\"'=: ]{1,4}([12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22})\b", "ngrok", "ngrok config add-authtoken 2{alnum 26}_{alnum 21}"),
    token("buildkite token", r"\b(bk(?:ua|ct|at|pi)?_[0-9a-f]{40}|bkua_[a-z0-9]{40})\b", "bkua_ bkct_ bkat_ bkpi_", "bkua_{hex 40}"),
    token("circleci token", r"\b(CCIPAT_[A-Za-z0-9]{20,}_[0-9a-f]{40}|CCIPRJ_[A-Za-z0-9]{20,}_[0-9a-f]{40})\b", "CCIPAT_ CCIPRJ_", "CCIPAT_{alnum 22}_{hex 40}"),
    token("contentful token", r"\b(CFPAT-[A-Za-z0-9_-]{43})", "CFPAT-", "CFPAT-{alnum 43}"),
    token("typeform token", r"\b(tfp_[A-Za-z0-9_.=-]{40,})", "tfp_", "tfp_{alnum 44}"),
    token("duffel or frameio token", r"\b((?:duffel_(?:test|live)_|fio-u-)[A-Za-z0-9_=-]{40,})", "duffel_ fio-u-", "duffel_test_{alnum 43}"),
    token("mapbox token", r"\b(sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,})", "sk.eyJ", "sk.eyJ{alnum 60}.{alnum 22}"),
    token("infisical or akeyless token", r"\b(st\.[0-9a-f]{24}\.[0-9a-f]{32}\.[0-9a-f]{32})", "", "st.{hex 24}.{hex 32}.{hex 32}", gate=r"st\.[0-9a-f]{4}"),
    token("confluent or algolia key", r"\b(cflt[A-Za-z0-9/+]{60})\b", "cflt", "cflt{alnum 60}"),
    token("age key", r"(AGE-SECRET-KEY-1[A-Z0-9]{50,})", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1{upper 58}"),
    token("otp seed", r"(?i)otpauth://[^\s\"'<>]{0,200}?[?&]secret=([A-Z2-7]{10,})", "otpauth://", "otpauth://totp/Acme:bob?secret={upper 32}"),
)
