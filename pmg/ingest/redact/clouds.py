"""Rules for clouds and code hosts: AWS, Google, Azure, GitHub, GitLab and their like.

Knows: the shapes of their keys. Does not know: keys without a shape of their own (see keyvalue.py).
"""

from __future__ import annotations

from pmg.ingest.redact.rule import DIGITS, HEX, UPPER, Rule, filler
from pmg.ingest.redact.vendor import LEFT, token

_B64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/+"
_AWS_SECRET = filler(20, _B64) + "/k9" + filler(17, _B64, 3)
_UUID = "-".join((filler(8, HEX), filler(4, HEX), filler(4, HEX), filler(4, HEX), filler(12, HEX)))

CLOUD_RULES: tuple[Rule, ...] = (
    token(
        "aws access key",
        LEFT + r"((?:AKIA|ASIA|ABIA|ACCA|AIPA|AROA|AIDA|AGPA|ANPA|ANVA|APKA|ASCA)[A-Z0-9]{16})\b",
        "",
        ("AKIA", filler(16, UPPER)),
        ("aws_access_key_id=", "ASIA", filler(16, UPPER)),
        no=("AKIAIOSFODNN7EXAMPLE", "ASIANCUISINEANDMOREFORYOU"),
        opening=r"(?:AKIA|ASIA|ABIA|ACCA|AIPA|AROA|AIDA|AGPA|ANPA|ANVA|APKA|ASCA)[A-Z0-9]{4}",
    ),
    token(
        "aws secret key",
        r"(?i)(?:aws|amazon|amz)[\w .-]{0,20}?(?:secret|sk|session|security)[\w .-]{0,20}"
        r"\\{0,2}[\"'`\])]{0,3}\s{0,4}(?:=>|:=|=|:|,|is)?\s{0,4}\\{0,2}[\"'`]?([A-Za-z0-9/+]{40}(?:[A-Za-z0-9/+=]{60,})?)(?:[^A-Za-z0-9/+]|$)",
        "",
        ("aws_secret_access_key = ", _AWS_SECRET),
        ('AWS_SECRET_ACCESS_KEY="', _AWS_SECRET, '"'),
        no=("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws secrets manager is a service"),
        opening=r"(?i)(?:aws|amazon|amz)[\w .-]{0,20}s[ek]",
    ),
    token(
        "aws secret key",
        r"(?i)secret[_-]?access[_-]?key\\{0,2}[\"'`\])>]{0,3}\s{0,4}(?:=>|:=|=|:|,)?\s{0,4}\\{0,2}[\"'`]?"
        r"([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)",
        "secretaccesskey secret_access_key secret-access-key",
        ('"SecretAccessKey": "', _AWS_SECRET, '"'),
    ),
    token(
        "aws secret key",
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9]{1,12}(?:(?i:aws|secret|key|sk|and|is|access|und|y|et)[^A-Za-z0-9]{1,6}){0,6}"
        r"([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)",
        "",
        ("AKIA", filler(16, UPPER), " / ", _AWS_SECRET),
        opening=r"(?:AKIA|ASIA)[A-Z0-9]{4}",
    ),
    token(
        "aws session token",
        r"\b((?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9/+=%]{40,})",
        "fwogzxivyxdz iqojb3jpz2lu",
        ("FwoG", "ZXIvYXdz", filler(120)),
    ),
    token(
        "aws session token",
        r"(?i)X-Amz-(?:Signature|Security-Token|Credential)=([A-Za-z0-9%/+_-]{20,})",
        "x-amz-",
        ("?X-Amz-", "Signature=", filler(64, HEX)),
    ),
    token(
        "aws bedrock key",
        r"\b(ABSK[A-Za-z0-9+/]{60,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{30,})",
        "",
        ("ABSK", filler(120)),
        opening=r"ABSK[A-Za-z0-9+/]{4}|bedrock-api-key-",
    ),
    token("aws mws key", r"\b(amzn\.mws\.[0-9a-f]{8}-[0-9a-f-]{27})\b", "amzn.mws.", ("amzn.", "mws.", _UUID)),
    token(
        "github token",
        r"(gh[pousr]_[A-Za-z0-9_]{20,255})",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        *((f"gh{letter}_", filler(36)) for letter in "pousr"),
        no=("ghp_<your token>",),
    ),
    token(
        "github token",
        r"(github_pat_[A-Za-z0-9_]{22,255})",
        "github_pat_",
        ("github_", "pat_", filler(22), "_", filler(59)),
    ),
    token(
        "github token",
        r"\b(v1\.[0-9a-f]{40})\b",
        "",
        ("github app token ", "v1.", filler(40, HEX)),
        no=("release v1.2.3",),
        opening=r"v1\.[0-9a-f]{8}",
    ),
    token(
        "gitlab token",
        r"((?:glpat|gldt|glrt|glrtr|glptt|glft|glsoat|glimt|glagent|gloas|glcbt|glffct|glwt)-[A-Za-z0-9_.=-]{16,})",
        "glpat- gldt- glrt- glrtr- glptt- glft- glsoat- glimt- glagent- gloas- glcbt- glffct- glwt-",
        ("glpat-", filler(20)),
        ("gldt-", filler(20)),
    ),
    token("gitlab token", r"\b(GR1348941[A-Za-z0-9_-]{20,})", "gr1348941", ("GR13", "48941", filler(20))),
    token(
        "gitlab token",
        r"(_gitlab_session=[A-Za-z0-9]{32})",
        "_gitlab_session=",
        ("_gitlab_", "session=", filler(32, HEX)),
    ),
    token(
        "bitbucket token", r"\b(ATBB[A-Za-z0-9]{20,}|BBDC-[A-Za-z0-9+/@_-]{40,})", "atbb bbdc-", ("ATBB", filler(32))
    ),
    token("google api key", r"(AIza[A-Za-z0-9_-]{33,})", "aiza", ("AIza", filler(35)), ("?key=", "AIza", filler(35))),
    token("google oauth token", r"(ya29\.[A-Za-z0-9_-]{20,})", "ya29.", ("ya29.", filler(80))),
    token("google oauth token", r"(?:^|[^A-Za-z0-9/])(1//0[A-Za-z0-9_-]{30,})", "1//0", ("1//0", filler(60))),
    token("google oauth secret", r"(GOCSPX-[A-Za-z0-9_-]{20,})", "gocspx-", ("GOCSPX-", filler(28))),
    token("google api key", r"\b(AQ\.Ab[A-Za-z0-9_-]{40,})", "aq.ab", ("AQ.", "Ab8", filler(48))),
    token(
        "firebase key",
        r"\b(AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,})",
        "",
        ("AAAA", filler(7), ":", filler(140)),
        opening=r"AAAA[A-Za-z0-9_-]{7}:",
    ),
    token(
        "google storage key",
        r"\b(GOOG[A-Z0-9]{10,}[A-Z0-9]{30,})\b",
        "",
        ("GOOG1E", filler(56, UPPER)),
        opening=r"GOOG[A-Z0-9]{4}",
    ),
    token(
        "azure storage key",
        r"(?i)(?:AccountKey|SharedAccessKey|SharedSecretKey|PrimaryKey|SecondaryKey|StorageKey|account_key|EntityKey)[\"']?\s{0,3}[=:]\s{0,3}[\"']?"
        r"([A-Za-z0-9+/%]{30,}={0,2})",
        "accountkey sharedaccesskey sharedsecretkey primarykey secondarykey storagekey account_key entitykey",
        (
            "DefaultEndpointsProtocol=https;AccountName=store;AccountKey=",
            filler(86),
            "==;EndpointSuffix=core.windows.net",
        ),
        ("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=", filler(43), "="),
    ),
    token(
        "azure storage key",
        r"(?:^|[^A-Za-z0-9+/])([A-Za-z0-9+/]{86}==)(?:[^A-Za-z0-9+/=]|$)",
        "core.windows.net azure",
        ("azure ", filler(86), "=="),
    ),
    token(
        "azure key",
        r"\b([A-Za-z0-9+/]{33,}(?:AzFu|AzSe|\+ASt|\+AMC|AEha|ACDb|\+ARm|APIM|JQQJ99|ACOG)[A-Za-z0-9+/]{5,}={0,2})",
        "",
        (filler(42), "AzFu", filler(6), "=="),
        opening=r"AzFu|AzSe|\+ASt|\+AMC|AEha|ACDb|\+ARm|APIM|JQQJ99|ACOG",
    ),
    token(
        "azure signature",
        r"(?i)[?&;](?:amp;)?sig=([A-Za-z0-9%+/_-]{20,}=?)",
        "sig=",
        ("https://a.blob.core.windows.net/c?sv=2022-11-02&sr=c&", "sig=", filler(43), "%3D"),
    ),
    token(
        "azure client secret",
        r"(?:^|[^A-Za-z0-9_~.-])([A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,40})",
        "",
        (filler(3), "8Q~", filler(34)),
        opening=r"\dQ~",
    ),
    token(
        "azure devops token",
        r"\b([a-z2-7]{52})\b",
        "azure_devops azdo devops",
        ("AZURE_DEVOPS_EXT_PAT ", filler(52, UPPER.lower())),
    ),
    token(
        "digitalocean token",
        r"((?:dop|doo|dor)_v1_[0-9a-f]{32,})",
        "dop_v1_ doo_v1_ dor_v1_",
        ("dop_", "v1_", filler(64, HEX)),
    ),
    token(
        "heroku key",
        r"(?i)heroku[\w .\-]{0,30}[\"'\]]{0,2}\s{0,3}(?:=|:|is|=>)?\s{0,3}[\"']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b",
        "heroku",
        ("HEROKU_API_KEY=", _UUID),
    ),
    token("heroku key", r"(HRKU-[A-Za-z0-9_-]{30,})", "hrku-", ("HRKU-", "AA", filler(58))),
    token(
        "cloudflare token",
        r"\b(v1\.0-[0-9a-f]{24}-[0-9a-f]{100,})\b",
        "v1.0-",
        ("v1.0-", filler(24, HEX), "-", filler(146, HEX)),
    ),
    token(
        "cloudflare token",
        r"(?i)(?:cloudflare|cf_)[\w .\-]{0,30}[\"'\]]{0,2}\s{0,3}(?:=|:|is|=>)\s{0,3}[\"']?([A-Za-z0-9_-]{37,40})\b",
        "cloudflare cf_",
        ("CLOUDFLARE_API_TOKEN=", filler(40)),
        no=("cloudflare: aVeryLongWordWithoutAnEndInSightOfTheLine",),
    ),
    token("cloudflare token", r"\b(cf(?:ut|at|k)_[A-Za-z0-9]{40,})", "cfut_ cfat_ cfk_", ("cfut_", filler(48))),
    token("alibaba key", LEFT + r"(LTAI[A-Za-z0-9]{12,26})\b", "ltai", ("LTAI", filler(20))),
    token("tencent key", LEFT + r"(AKID[A-Za-z0-9]{32})\b", "akid", ("AKID", filler(32))),
    token(
        "oracle cloud key",
        r"\b(ocid1\.credential\.[a-z0-9.]{30,})",
        "ocid1.credential.",
        ("ocid1.", "credential.", "oc1..", filler(60, UPPER.lower())),
    ),
    token(
        "terraform token",
        r"\b([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,})",
        ".atlasv1.",
        (filler(14), ".atlas", "v1.", filler(67)),
    ),
    token(
        "fly token",
        r"\b(FlyV1 fm\d[ar]?_[A-Za-z0-9+/=,_-]{40,}|fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=]{80,})",
        "flyv1 fo1_ fm1 fm2",
        ("fo1_", filler(43)),
    ),
    token("vercel token", r"\b(vc[pirak]_[A-Za-z0-9]{24,})", "vcp_ vci_ vcr_ vca_ vck_", ("vcp_", filler(56))),
    token(
        "supabase key",
        r"\b(sb_secret_[A-Za-z0-9_-]{20,}|sbp_[0-9a-f]{40})",
        "sb_secret_ sbp_",
        ("sbp_", filler(40, HEX)),
        ("sb_", "secret_", filler(31)),
    ),
    token(
        "planetscale token",
        r"(pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,})",
        "pscale_",
        ("pscale_", "tkn_", filler(43)),
    ),
    token("neon key", r"\b(napi_[A-Za-z0-9]{40,})", "napi_", ("napi_", filler(64))),
    token("scaleway key", r"\b(SCW[A-Z0-9]{17})\b", "", ("SCW", filler(17, UPPER)), opening=r"SCW[A-Z0-9]{4}"),
    token(
        "yandex key",
        r"\b(AQVN[A-Za-z0-9_-]{35,38}|y0_[A-Za-z0-9_-]{55,}|t1\.[A-Z0-9a-z_-]+=*\.[A-Z0-9a-z_-]{86}=*)",
        "",
        ("AQVN", filler(36)),
        opening=r"AQVN|y0_|t1\.[A-Za-z0-9_-]",
    ),
    token(
        "cloudinary url",
        r"cloudinary://(\d{6,}:[A-Za-z0-9_-]{10,})@",
        "cloudinary://",
        ("cloudinary://", filler(15, DIGITS), ":", filler(27), "@demo"),
    ),
)
