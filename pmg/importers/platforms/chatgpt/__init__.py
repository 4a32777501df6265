"""OpenAI's ChatGPT: the tree of conversations.json, message contents, and the files beside it."""
