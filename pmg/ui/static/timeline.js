/* The timeline in the browser: lanes of bars under an axis of time, and the whole memory as a strip above them.
   Wheel, brush, strip and keys change the range at once; the page then sends what belongs there (pmg/ui/timeline/timeline_data.py).
   Times are clock times as they were said: they are read and shown as if they were UTC. Stored words are text nodes only. */
'use strict';
window.pmgTimeline = (() => {
  const MINUTE = 6e4, HOUR = 36e5, DAY = 864e5, YEAR = 365.25 * DAY;
  const STEPS = [['m', 1], ['m', 5], ['m', 15], ['m', 30], ['h', 1], ['h', 3], ['h', 6], ['h', 12], ['d', 1], ['d', 2], ['d', 7], ['d', 14],
    ['M', 1], ['M', 3], ['M', 6], ['Y', 1], ['Y', 2], ['Y', 5], ['Y', 10], ['Y', 25], ['Y', 100]];
  const LENGTH = {m: MINUTE, h: HOUR, d: DAY, M: 30.4 * DAY, Y: YEAR};
  const CHANGES = 26, NEAR = 11;  // the row of what changed; marks nearer than this are one
  const AXIS = 24, STRIP = 54, ROW = 25, BAR = 8, HEAD = 16, BARS = 62, LOW = 14, MOST_ROWS = 9, LEAST = 10 * MINUTE, LATE = 5000;
  const keeper = () => window.pmg || {read: () => ({}), put: () => {}};
  const make = (name, attributes, text) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const time = (text) => Date.parse(text + 'Z');
  const iso = (at) => new Date(Math.round(at)).toISOString().slice(0, 19);
  const said = (at, options) => new Date(at).toLocaleString('en-GB', {timeZone: 'UTC', ...options});
  const width = (text) => 6.3 * text.length + 6;
  const cut = (text, most) => (text.length <= most ? text : text.slice(0, Math.max(1, most - 1)).trimEnd() + '…');

  const floor = (at, unit, count) => {
    const d = new Date(at), y = d.getUTCFullYear(), m = d.getUTCMonth();
    if (unit === 'Y') return Date.UTC(Math.floor(y / count) * count, 0, 1);
    if (unit === 'M') return Date.UTC(y, Math.floor(m / count) * count, 1);
    return Math.floor(at / (LENGTH[unit] * count)) * LENGTH[unit] * count;
  };
  const after = (at, unit, count) => {
    const d = new Date(at);
    if (unit === 'Y') return Date.UTC(d.getUTCFullYear() + count, 0, 1);
    if (unit === 'M') return Date.UTC(d.getUTCFullYear(), d.getUTCMonth() + count, 1);
    return at + LENGTH[unit] * count;
  };
  const tick = (at, unit) => {
    if (unit === 'Y') return said(at, {year: 'numeric'});
    if (unit === 'M') return said(at, new Date(at).getUTCMonth() ? {month: 'short'} : {month: 'short', year: 'numeric'});
    if (unit === 'd') return said(at, {day: 'numeric', month: 'short'});
    return at % DAY ? said(at, {hour: '2-digit', minute: '2-digit'}) : said(at, {day: 'numeric', month: 'short'});
  };

  const start = ({element, props, watch, tell}) => {
    const at = (selector) => element.querySelector(selector);
    const svg = at('.pmg-t-main'), strip = at('.pmg-t-strip'), tip = at('.pmg-t-tip'), caption = at('.pmg-t-said'), legend = at('.pmg-t-legend');
    const empty = at('.pmg-t-empty');
    let data = null, from = 0, to = 1, asking = 0, brush = null, moved = -Infinity;
    const wide = () => svg.clientWidth || 1;
    const x = (when) => (when - from) / (to - from) * wide();
    const when = (pixel) => from + pixel / wide() * (to - from);
    const ends = () => [time(data.first), time(data.last)];

    // the range
    const frame = () => {  // a little air before the first, and after the last room for its name: as far as one can go, and what the strip shows
      const [first, last] = ends(), air = Math.max(HOUR, (last - first) * .02);
      return [first - air, last + 4 * air];
    };
    const inside = (a, b) => {
      const [begin, end] = frame();
      const length = Math.min(Math.max(b - a, LEAST), end - begin), middle = (a + b) / 2;
      const low = Math.min(Math.max(middle - length / 2, begin), end - length);
      return [low, low + length];
    };
    const go = (a, b) => {
      if (!data || !data.first) return;
      [from, to] = inside(a, b);
      moved = performance.now();
      draw();
      clearTimeout(asking);
      asking = setTimeout(() => tell('range', {from: iso(from), to: iso(to), all: whole()}), 260);
    };
    const whole = () => { const [first, last] = ends(); return from <= first && to >= last; };
    const zoom = (factor, pixel) => { const middle = when(pixel ?? wide() / 2); go(middle - (middle - from) * factor, middle + (to - middle) * factor); };
    const shift = (share) => go(from + (to - from) * share, to + (to - from) * share);
    const acts = {
      all: () => { const [first, last] = ends(); go(first - YEAR * 200, last + YEAR * 200); },
      out: () => zoom(3), in: () => zoom(1 / 3), earlier: () => shift(-.9), later: () => shift(.9),
    };

    // drawing
    const axis = (height) => {
      const [unit, count] = STEPS.find(([u, n]) => LENGTH[u] * n / (to - from) * wide() >= 74) || STEPS.at(-1);
      const parts = [];
      for (let t = floor(from, unit, count); t <= to; t = after(t, unit, count)) {
        if (t < from) continue;
        const name = tick(t, unit);
        parts.push(make('line', {x1: x(t), x2: x(t), y1: AXIS, y2: height, class: 'pmg-t-grid'}));
        if (x(t) + width(name) <= wide()) parts.push(make('text', {x: x(t) + 3, y: 15, class: 'pmg-t-tick'}, name));  // at the edge it would be cut
      }
      return parts;
    };
    const pack = (items, labelled) => {  // rows in which no two lie on each other; the fewer there are, the longer their names
      const rows = [], room = Math.max(14, Math.floor(wide() / 6.3 / Math.max(1, items.length / 4)));
      const placed = items.map((item) => {
        const left = x(time(item.from)), right = Math.max(left + BAR, x(time(item.to)));
        const label = labelled ? cut(item.label, Math.max(room, Math.floor((right - left) / 6.3))) : '';
        const over = right <= wide() && left + width(label) > wide();  // at the right edge a name ends where the picture does
        const begin = over ? Math.min(left, wide() - width(label)) : left, end = over ? wide() : Math.max(right, left + (label ? width(label) : 0)) + 6;
        let row = rows.findIndex((free) => free <= begin);
        if (row < 0) { row = rows.length; rows.push(0); }
        rows[row] = end;
        return {item, left, right, row, label, over};
      });
      return {placed, rows: rows.length};
    };
    // One scale for all lanes; a lane is only as high as its highest bar needs, so that who said little leaves no empty ground.
    const needs = (items, most) => Math.max(LOW, (BARS - 8) * Math.max(0, ...items.map((item) => item.count)) / most + 6);
    const bars = (items, base, most) => items.map((item) => {
      const left = x(time(item.from)), right = x(time(item.to)), g = make('g', {class: 'pmg-t-item'});
      let y = base;
      for (const [colour, count] of item.parts) {
        const high = Math.max(1.5, (BARS - 8) * count / most);
        y -= high;
        g.append(make('rect', {x: left + .5, y, width: Math.max(1.5, right - left - 1.5), height: high, fill: colour, rx: 1.5}));
      }
      g.pmg = item;
      return g;
    });
    const rows = (lane, top, packed) => packed.placed.map(({item, left, right, row, label, over}) => {
      const y = top + Math.min(row, MOST_ROWS * 2) * (packed.labelled ? ROW : BAR + 5), g = make('g', {class: 'pmg-t-item' + (item.faded ? ' pmg-t-faded' : '')});
      const low = y + (packed.labelled ? 15 : 2);
      g.append(make('rect', {x: Math.max(left, -20), y: low, width: Math.max(BAR, Math.min(right, wide() + 20) - Math.max(left, -20)), height: BAR, rx: BAR / 2, fill: item.colour}));
      if (label) g.append(make('text', {x: over ? wide() - 4 : Math.max(left, 2), y: y + 11, class: 'pmg-t-label', ...(over ? {'text-anchor': 'end'} : {})}, label));
      g.pmg = item;
      return g;
    });
    const changed = (top) => {  // what changed in people's lives; some that lie on each other open by going nearer
      const groups = [];
      for (const one of data.changes || []) {
        const at = time(one.at), px = x(at), last = groups.at(-1);
        if (at < from || at > to) continue;
        if (last && px - last.px < NEAR) last.items.push({...one, when: at}); else groups.push({px, items: [{...one, when: at}]});
      }
      return groups.map(({px, items}) => {
        const g = make('g', {class: 'pmg-t-item pmg-t-change'}), more = items.length > 3 ? `\nand ${items.length - 3} more` : '';
        g.append(make('path', {d: `M${px} ${top} l6 7 -6 7 -6 -7z`}));
        const near = items.every((one) => one.id === items[0].id) || to - from <= DAY;
        g.pmg = {title: items.slice(0, 3).map((one) => one.title).join('\n\n') + more, id: near ? items[0].id : '',
          from: iso(items[0].when - DAY), to: iso(items.at(-1).when + DAY)};
        return g;
      });
    };
    const draw = () => {
      if (!data) return;
      empty.hidden = !!data.lanes.length;
      empty.textContent = data.lanes.length ? '' : data.empty;
      let top = AXIS + 6;
      const parts = [], most = Math.max(1, ...data.lanes.flatMap((lane) => lane.items.map((item) => item.count)));
      const marks = changed(top + HEAD);
      if (marks.length) {
        parts.push(make('text', {x: 4, y: top + 12, class: 'pmg-t-lane'}, 'What changed'), ...marks);
        top += HEAD + CHANGES;
      }
      for (const lane of data.lanes) {
        const visible = lane.items.filter((item) => time(item.to) >= from && time(item.from) <= to);
        if (data.mode !== 'bars' && !visible.length) continue;
        parts.push(make('line', {x1: 0, x2: wide(), y1: top, y2: top, class: 'pmg-t-grid'}), make('text', {x: 4, y: top + 12, class: 'pmg-t-lane'}, lane.label));
        top += HEAD;
        if (data.mode === 'bars') { top += needs(visible, most); parts.push(...bars(visible, top, most)); top += 8; continue; }
        let packed = {...pack(visible, true), labelled: true};
        if (packed.rows > MOST_ROWS) packed = {...pack(visible, false), labelled: false};
        parts.push(...rows(lane, top, packed));
        top += Math.min(packed.rows, packed.labelled ? MOST_ROWS : MOST_ROWS * 2) * (packed.labelled ? ROW : BAR + 5) + 8;
      }
      const height = Math.max(220, top);
      svg.setAttribute('height', height);
      svg.replaceChildren(...axis(height), ...parts);
      overview();
    };
    const overview = () => {
      if (!data.first) { strip.replaceChildren(); return; }
      const [first, last] = frame(), length = Math.max(1, last - first), w = wide();  // the whole below has the same scale
      const sx = (t) => (t - first) / length * w, most = Math.max(1, ...data.strip.map((bar) => bar.count)), parts = [];
      for (const bar of data.strip) {
        let y = STRIP;
        for (const [colour, count] of bar.parts) {
          const high = (STRIP - 12) * count / most;
          y -= high;
          parts.push(make('rect', {x: sx(time(bar.from)), y, width: Math.max(1.5, sx(time(bar.to)) - sx(time(bar.from)) - 1), height: high, fill: colour}));
        }
      }
      const left = Math.max(0, sx(from)), right = Math.min(w, sx(to));
      parts.push(make('rect', {x: 0, y: 0, width: left, height: STRIP, class: 'pmg-t-off'}), make('rect', {x: right, y: 0, width: Math.max(0, w - right), height: STRIP, class: 'pmg-t-off'}),
        make('rect', {x: left, y: 1, width: Math.max(4, right - left), height: STRIP - 2, class: 'pmg-t-window', rx: 4}),
        ...[left, right].map((edge) => make('rect', {x: Math.min(w - 8, Math.max(0, edge - 4)), y: 14, width: 8, height: STRIP - 28, class: 'pmg-t-grip', rx: 3})));
      strip.replaceChildren(...parts);
    };
    const colours = () => legend.replaceChildren(...data.legend.map((one) => {
      const chip = document.createElement('span'), sign = document.createElement('i');
      sign.style.background = one.colour;
      chip.append(sign, one.title);
      return chip;
    }));

    // pointing
    const item_at = (event) => event.target.closest?.('.pmg-t-item')?.pmg;
    const open = (item) => {
      if (!item) return;
      if (item.id) { keeper().put({memory: item.id}); tell('pick', {pick: item.id}); } else go(time(item.from), time(item.to));
    };
    const place = (event) => event.clientX - svg.getBoundingClientRect().left;
    svg.addEventListener('wheel', (event) => {
      if (!data || !data.first) return;
      event.preventDefault();
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) go(from + sideways / wide() * (to - from), to + sideways / wide() * (to - from));
      else zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) / 300), place(event));
    }, {passive: false});
    svg.addEventListener('pointerdown', (event) => {
      if (event.button || !data || !data.first) return;
      brush = {begin: place(event), end: place(event), touch: event.pointerType === 'touch' || event.shiftKey, from, to, item: item_at(event)};
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener('pointermove', (event) => {
      if (!brush) return hover(event);
      brush.end = place(event);
      const moved = brush.end - brush.begin;
      if (Math.abs(moved) < 5) return;
      tip.hidden = true;
      if (brush.touch) { const by = moved / wide() * (brush.to - brush.from); go(brush.from - by, brush.to - by); return; }
      svg.querySelector('.pmg-t-brush')?.remove();
      svg.append(make('rect', {x: Math.min(brush.begin, brush.end), y: AXIS, width: Math.abs(moved), height: svg.clientHeight - AXIS, class: 'pmg-t-brush'}));
    });
    const release = (event) => {
      if (!brush) return;
      const {begin, end, touch, item} = brush;
      brush = null;
      svg.querySelector('.pmg-t-brush')?.remove();
      if (event.type === 'pointercancel') return;
      if (Math.abs(end - begin) < 5) open(item);
      else if (!touch) go(when(Math.min(begin, end)), when(Math.max(begin, end)));
    };
    svg.addEventListener('pointerup', release);
    svg.addEventListener('pointercancel', release);
    const hover = (event) => {
      const item = item_at(event);
      tip.hidden = !item;
      if (!item) return;
      tip.textContent = item.title;
      const box = svg.parentElement.getBoundingClientRect();
      tip.style.left = `${Math.max(4, Math.min(event.clientX - box.left + 12, box.width - Math.min(300, box.width - 8)))}px`;
      tip.style.top = `${event.clientY - box.top + 14}px`;
    };
    svg.addEventListener('pointerleave', () => { tip.hidden = true; });

    let held = null;
    strip.addEventListener('pointerdown', (event) => {
      if (!data || !data.first) return;
      const [first, last] = frame(), px = event.clientX - strip.getBoundingClientRect().left, t = first + px / wide() * (last - first);
      const sx = (one) => (one - first) / Math.max(1, last - first) * wide();
      const part = Math.abs(px - sx(from)) < 10 ? 'from' : Math.abs(px - sx(to)) < 10 ? 'to' : t > from && t < to ? 'both' : 'new';
      held = {part, t, from, to};
      strip.setPointerCapture(event.pointerId);
      if (part === 'new') { const half = (to - from) / 2; go(t - half, t + half); held = {part: 'both', t, from, to}; }
    });
    strip.addEventListener('pointermove', (event) => {
      if (!held) return;
      const [first, last] = frame(), t = first + (event.clientX - strip.getBoundingClientRect().left) / wide() * (last - first), by = t - held.t;
      if (held.part === 'from') go(Math.min(t, held.to - LEAST), held.to);
      else if (held.part === 'to') go(held.from, Math.max(t, held.from + LEAST));
      else go(held.from + by, held.to + by);
    });
    for (const name of ['pointerup', 'pointercancel']) strip.addEventListener(name, () => { held = null; });

    element.addEventListener('click', (event) => { const act = event.target.closest('[data-act]'); if (act && data && data.first) acts[act.dataset.act](); });
    at('.pmg-t-stage').addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !data || !data.first) return;
      const act = {ArrowLeft: () => shift(-.25), ArrowRight: () => shift(.25), '+': acts.in, '=': acts.in, '-': acts.out, 0: acts.all}[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    const escape = (event) => {
      if (!element.isConnected) { document.removeEventListener('keydown', escape); return; }
      if (event.key !== 'Escape' || !element.offsetParent) return;
      keeper().put({memory: ''});
      tell('close', {});
    };
    document.addEventListener('keydown', escape);
    window.addEventListener('popstate', () => { moved = -Infinity; });  // Back and Forward lead away from it
    new ResizeObserver(() => { if (svg.clientWidth) draw(); }).observe(svg.parentElement);

    const apply = (value) => {
      if (!value || !value.lanes) return;
      if (value.cause === 'open' && performance.now() - moved < LATE) return;  // asked for before the person moved on: theirs stays
      data = value;
      if (value.cause !== 'range' && data.first) [from, to] = value.whole ? inside(time(data.first) - YEAR * 200, time(data.last) + YEAR * 200) : inside(time(value.from), time(value.to));  // what the person moved stays as it is
      caption.textContent = value.said;
      for (const one of element.querySelectorAll('.pmg-t-changes')) one.hidden = !(value.changes || []).length;
      colours();
      draw();
      if (keeper().read().tab === 'timeline') keeper().put(value.address, value.tab_opened);  // somebody may be in another tab by now
    };
    watch('value', () => apply(props.value));
    apply(props.value);
  };
  return {start};
})();
