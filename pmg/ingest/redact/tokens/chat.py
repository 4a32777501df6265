"""Tokens of chat and social networks. A row: name, pattern, literals, recipes of examples; see row.py."""

from __future__ import annotations

from pmg.ingest.redact.tokens.row import LEFT, TokenRow, token

# fmt: off
CHAT_TOKENS: tuple[TokenRow, ...] = (
    token("slack token", r"(xox[abceoprsde](?:\.xox[bp])?-(?:\d-)?[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,})", "xoxa- xoxb- xoxc- xoxd- xoxe xoxo- xoxp- xoxr- xoxs- xapp-", "xoxb-{digits 12}-{digits 12}-{alnum 24}", "xapp-1-A{alnum 10}-{digits 12}-{hex 64}", not_found=("xoxb-token",)),
    token("slack token", r"(xoxd-[A-Za-z0-9%+/=_-]{20,})", "xoxd-", "xoxd-{alnum 40}%2B{alnum 40}"),
    token("slack webhook", r"(?i)hooks\.slack(?:-gov)?\.com/((?:services|workflows|triggers)/[A-Za-z0-9_+/-]{15,})", "hooks.slack", "https://hooks.slack.com/services/T{upper 8}/B{upper 8}/{alnum 24}", not_found=("https://hooks.slack.com/services/TXXXXXXXX/BXXXXXXXX/XXXXXXXXXXXXXXXXXXXXXXXX",)),
    token("discord webhook", r"(?i)discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{5,}/[A-Za-z0-9_-]{30,})", "discord.com/api discordapp.com/api", "https://discord.com/api/webhooks/{digits 18}/{alnum 68}"),
    token("discord token", r"\b([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40})", "", "discord bot: M{alnum 23}.{alnum 6}.{alnum 38}", gate=r"[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{8}"),
    token("discord token", r"\b(mfa\.[A-Za-z0-9_-]{80,})", "mfa.", "mfa.{alnum 84}"),
    token("teams webhook", r"(?i)(?:webhook\.office\.com|outlook\.office\.com/webhook)[A-Za-z0-9/@.-]{0,200}/([A-Za-z0-9@-]{20,}/IncomingWebhook/[A-Za-z0-9/-]{30,})", "webhook.office.com outlook.office.com/webhook", "https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex 32}/{uuid}"),
    token("telegram token", r"(?:^|[^0-9])(\d{6,12}:[A-Za-z0-9_-]{32,40})\b", "", "{digits 10}:AA{alnum 33}", not_found=("12345678:this is a sentence and no token",), gate=r"\d{6}:[A-Za-z0-9_-]{8}"),
    token("facebook token", r"\b(\d{13,17}\|[A-Za-z0-9_-]{27})\b", "", "app token {digits 16}|{alnum 27}", not_found=("| 1308742762612587 | a |",), gate=r"\d{13}\|[A-Za-z0-9_-]{20}"),
    token("facebook token", LEFT + r"(EAA[A-Za-z0-9]{90,})", "EAA", "EAACEdEose0cBA{alnum 120}"),
    token("twitter token", r"\b(AAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{80,})", "", "AAAAAAAAAAAAAAAAAAAAMLhe{alnum 80}", gate=r"\bA{20}"),
)
