"""Rules for services with tokens of a shape of their own: models, chat, payment, mail, packages (tools.py has the rest).

Knows: the shapes of their tokens. Does not know: tokens without a shape (see keyvalue.py).
"""

from __future__ import annotations

from pmg.ingest.redact.rule import DIGITS, HEX, UPPER, Rule, filler
from pmg.ingest.redact.tools import TOOL_RULES
from pmg.ingest.redact.vendor import LEFT, token

_UUID = "-".join((filler(8, HEX), filler(4, HEX), filler(4, HEX), filler(4, HEX), filler(12, HEX)))
_NAMED = r"[\w .\-]{0,30}[\"'\]]{0,2}\s{0,3}(?:=>|:=|=|:|is)\s{0,3}[\"']?"

MODEL_RULES: tuple[Rule, ...] = (
    token(
        "anthropic key",
        r"(sk-ant-[A-Za-z0-9_-]{16,})",
        "sk-ant-",
        ("sk-", "ant-api03-", filler(93), "AA"),
        ("sk-", "ant-admin01-", filler(80)),
    ),
    token("openrouter key", r"(sk-or-(?:v1-)?[A-Za-z0-9_-]{20,})", "sk-or-", ("sk-", "or-v1-", filler(64, HEX))),
    token(
        "openai key",
        r"(sk-(?:proj|svcacct|admin|None|service|live|test)-[A-Za-z0-9_-]{16,})",
        "sk-proj- sk-svcacct- sk-admin- sk-none- sk-service- sk-live- sk-test-",
        ("sk-", "proj-", filler(48)),
        ("sk-", "svcacct-", filler(60)),
    ),
    token(
        "openai key",
        LEFT + r"(sk-[A-Za-z0-9]{20,})",
        "",
        ("sk-", filler(48)),
        ("sk-", filler(20), "T3BlbkFJ", filler(20)),
        no=("a task-management system", "sk-learn and sk-image are packages"),
        opening=r"sk-[A-Za-z0-9]{8}",
    ),
    token("openai key", LEFT + r"(sess-[A-Za-z0-9]{40})\b", "sess-", ("sess-", filler(40))),
    token(
        "hugging face token",
        LEFT + r"(hf_[A-Za-z0-9]{20,}|api_org_[A-Za-z0-9]{30,})",
        "hf_ api_org_",
        ("hf_", filler(34)),
        no=("from transformers import hf_hub_download_and_cache_everything",),
    ),
    token("groq key", r"\b(gsk_[A-Za-z0-9]{30,})", "gsk_", ("gsk_", filler(52))),
    token("xai key", r"\b(xai-[A-Za-z0-9_-]{30,})", "xai-", ("xai-", filler(80))),
    token("replicate token", r"\b(r8_[A-Za-z0-9]{30,})", "r8_", ("r8_", filler(37))),
    token("perplexity key", r"\b(pplx-[A-Za-z0-9]{30,})", "pplx-", ("pplx-", filler(48))),
    token("fireworks key", r"\b(fw_[A-Za-z0-9]{20,})", "", ("fw_", filler(24)), opening=r"fw_[A-Za-z0-9]{4}"),
    token(
        "langsmith key",
        r"\b(ls(?:v2_(?:pt|sk)|__)_?[0-9a-f]{32}(?:_[0-9a-f]{10})?)",
        "lsv2_ ls__",
        ("lsv2_", "pt_", filler(32, HEX), "_", filler(10, HEX)),
    ),
    token("langfuse key", r"\b((?:sk|pk)-lf-[0-9a-f-]{36})", "sk-lf- pk-lf-", ("sk-", "lf-", _UUID)),
    token("pinecone key", r"\b(pcsk_[A-Za-z0-9_]{30,})", "pcsk_", ("pcsk_", filler(66))),
    token("nvidia key", r"\b(nvapi-[A-Za-z0-9_-]{30,})", "nvapi-", ("nvapi-", filler(64))),
    token(
        "wandb key",
        r"(?i)(?:wandb|weights.?and.?biases)" + _NAMED + r"([0-9a-f]{40}|local-[0-9a-f]{40})\b",
        "wandb biases",
        ("WANDB_API_KEY=", filler(40, HEX)),
    ),
    token("tavily key", r"\b(tvly-[A-Za-z0-9-]{20,})", "tvly-", ("tvly-", filler(32))),
    token("elevenlabs key", r"\b(sk_[0-9a-f]{48})\b", "", ("sk_", filler(48, HEX)), opening=r"sk_[0-9a-f]{8}"),
)

CHAT_RULES: tuple[Rule, ...] = (
    token(
        "slack token",
        r"(xox[abceoprsde](?:\.xox[bp])?-(?:\d-)?[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,})",
        "xoxa- xoxb- xoxc- xoxd- xoxe xoxo- xoxp- xoxr- xoxs- xapp-",
        ("xoxb-", filler(12, DIGITS), "-", filler(12, DIGITS), "-", filler(24)),
        ("xapp-", "1-A", filler(10), "-", filler(12, DIGITS), "-", filler(64, HEX)),
        no=("xoxb-token",),
    ),
    token("slack token", r"(xoxd-[A-Za-z0-9%+/=_-]{20,})", "xoxd-", ("xoxd-", filler(40), "%2B", filler(40))),
    token(
        "slack webhook",
        r"(?i)hooks\.slack(?:-gov)?\.com/((?:services|workflows|triggers)/[A-Za-z0-9_+/-]{15,})",
        "hooks.slack",
        ("https://hooks.slack.com/", "services/T", filler(8, UPPER), "/B", filler(8, UPPER), "/", filler(24)),
        no=("https://hooks.slack.com/services/TXXXXXXXX/BXXXXXXXX/XXXXXXXXXXXXXXXXXXXXXXXX",),
    ),
    token(
        "discord webhook",
        r"(?i)discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{5,}/[A-Za-z0-9_-]{30,})",
        "webhooks/",
        ("https://discord.com/api/", "webhooks/", filler(18, DIGITS), "/", filler(68)),
    ),
    token(
        "discord token",
        r"\b([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40})",
        "",
        ("discord bot: M", filler(23), ".", filler(6), ".", filler(38)),
        opening=r"[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{8}",
    ),
    token("discord token", r"\b(mfa\.[A-Za-z0-9_-]{80,})", "mfa.", ("mfa.", filler(84))),
    token(
        "teams webhook",
        r"(?i)(?:webhook\.office\.com|outlook\.office\.com/webhook)[A-Za-z0-9/@.-]*/([A-Za-z0-9@-]{20,}/IncomingWebhook/[A-Za-z0-9/-]{30,})",
        "incomingwebhook",
        (
            "https://acme.webhook.office.com/webhookb2/",
            _UUID,
            "@",
            _UUID,
            "/IncomingWebhook/",
            filler(32, HEX),
            "/",
            _UUID,
        ),
    ),
    token(
        "telegram token",
        r"(?:^|[^0-9])(\d{6,12}:[A-Za-z0-9_-]{32,40})\b",
        "",
        (filler(10, "123456789"), ":AA", filler(33)),
        no=("12345678:this is a sentence and no token",),
        opening=r"\d{6}:[A-Za-z0-9_-]{8}",
    ),
    token(
        "facebook token",
        LEFT + r"(EAA[A-Za-z0-9]{60,})",
        "",
        ("EAA", "CEdEose0cBA", filler(120)),
        opening=r"EAA[A-Za-z0-9]{6}",
    ),
    token(
        "twitter token",
        r"\b(AAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{50,})",
        "aaaaaaaaaaaaaaaaaaaa",
        ("AAAAAAAAAAAAAAAAAAAA", "MLhe", filler(80)),
    ),
)

MONEY_AND_MAIL_RULES: tuple[Rule, ...] = (
    token(
        "stripe key",
        r"((?:sk|rk|pk|ek)_(?:live|test|prod)_[A-Za-z0-9_]{10,}|whsec_[A-Za-z0-9+/=]{20,})",
        "_live_ _test_ _prod_ whsec_",
        ("sk_", "live_", filler(24)),
        ("rk_", "live_", filler(24)),
        ("sk_", "test_", filler(99)),
        ("whsec_", filler(32)),
        no=("run the sk_test_ suite",),
    ),
    token(
        "square token",
        r"\b(sq0(?:atp|csp|idp|idb)-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{56,})",
        "",
        ("sq0", "atp-", filler(22)),
        ("sq0", "csp-", filler(43)),
        opening=r"sq0(?:atp|csp|idp|idb)-|EAAA[A-Za-z0-9_-]{6}",
    ),
    token(
        "paypal token",
        r"(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32})",
        "access_token$",
        ("access_", "token$production$", filler(16, HEX), "$", filler(32, HEX)),
    ),
    token(
        "shopify token",
        r"(shp(?:at|ca|pa|ss|tka|rt)_[A-Fa-f0-9]{30,})",
        "shpat_ shpca_ shppa_ shpss_ shptka_ shprt_",
        ("shpat_", filler(32, HEX)),
    ),
    token(
        "flutterwave key",
        r"\b(FLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?)",
        "flwseck flwpubk",
        ("FLWSECK-", filler(32, HEX), "-X"),
    ),
    token(
        "adyen or razorpay key",
        r"\b(rzp_(?:live|test)_[A-Za-z0-9]{14,}|AQE[A-Za-z0-9+/=]{60,}-[A-Za-z0-9+/=]{20,})",
        "",
        ("rzp_", "live_", filler(14)),
        opening=r"rzp_|AQE[A-Za-z0-9+/=]{6}",
    ),
    token(
        "twilio key",
        LEFT + r"((?:AC|SK)[0-9a-f]{32})\b",
        "",
        ("AC", filler(32, HEX)),
        ("SK", filler(32, HEX)),
        opening=r"(?:AC|SK)[0-9a-f]{8}",
    ),
    token(
        "twilio key", r"(?i)twilio" + _NAMED + r"([0-9a-f]{32})\b", "twilio", ("TWILIO_AUTH_TOKEN=", filler(32, HEX))
    ),
    token(
        "twilio key",
        r"\bAC[0-9a-f]{32}[^A-Za-z0-9]{1,8}([0-9a-f]{32})\b",
        "",
        ("Client('AC", filler(32, HEX), "', '", filler(32, HEX, 3), "')"),
        opening=r"AC[0-9a-f]{8}",
    ),
    token(
        "sendgrid key",
        r"(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})",
        "",
        ("SG.", filler(22), ".", filler(43)),
        opening=r"SG\.[A-Za-z0-9_-]{8}",
    ),
    token(
        "mailgun key",
        LEFT + r"(key-[0-9a-zA-Z]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b",
        "",
        ("key-", filler(32, HEX)),
        (filler(32, HEX), "-", filler(8, HEX), "-", filler(8, HEX)),
        no=("key-value-store",),
        opening=r"key-[0-9a-zA-Z]{8}|[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}",
    ),
    token(
        "mailchimp key",
        r"\b([0-9a-f]{32}-us\d{1,2})\b",
        "",
        (filler(32, HEX), "-us", "21"),
        opening=r"[0-9a-f]{8}-us\d",
    ),
    token(
        "brevo key",
        r"\b(xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|xsmtpsib-[A-Za-z0-9-]{40,})",
        "xkeysib- xsmtpsib-",
        ("xkeysib-", filler(64, HEX), "-", filler(16)),
    ),
    token(
        "resend key",
        LEFT + r"(re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,})",
        "",
        ("re_", filler(8), "_", filler(24)),
        opening=r"re_[A-Za-z0-9]{6,12}_",
    ),
    token("easypost key", r"\b(EZ[AT]K[A-Za-z0-9]{54})\b", "ezak eztk", ("EZAK", filler(54))),
)

PACKAGE_RULES: tuple[Rule, ...] = (
    token(
        "npm token",
        LEFT + r"(npm_[A-Za-z0-9]{30,})",
        "npm_",
        ("npm_", filler(36)),
        no=("npm_config_registry", "npm_package_version"),
    ),
    token(
        "npm token",
        r"(?i)(?:\b_authToken|:_authToken|:_auth|:_password)\s{0,2}=\s{0,2}[\"']?([A-Za-z0-9+/=_.-]{12,})",
        "_authtoken _auth _password",
        ("//registry.npmjs.org/:_auth", "Token=", _UUID),
        no=("//registry.npmjs.org/:_authToken=${NPM_TOKEN}",),
    ),
    token("pypi token", r"(pypi-A[A-Za-z0-9_-]{30,})", "pypi-a", ("pypi-", "AgEIcHlwaS5vcmc", filler(150))),
    token("rubygems key", r"\b(rubygems_[0-9a-f]{40,})", "rubygems_", ("rubygems_", filler(48, HEX))),
    token(
        "crates token",
        r"\b(cio[A-Za-z0-9]{32})\b",
        "",
        ("cio", filler(32)),
        no=("ciopfsdjkl",),
        opening=r"cio[A-Za-z0-9]{8}",
    ),
    token("nuget key", r"\b(oy2[a-z0-9]{43})\b", "", ("oy2", filler(43, UPPER.lower())), opening=r"oy2[a-z0-9]{4}"),
    token("clojars token", r"(CLOJARS_[0-9a-z]{50,})", "clojars_", ("CLOJARS_", filler(60, HEX))),
    token("docker token", r"(dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,})", "dckr_", ("dckr_", "pat_", filler(27))),
    token(
        "artifactory token",
        r"\b(AKC[A-Za-z0-9]{60,}|cmVmdGtu[A-Za-z0-9]{50,})",
        "",
        ("AKC", "p8", filler(70)),
        opening=r"AKC[A-Za-z0-9]{4}|cmVmdGtu",
    ),
    token("sonar token", r"\b(sq[upa]_[0-9a-f]{40})\b", "squ_ sqp_ sqa_", ("squ_", filler(40, HEX))),
)

SERVICE_RULES: tuple[Rule, ...] = (*MODEL_RULES, *CHAT_RULES, *MONEY_AND_MAIL_RULES, *PACKAGE_RULES, *TOOL_RULES)
