"""Tokens of payment, shops and mail. A row: name, pattern, literals, recipes of examples; see row.py."""

from __future__ import annotations

from pmg.ingest.redact.tokens.row import LEFT, NAMED, TokenRow, token

# fmt: off
PAYMENT_TOKENS: tuple[TokenRow, ...] = (
    token("stripe key", r"((?:sk|rk|pk|ek)_(?:live|test|prod)_[A-Za-z0-9_]{10,}|whsec_[A-Za-z0-9+/=]{20,})", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ pk_test_ pk_prod_ ek_live_ ek_test_ ek_prod_ whsec_", "sk_live_{alnum 24}", "rk_live_{alnum 24}", "sk_test_{alnum 99}", "whsec_{alnum 32}", not_found=("run the sk_test_ suite",)),
    token("square token", r"\b(sq0(?:atp|csp|idp|idb)-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{56,})", "sq0 EAAA", "sq0atp-{alnum 22}", "sq0csp-{alnum 43}"),
    token("paypal token", r"(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32})", "access_token$", "access_token$production${hex 16}${hex 32}"),
    token("shopify token", r"(shp(?:at|ca|pa|ss|tka|rt)_[A-Za-z0-9]{30,})", "shpat_ shpca_ shppa_ shpss_ shptka_ shprt_", "shpat_{hex 32}"),
    token("flutterwave key", r"\b(FLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?)", "flwseck flwpubk", "FLWSECK-{hex 32}-X"),
    token("adyen or razorpay key", r"\b(rzp_(?:live|test)_[A-Za-z0-9]{14,}|AQE[A-Za-z0-9+/=]{60,}-[A-Za-z0-9+/=]{20,})", "rzp_ AQE", "rzp_live_{alnum 14}"),
    token("twilio key", LEFT + r"((?:AC|SK)[0-9a-f]{32})\b", "", "AC{hex 32}", "SK{hex 32}", gate=r"(?:AC|SK)[0-9a-f]{8}"),
    token("twilio key", r"(?i)twilio" + NAMED + r"([0-9a-f]{32})\b", "twilio", "TWILIO_AUTH_TOKEN={hex 32}"),
    token("twilio key", r"\bAC[0-9a-f]{32}[^A-Za-z0-9]{1,8}([0-9a-f]{32})\b", "", "Client('AC{hex 32}', '{hex 32}')", gate=r"AC[0-9a-f]{8}"),
    token("sendgrid key", r"(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})", "SG.", "SG.{alnum 22}.{alnum 43}"),
    token("mailgun key", LEFT + r"(key-[0-9a-zA-Z]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b", "", "key-{hex 32}", "{hex 32}-{hex 8}-{hex 8}", not_found=("key-value-store",), gate=r"key-[0-9a-zA-Z]{8}|[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}"),
    token("mailchimp key", r"\b([0-9a-f]{32}-us\d{1,2})\b", "", "{hex 32}-us21", gate=r"[0-9a-f]{8}-us\d"),
    token("brevo key", r"\b(xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|xsmtpsib-[A-Za-z0-9-]{40,})", "xkeysib- xsmtpsib-", "xkeysib-{hex 64}-{alnum 16}"),
    token("resend key", LEFT + r"(re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,})", "", "re_{alnum 8}_{alnum 24}", gate=r"re_[A-Za-z0-9]{6,12}_"),
    token("plaid token", r"\b((?:access|public|processor)-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b", "access-sandbox- access-development- access-production- public-production- processor-production-", "access-production-{uuid}", not_found=("access-production-database-and-logs",)),
    token("wallet key", r"\b([xyz]prv[1-9A-Za-z]{107})\b", "xprv yprv zprv", "xprv9{upper 106}", not_found=("an xprv is an extended private key",)),
    token("easypost key", r"\b(EZ[AT]K[A-Za-z0-9]{54})\b", "ezak eztk", "EZAK{alnum 54}"),
)
