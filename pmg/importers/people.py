"""Who a name in a transcript is: the person, an assistant, a tool, the system, or somebody else.

Handles the words exports and people use for the two sides of a chat.
"""

from __future__ import annotations

from pmg.base.model import Role

NAMES: dict[Role, frozenset[str]] = {
    Role.USER: frozenset(
        "user human you me i prompt question q client customer utilisateur usuario benutzer utente gebruiker "
        "пользователь 用户 我 ユーザー 사용자".split()
    ),
    Role.ASSISTANT: frozenset(
        "assistant ai bot model gpt chatgpt claude gemini bard copilot grok deepseek llama mistral perplexity answer a "
        "response chatbot assistente asistente assistent ассистент 助手 アシスタント 어시스턴트".split()
    )
    | {"bing chat", "ai studio", "meta ai", "le chat"},
    Role.SYSTEM: frozenset("system developer instructions".split()),
    Role.TOOL: frozenset("tool function ipython python observation".split()),
    Role.THINKING: frozenset("thinking reasoning thought thoughts".split()),
}
BY_NAME = {name: role for role, names in NAMES.items() for name in names}


def role_of(name: str) -> Role | None:
    """The role a name stands for, or None where it is somebody's own name."""
    plain = name.strip().strip("*_#:").strip().lower()
    if plain in BY_NAME:
        return BY_NAME[plain]
    return BY_NAME.get(plain.split("-")[0]) if plain.startswith(("gpt-", "claude-", "gemini-", "llama-")) else None
