"""The web app: `python app.py` is `pmg serve`. Options: --port, --host, --home, --no-browser (or PMG_PORT, PMG_HOST, PMG_HOME, PMG_NO_BROWSER)."""

from __future__ import annotations

import sys

from pmg.cli import main

if __name__ == "__main__":
    main(["serve", *sys.argv[1:]])
