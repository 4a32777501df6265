"""Tokens of language models and the services around them. A row: name, pattern, literals, recipes of examples; see row.py."""

from __future__ import annotations

from pmg.ingest.redact.tokens.row import LEFT, NAMED, TokenRow, token

# fmt: off
MODEL_TOKENS: tuple[TokenRow, ...] = (
    token("anthropic key", r"(sk-ant-[A-Za-z0-9_-]{16,}(?:\r?\n[A-Za-z0-9_-]{8,100}AA\b)?)", "sk-ant-", "sk-ant-api03-{alnum 93}AA", "sk-ant-admin01-{alnum 80}"),
    token("openrouter key", r"(sk-or-(?:v1-)?[A-Za-z0-9_-]{20,})", "sk-or-", "sk-or-v1-{hex 64}"),
    token("openai key", r"(sk-(?:proj|svcacct|admin|None|service|live|test)-[A-Za-z0-9_-]{16,})", "sk-proj- sk-svcacct- sk-admin- sk-none- sk-service- sk-live- sk-test-", "sk-proj-{alnum 48}", "sk-svcacct-{alnum 60}"),
    token("openai key", LEFT + r"(sk-[A-Za-z0-9]{20,})", "", "sk-{alnum 48}", "sk-{alnum 20}T3BlbkFJ{alnum 20}", not_found=("a task-management system", "sk-learn and sk-image are packages"), gate=r"sk-[A-Za-z0-9]{8}"),
    token("openai key", LEFT + r"(sess-[A-Za-z0-9]{40})\b", "sess-", "sess-{alnum 40}"),
    token("hugging face token", LEFT + r"(hf_[A-Za-z0-9]{20,}|api_org_[A-Za-z0-9]{30,})", "hf_ api_org_", "hf_{alnum 34}", not_found=("from transformers import hf_hub_download_and_cache_everything",)),
    token("groq key", r"\b(gsk_[A-Za-z0-9]{30,})", "gsk_", "gsk_{alnum 52}"),
    token("xai key", r"\b(xai-[A-Za-z0-9_-]{30,})", "xai-", "xai-{alnum 80}"),
    token("replicate token", r"\b(r8_[A-Za-z0-9]{30,})", "r8_", "r8_{alnum 37}"),
    token("perplexity key", r"\b(pplx-[A-Za-z0-9]{30,})", "pplx-", "pplx-{alnum 48}"),
    token("fireworks key", r"\b(fw_[A-Za-z0-9]{20,})", "fw_", "fw_{alnum 24}"),
    token("langsmith key", r"\b(ls(?:v2_(?:pt|sk)|__)_?[0-9a-f]{32}(?:_[0-9a-f]{10})?)", "lsv2_ ls__", "lsv2_pt_{hex 32}_{hex 10}"),
    token("langfuse key", r"\b((?:sk|pk)-lf-[0-9a-f-]{36})", "sk-lf- pk-lf-", "sk-lf-{uuid}"),
    token("pinecone key", r"\b(pcsk_[A-Za-z0-9_]{30,})", "pcsk_", "pcsk_{alnum 66}"),
    token("nvidia key", r"\b(nvapi-[A-Za-z0-9_-]{30,})", "nvapi-", "nvapi-{alnum 64}"),
    token("wandb key", r"(?i)(?:wandb|weights.?and.?biases)" + NAMED + r"([0-9a-f]{40}|local-[0-9a-f]{40})\b", "wandb weights", "WANDB_API_KEY={hex 40}"),
    token("wandb key", r"(?i)wandb login (?:--relogin )?([0-9a-f]{40}|local-[0-9a-f]{40})\b", "wandb", "wandb login {hex 40}", not_found=("wandb login --relogin", "wandb login $WANDB_API_KEY")),
    token("tavily key", r"\b(tvly-[A-Za-z0-9-]{20,})", "tvly-", "tvly-{alnum 32}"),
    token("elevenlabs key", r"\b(sk_[0-9a-f]{48})\b", "", "sk_{hex 48}", gate=r"sk_[0-9a-f]{8}"),
    token("jina key", r"\b(jina_[A-Za-z0-9_-]{40,})", "jina_", "jina_{alnum 60}"),
)
