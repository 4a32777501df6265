"""What follows a write in the background: it is stopped at once, whenever that comes."""

from __future__ import annotations

import threading

from pmg.engine.background_thread import BackgroundThread


def test_stopping_while_it_takes_work_up_does_not_wait_in_vain() -> None:
    """Stopped between being woken and taking the work up: it must not go back to waiting."""
    reached, go_on = threading.Event(), threading.Event()

    def work() -> None:
        reached.set()
        assert go_on.wait(120)
        thread.taken()

    thread = BackgroundThread("test", work)
    thread.wake()
    assert reached.wait(120)
    stopping = threading.Thread(target=thread.stop)
    stopping.start()
    while not thread._stop.is_set() or not thread.has_work:
        pass
    go_on.set()
    stopping.join(120)
    assert not stopping.is_alive()
