"""Google: Takeout, Gemini CLI, AI Studio, and the content parts they share."""
