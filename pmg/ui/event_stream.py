"""The stream that carries answers to the page, mended: no answer is lost when the stream ends while the next click is on its way.

Gradio's server ends the stream when it knows of no event that is open, and its script opens another only if the stream has ended when a
click is acknowledged. A click that is acknowledged just before that end is read is then never answered, and its button is dead from
then on. The script below stands between the two: it passes an end on only when every event that was joined has been answered, and else
asks for the stream anew and goes on with it. It keeps ids of events and nothing of what they carry.
"""

from __future__ import annotations

SCRIPT = r"""
(() => {
  const plain = window.fetch.bind(window), joins = new Set(), waiting = new Set(), early = new Set();
  let ending = null;  // until the page has read the end that was passed on
  const path = (asked) => new URL(asked.url || asked, location.href).pathname;
  const head = (text) => { const start = text.slice(0, 300); return {msg: (start.match(/"msg":"(\w+)"/) || [])[1], id: (start.match(/"event_id":"(\w+)"/) || [])[1]}; };

  const join = async (asked, options) => {
    const answer = plain(asked, options);
    const noted = answer.then((given) => given.ok ? given.clone().json() : {}).then(({event_id: id}) => {
      if (id && !early.delete(id)) waiting.add(id);
    }).catch(() => {}).finally(() => joins.delete(noted));
    joins.add(noted);
    await noted;
    await ending;
    return answer;
  };

  const open = async (asked, options) => {
    const first = await plain(asked, options);
    if (!first.ok || !first.body) return first;
    const decoder = new TextDecoder(), encoder = new TextEncoder();
    let reader = first.body.getReader(), rest = '';
    const goesOn = async () => {
      while (joins.size) await Promise.all(joins);
      if (!waiting.size) return false;
      const next = await plain(asked, options).catch(() => null);
      if (!next || !next.ok || !next.body) return false;
      reader = next.body.getReader();
      return true;
    };
    const end = () => {
      const signal = (options && options.signal) || asked.signal;
      if (signal && !signal.aborted) ending = Promise.race([
        new Promise((done) => signal.addEventListener('abort', done, {once: true})), new Promise((done) => setTimeout(done, 1000))]);
    };
    const body = new ReadableStream({
      async pull(out) {
        const {value, done} = await reader.read();
        if (done) { out.close(); return; }
        const parts = (rest + decoder.decode(value, {stream: true})).split('\n\n');
        rest = parts.pop();
        let sent = false;
        for (const part of parts) {
          const {msg, id} = head(part);
          if (msg === 'process_completed' && id && !waiting.delete(id)) early.add(id);
          if (msg === 'close_stream') { if (await goesOn()) { rest = ''; break; } end(); }
          out.enqueue(encoder.encode(part + '\n\n'));
          sent = true;
        }
        if (!sent) await this.pull(out);
      },
      cancel(reason) { return reader.cancel(reason); },
    });
    return new Response(body, {status: first.status, statusText: first.statusText, headers: first.headers});
  };

  window.fetch = (asked, options) => {
    const at = path(asked);
    return at.endsWith('/queue/join') ? join(asked, options) : at.endsWith('/queue/data') ? open(asked, options) : plain(asked, options);
  };
})();
"""
