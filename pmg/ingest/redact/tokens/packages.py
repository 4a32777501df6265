"""Tokens of package registries. A row: name, pattern, literals, recipes of examples; see row.py."""

from __future__ import annotations

from pmg.ingest.redact.tokens.row import LEFT, TokenRow, token

# fmt: off
PACKAGE_TOKENS: tuple[TokenRow, ...] = (
    token("npm token", LEFT + r"(npm_[A-Za-z0-9]{30,})", "npm_", "npm_{alnum 36}", not_found=("npm_config_registry", "npm_package_version")),
    token("npm token", r"(?i)(?:\b_authToken|(?<=:)(?:_authToken|_auth|_password))\s{0,2}=\s{0,2}[\"']?([A-Za-z0-9+/=_.-]{12,})", "_authtoken _auth _password", "//registry.npmjs.org/:_authToken={uuid}", not_found=("//registry.npmjs.org/:_authToken=${NPM_TOKEN}",)),
    token("pypi token", r"(pypi-A[A-Za-z0-9_-]{30,})", "pypi-A", "pypi-AgEIcHlwaS5vcmc{alnum 150}"),
    token("rubygems key", r"\b(rubygems_[0-9a-f]{40,})", "rubygems_", "rubygems_{hex 48}"),
    token("crates token", r"\b(cio[A-Za-z0-9]{32})\b", "", "cio{alnum 32}", not_found=("ciopfsdjkl",), gate=r"cio[A-Za-z0-9]{8}"),
    token("nuget key", r"\b(oy2[a-z0-9]{43})\b", "oy2", "oy2{lower 43}"),
    token("clojars token", r"(CLOJARS_[0-9a-z]{50,})", "CLOJARS_", "CLOJARS_{hex 60}"),
    token("docker token", r"(dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,})", "dckr_", "dckr_pat_{alnum 27}"),
    token("artifactory token", r"\b(AKC[A-Za-z0-9]{60,}|cmVmdGtu[A-Za-z0-9]{50,})", "AKC cmVmdGtu", "AKCp8{alnum 70}"),
    token("sonar token", r"\b(sq[upa]_[0-9a-f]{40})\b", "squ_ sqp_ sqa_", "squ_{hex 40}"),
)
