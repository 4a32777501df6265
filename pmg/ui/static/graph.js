/* The graph tab in the browser: draws the patches of pmg/ui/graph/graph_data.py with cytoscape, and tells the page what was pointed at.
   Stored words reach the page as text only: on the canvas, or by textContent. */
'use strict';
window.pmgGraph = (() => {
  const MOST = 260;        // nodes in one picture: beyond it nothing can be read
  const COLUMNS = 3;       // of names side by side on a phone: of four each would be a dozen letters wide
  const FONT = 12;         // pixels of a label on the screen, at every zoom
  const KEPT = {};         // the picture of each namespace, for when the tab is left and opened again
  const keeper = () => window.pmg || {read: () => ({}), put: () => {}};

  const start = ({element, props, watch, sorts, kinds, tell}) => {
    const at = (selector) => element.querySelector(selector);
    const canvas = at('.pmg-g-canvas'), tip = at('.pmg-g-tip'), said = at('.pmg-g-said'), empty = at('.pmg-g-empty');
    const field = at('.pmg-g-find input'), list = at('.pmg-g-list ul'), legend = at('.pmg-g-legend');
    const from = at('[data-end=from]'), to = at('[data-end=to]'), range = at('.pmg-g-time output');
    const hidden = new Set();
    let picture = {namespace: '', version: '', unit: 'day', at: ''}, words = '', early = '';  // early: looked for before there was a picture

    const colour = (name, other) => getComputedStyle(element).getPropertyValue(name).trim() || other;
    const look = () => {
      const ink = colour('--body-text-color', '#222'), ground = colour('--background-fill-primary', '#fff');
      const accent = colour('--primary-500', '#2b8b82');
      const rules = [
        {selector: 'node', style: {
          'label': 'data(label)', 'color': ink, 'font-size': FONT, 'text-valign': 'bottom', 'text-halign': 'center', 'text-margin-y': 3,
          'text-wrap': 'wrap', 'text-max-width': 130, 'text-background-color': ground, 'text-background-opacity': .72,
          'text-background-padding': 1, 'background-color': 'data(colour)', 'width': 'data(size)', 'height': 'data(size)',
          'border-width': 1, 'border-color': ground, 'font-family': 'ui-sans-serif, system-ui, sans-serif'}},
        ...Object.entries(sorts).map(([kind, one]) => ({selector: `node[kind="${kind}"]`, style: {'shape': one.shape}})),
        {selector: 'node[kind="topic"]', style: {'font-weight': 600, 'background-opacity': .92, 'z-index': 2}},  // its name lies above what is near
        {selector: 'edge', style: {'curve-style': 'bezier', 'opacity': .62, 'width': 1.5, 'line-color': '#999'}},
        ...Object.entries(kinds).map(([kind, one]) => ({selector: `edge[kind="${kind}"]`,
          style: {'line-color': one.colour, 'line-style': one.line, 'width': one.width}})),
        {selector: 'edge[kind="contradicts"], edge[kind="supports"], edge[kind="part_of"], edge[kind="caused_by"], edge[kind="extends_source"]',
          style: {'target-arrow-shape': 'triangle', 'target-arrow-color': 'data(ink)', 'arrow-scale': .8}},
        {selector: '.pmg-mute', style: {'text-opacity': 0, 'text-background-opacity': 0}},
        {selector: '.pmg-dim', style: {'opacity': .18}},
        {selector: '.pmg-hit', style: {'border-width': 4, 'border-color': accent, 'opacity': 1}},
        {selector: '.pmg-gone', style: {'display': 'none'}},
        {selector: 'node:selected', style: {'border-width': 4, 'border-color': accent, 'font-weight': 700}},
        {selector: 'node.pmg-over', style: {'border-width': 3, 'border-color': ink}},
      ];
      return rules;
    };

    const cy = window.cytoscape({container: canvas, style: look(), minZoom: .08, maxZoom: 4, boxSelectionEnabled: false,
      selectionType: 'single', pixelRatio: 'auto'});
    const seen = () => cy.nodes().not('.pmg-gone');

    const narrow = () => canvas.clientWidth < 560, broad = () => (narrow() ? canvas.clientWidth / COLUMNS - 8 : 130);  // a phone; how wide a name may be
    const grown = () => Math.min(4, Math.max(1, .6 / cy.zoom()));  // from far a node stays large enough to be seen
    // On a phone: the rows of names, how high one is, and how many lines a name may have in it.
    const rows = () => Math.max(4, Math.ceil(seen().length / COLUMNS)), row = () => canvas.clientHeight / (rows() + .7);
    const lines = () => (row() > 76 ? 3 : row() > 44 ? 2 : 1), SMALLEST = 13, LARGEST = 72;  // sizes of nodes as graph_data.py has them
    const drawn = (node) => {  // how large a node is in the picture's own units
      if (!narrow()) return node.data('size') * grown();
      const most = Math.min(44, Math.max(13, row() - 14 * lines() - 6)), part = (node.data('size') - SMALLEST) / (LARGEST - SMALLEST);
      return 11 + (most - 11) * Math.min(1, Math.max(0, part));
    };
    const pen = document.createElement('canvas').getContext('2d');
    const font = (node) => { pen.font = `${node.data('kind') === 'topic' ? 600 : 400} ${FONT}px system-ui`; };
    const brief = (node) => {  // a name in as many lines as there is ground for; cytoscape only knows to wrap it
      const words = node.data('label').split(' '), wide = broad() - 10;  // room for the dots
      let line = '', at = 1, text = '';
      font(node);
      for (const word of words) {
        if (line && pen.measureText(`${line} ${word}`).width > wide) {
          if (at === lines()) return `${text.replace(/[\s·…]+$/, '')}…`;
          at += 1;
          line = word;
        } else line = line ? `${line} ${word}` : word;
        text = text ? `${text} ${word}` : word;
      }
      return text;
    };
    // Labels keep their size on the screen, below their node or, where that is taken, above it; of two that would lie on each other, or on another
    // node, the less important one waits.
    const declutter = () => {
      const zoom = cy.zoom(), size = Math.max(4, Math.min(150, FONT / zoom)), gap = 3 / zoom;
      const wide = broad() / zoom;
      cy.batch(() => {
        cy.nodes().style({'font-size': size, 'text-max-width': wide, 'text-valign': 'bottom', 'text-margin-y': gap});
        cy.nodes().forEach((node) => { const by = drawn(node); node.style({'width': by, 'height': by, 'label': narrow() ? brief(node) : node.data('label')}); });
      });
      const taken = [], bodies = seen().map((node) => [node.id(), node.renderedBoundingBox({includeLabels: false, includeEdges: false})]);
      const over = (a, b) => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
      const rank = (node) => (node.selected() ? 1e9 : 0) + (node.hasClass('pmg-hit') ? 1e8 : 0) + node.data('rank');
      const free = (node, box) => !taken.some((other) => over(box, other)) && !bodies.some(([id, body]) => id !== node.id() && over(box, body));
      const mute = new Set(), above = new Set();
      for (const node of seen().toArray().sort((a, b) => rank(b) - rank(a) || (a.id() < b.id() ? -1 : 1))) {
        const below = node.renderedBoundingBox({includeNodes: false, includeEdges: false, includeLabels: true, includeOverlays: false});
        const middle = node.renderedPosition('y'), top = {x1: below.x1, x2: below.x2, y1: 2 * middle - below.y2, y2: 2 * middle - below.y1};
        if (free(node, below)) taken.push(below);
        else if (top.y1 > 0 && free(node, top)) { taken.push(top); above.add(node.id()); }
        else mute.add(node.id());
      }
      cy.batch(() => cy.nodes().forEach((node) => {
        node.toggleClass('pmg-mute', mute.has(node.id()));
        if (above.has(node.id())) node.style({'text-valign': 'top', 'text-margin-y': -gap});
      }));
    };
    let waiting = 0;
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(() => { declutter(); keep(); }, 60); };

    const keep = () => {
      if (picture.namespace) KEPT[picture.namespace] = {picture, json: cy.elements().jsons(), pan: {...cy.pan()}, zoom: cy.zoom(), said: said.textContent, words};
    };

    const sized = (node, most) => {
      const one = sorts[node.kind];
      return one.least + (one.most - one.least) * Math.sqrt(node.count / Math.max(1, most[node.kind] || 1));
    };
    const element_of = (node, most) => {
      const rank = {topic: 6e6, person: 5e6, period: 4e6, session: 3e6, memory: 1e6}[node.kind] + Math.min(node.count, 9e5);
      return {group: 'nodes', data: {...node, size: sized(node, most), rank}};
    };
    const link_of = (link) => ({group: 'edges', data: {...link, ink: (kinds[link.kind] || {}).colour || '#999'}});
    const largest = (nodes) => {
      const most = {};
      for (const one of nodes) most[one.kind] = Math.max(most[one.kind] || 1, one.count);
      return most;
    };

    // cose leaves a round cloud: pulled into the shape of the window it uses all of it. The area stays, so it can be done again and again.
    const spread = () => {
      const box = seen().boundingBox({includeLabels: false});
      if (!box.w || !box.h) return;
      const want = canvas.clientWidth / Math.max(1, canvas.clientHeight);
      const by = Math.sqrt(Math.min(4, Math.max(.25, want / (box.w / box.h))));
      seen().positions((node) => ({x: node.position('x') * by, y: node.position('y') / by}));
    };
    // On a phone every name needs ground of its own: nodes stand in a honeycomb, each near where the forces put it.
    const comb = () => {
      const nodes = seen().toArray().sort((a, b) => a.position('y') - b.position('y')), wide = canvas.clientWidth / COLUMNS, high = row();
      cy.batch(() => {
        for (let i = 0; i < nodes.length; i += COLUMNS) {
          const beside = nodes.slice(i, i + COLUMNS).sort((a, b) => a.position('x') - b.position('x'));
          beside.forEach((node, j) => { node.position({x: wide * (j + .5), y: high * (i / COLUMNS + (j % 2 ? .5 : 0))}); });
        }
      });
    };
    const shape = () => { if (narrow()) comb(); else spread(); };
    const room = (node, zoom) => {  // what a node and its name take, in the picture's own units
      font(node);
      const text = pen.measureText(node.data('label')).width, high_of = Math.ceil(text / 125), size = drawn(node);
      const wide = Math.max(size, Math.min(130, text + 4) / zoom) + 8 / zoom, high = size + (high_of * 15 + 8) / zoom;
      return {wide, high, down: (high - size) / 2};
    };
    const untangle = (moving) => {  // pushes boxes apart by the shorter way; who may not move stays
      const zoom = cy.zoom(), nodes = seen().toArray(), mine = new Set(moving.map((node) => node.id()));
      const boxes = nodes.map((node) => ({...room(node, zoom), ...node.position(), free: mine.has(node.id())}));
      for (let round = 0, lying = true; round < 90 && lying; round += 1) {
        lying = false;
        for (let i = 0; i < boxes.length; i += 1) for (let j = i + 1; j < boxes.length; j += 1) {
          const a = boxes[i], b = boxes[j], dx = b.x - a.x, dy = b.y + b.down - a.y - a.down;
          const ox = (a.wide + b.wide) / 2 - Math.abs(dx), oy = (a.high + b.high) / 2 - Math.abs(dy);
          if (ox <= 0 || oy <= 0 || !(a.free || b.free)) continue;
          lying = true;
          const axis = ox < oy ? 'x' : 'y', by = Math.min(ox, oy) * (a.free && b.free ? .5 : 1) * ((axis === 'x' ? dx : dy) < 0 ? -1 : 1);
          if (a.free) a[axis] -= by;
          if (b.free) b[axis] += by;
        }
      }
      cy.batch(() => nodes.forEach((node, i) => { if (boxes[i].free) node.position({x: boxes[i].x, y: boxes[i].y}); }));
    };
    const fit = () => {  // by the nodes; names keep their size on the screen, so they get a margin in pixels
      cy.resize();
      if (!seen().length) return;
      const box = seen().boundingBox({includeLabels: false}), wide = cy.width(), high = cy.height();
      if (narrow()) {  // the comb is made for this window: as wide as it is, and what is more goes on below
        const middle = seen().map((node) => node.position('x')), top = Math.min(...seen().map((node) => node.position('y')));
        const bottom = Math.max(...seen().map((node) => node.position('y'))), span = Math.max(...middle) - Math.min(...middle);
        const by = Math.min(1, (wide * (1 - 1 / COLUMNS)) / Math.max(1, span), (high - .9 * row()) / Math.max(1, bottom - top));
        cy.viewport({zoom: by, pan: {x: wide / 2 - by * (Math.min(...middle) + span / 2), y: high / 2 - 12 - by * (top + bottom) / 2}});
        return;
      }
      const side = Math.min(76, Math.max(54, wide / 8)), zoom = Math.max(.08, Math.min(1.5, (wide - 2 * side) / Math.max(1, box.w), (high - 84) / Math.max(1, box.h)));
      cy.viewport({zoom, pan: {x: wide / 2 - zoom * (box.x1 + box.x2) / 2, y: high / 2 - 14 - zoom * (box.y1 + box.y2) / 2}});
    };
    const settle = (times = 1) => {  // in the shape of the window, and names apart
      shape();
      fit();
      for (let i = 0; i < times && !narrow(); i += 1) { untangle(seen()); fit(); }
    };
    const forces = (nodes, rounds) => nodes.layout({name: 'cose', animate: false, randomize: false, fit: false, numIter: rounds,
      nodeDimensionsIncludeLabels: true, idealEdgeLength: (edge) => ({in: 46, chain: 60, by: 90}[edge.data('kind')] || 96),
      nodeRepulsion: () => 9000, nodeOverlap: 24, gravity: .35, componentSpacing: 70, edgeElasticity: () => 90,
      boundingBox: {x1: 0, y1: 0, w: Math.max(600, canvas.clientWidth), h: Math.max(500, canvas.clientHeight)}}).run();
    const scattered = (id) => {  // where a node begins that has no place yet: by its name alone
      let mixed = 2166136261;
      for (const letter of id) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 16777619) >>> 0;
      const turn = 2 * Math.PI * (mixed % 3600) / 3600, far = 260 * Math.sqrt((mixed >>> 12) % 1000 / 1000);
      return {x: far * Math.cos(turn), y: far * Math.sin(turn)};
    };
    // Where everything stood in this browser: one more memory moves nothing else. Around one node, and on a phone, it is drawn anew.
    const stood = (patch) => {
      if (patch.origin || narrow()) return {};
      try { return JSON.parse(localStorage.getItem('pmg-graph ' + patch.namespace)) || {}; } catch { return {}; }
    };
    const remember = (patch) => {
      if (patch.origin || narrow()) return;
      const places = Object.fromEntries(cy.nodes().map((node) => [node.id(), [Math.round(node.position('x')), Math.round(node.position('y'))]]));
      try { localStorage.setItem('pmg-graph ' + patch.namespace, JSON.stringify(places)); } catch {}  // full or forbidden: it is drawn anew
    };
    const arrange = (places) => {
      const old = cy.nodes().filter((node) => node.id() in places), fresh = cy.nodes().difference(old);
      if (old.length <= fresh.length) { if (cy.nodes().length > 1) { forces(cy.elements(), 700); settle(2); } return; }
      fresh.forEach((node) => {  // beside those it is linked to
        const near = node.neighborhood('node').intersection(old), some = near.nonempty() ? near : old, by = scattered(node.id());
        const middle = (axis) => some.reduce((sum, one) => sum + one.position(axis), 0) / some.length + by[axis] / 4;
        node.position({x: middle('x'), y: middle('y')});
      });
      fit();
      untangle(fresh);
    };

    const set = (patch) => {
      cy.elements().remove();
      const most = largest(patch.nodes);
      const places = stood(patch), place = (id) => (places[id] ? {x: places[id][0], y: places[id][1]} : scattered(id));
      cy.add(patch.nodes.map((node) => ({...element_of(node, most), position: place(node.id)})));
      cy.add(patch.links.map(link_of));
      picture = {namespace: patch.namespace, version: patch.version, unit: patch.unit, at: patch.origin};
      slider();
      arrange(places);
      fit();
      remember(patch);
      if (patch.origin) cy.getElementById(patch.origin).select();
      const asked = early || keeper().read()['graph-words'] || '';
      early = '';
      if (document.activeElement !== field) field.value = asked;  // what is being typed stays
      if (asked) search(asked); else words = '';
    };

    const add = (patch) => {
      const fresh = patch.nodes.filter((node) => cy.getElementById(node.id).empty());
      const middle = cy.getElementById(patch.origin), most = largest([...cy.nodes().map((node) => node.data()), ...patch.nodes]);
      const home = middle.nonempty() ? middle.position() : {x: cy.extent().x1 + cy.extent().w / 2, y: cy.extent().y1 + cy.extent().h / 2};
      cy.nodes().lock();
      const made = cy.add(fresh.map((node, i) => {
        const turn = 2 * Math.PI * i / fresh.length, far = 110 + 3 * fresh.length;
        return {...element_of(node, most), position: {x: home.x + far * Math.cos(turn), y: home.y + far * Math.sin(turn)}};
      }));
      cy.add(patch.links.filter((link) => cy.getElementById(link.id).empty() && cy.getElementById(link.source).nonempty()
        && cy.getElementById(link.target).nonempty()).map(link_of));
      if (fresh.length) forces(cy.elements(), 250);
      cy.nodes().unlock();
      if (narrow() && made.nonempty()) settle(); else untangle(made);
      slider();
      if (made.nonempty()) {
        const box = made.union(middle).renderedBoundingBox(), inside = box.x1 > 0 && box.y1 > 0 && box.x2 < cy.width() && box.y2 < cy.height();
        if (!inside) fit();
      }
    };

    const mark = (ids) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean), hits = new Set(ids);
      cy.batch(() => cy.nodes().forEach((node) => {
        const name = node.data('title').toLowerCase();
        const hit = !!wanted.length && (hits.has(node.id()) || wanted.every((word) => name.includes(word)));
        node.toggleClass('pmg-hit', hit).toggleClass('pmg-dim', !!wanted.length && !hit);
      }));
      const marked = cy.nodes('.pmg-hit').length;
      cy.edges().toggleClass('pmg-dim', !!marked);
      if (wanted.length && !marked) cy.elements().removeClass('pmg-dim');
      return marked;
    };

    const tally = () => {
      const nodes = seen();
      at('.pmg-g-list summary').textContent = `List of what is shown (${nodes.length})`;
      const rows = nodes.toArray().sort((a, b) => b.data('rank') - a.data('rank')).map((node) => {
        const row = document.createElement('li'), read = document.createElement('button'), open = document.createElement('button');
        read.type = open.type = 'button';
        read.className = 'pmg-g-name';
        read.textContent = node.data('label');
        read.title = node.data('title');
        read.dataset.node = open.dataset.open = node.id();
        const kind = document.createElement('span');
        kind.className = 'pmg-quiet';
        kind.textContent = ` ${sorts[node.data('kind')].says}${node.data('count') > 1 ? ' · ' + node.data('count') + ' memories' : ''}`;
        open.textContent = '+';
        open.title = 'Add its neighbours';
        open.setAttribute('aria-label', `Add the neighbours of ${node.data('label')}`);
        row.append(open, read, kind);
        return row;
      });
      list.replaceChildren(...rows);
    };

    const key = () => {  // the legend: what is there, each kind a switch
      const has = (selector, kind) => cy.elements(`${selector}[kind="${kind}"]`).length;
      const button = (group, kind, one, mark) => {
        const made = document.createElement('button'), sign = document.createElement('i'), text = document.createElement('span');
        made.type = 'button';
        made.dataset.toggle = group + kind;
        made.setAttribute('aria-pressed', String(!hidden.has(group + kind)));
        made.title = hidden.has(group + kind) ? 'Show these' : 'Hide these';
        sign.className = mark;
        text.textContent = one.says;
        made.append(sign, text);
        return [made, sign];
      };
      const parts = [];
      for (const [kind, one] of Object.entries(sorts)) if (has('node', kind)) parts.push(button('node ', kind, one, 'pmg-g-' + kind)[0]);
      for (const [kind, one] of Object.entries(kinds)) if (has('edge', kind)) {
        const [made, sign] = button('edge ', kind, one, 'pmg-g-line');
        sign.style.borderTop = `${Math.max(2, one.width)}px ${one.line} ${one.colour}`;
        parts.push(made);
      }
      legend.replaceChildren(...parts);
    };

    // time
    const day = (n) => new Date(n * 864e5).toLocaleDateString('en-GB', {day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC'});
    const month = (n) => new Date(Date.UTC(1970, n, 1)).toLocaleDateString('en-GB', {month: 'short', year: 'numeric', timeZone: 'UTC'});
    const name = (n) => (picture.unit === 'day' ? day(n) : month(n));
    const slider = () => {
      const all = cy.nodes().map((node) => node.data('when')).flat();
      const first = Math.min(...all), last = Math.max(...all), asked = keeper().read();
      at('.pmg-g-time').hidden = !(first < last);
      if (!(first < last)) return;
      for (const end of [from, to]) { end.min = first; end.max = last; }
      const number = (text, other) => (text !== undefined && text !== '' && Number(text) >= first && Number(text) <= last ? Number(text) : other);
      from.value = number(asked['graph-from'], first);
      to.value = number(asked['graph-to'], last);
    };
    const filtered = () => {
      const low = Math.min(+from.value, +to.value), high = Math.max(+from.value, +to.value), off = at('.pmg-g-time').hidden;
      range.textContent = off ? '' : `${name(low)} – ${name(high)}`;
      at('.pmg-g-time').style.setProperty('--low', `${100 * (low - from.min) / Math.max(1, from.max - from.min)}%`);
      at('.pmg-g-time').style.setProperty('--high', `${100 * (high - from.min) / Math.max(1, from.max - from.min)}%`);
      cy.batch(() => {
        cy.nodes().forEach((node) => {
          const out = !off && !node.data('when').some((n) => n >= low && n <= high);
          node.toggleClass('pmg-gone', out || hidden.has('node ' + node.data('kind')));
        });
        cy.edges().forEach((edge) => { edge.toggleClass('pmg-gone', hidden.has('edge ' + edge.data('kind'))); });
      });
    };

    const refresh = () => { filtered(); key(); tally(); choose(); soon(); };
    const chosen = () => cy.$('node:selected').first();
    const choose = () => {
      for (const button of element.querySelectorAll('[data-act=expand], [data-act=around], [data-act=drop]')) button.disabled = chosen().empty();
    };
    const say = (text) => { said.textContent = text; };

    const search = (text) => {
      words = text.trim();
      if (!picture.namespace) { early = words; return; }
      if (!words) { mark([]); refresh(); say(''); return; }
      tell('find', {words, shown: cy.nodes().map((node) => node.id())});
    };
    const expand = (id) => {
      if (cy.nodes().length >= MOST) return say('The picture is full. Hide some of it, or look only around one.');
      say('…');
      tell('expand', {id, shown: cy.nodes().map((node) => node.id())});
    };
    const read = (node) => {
      cy.nodes().unselect();
      node.select();
      choose();
      keeper().put({memory: node.data('read')});
      tell('pick', {pick: node.data('read')});
    };
    const close = () => { cy.nodes().unselect(); choose(); soon(); keeper().put({memory: ''}); tell('close', {}); };

    const acts = {
      whole: () => { keeper().put({'graph-at': '', 'graph-from': '', 'graph-to': ''}); tell('around', {id: ''}); },
      around: () => { const node = chosen(); if (node.nonempty()) { keeper().put({'graph-at': node.id()}); tell('around', {id: node.id()}); } },
      expand: () => { if (chosen().nonempty()) expand(chosen().id()); },
      drop: () => { chosen().remove(); slider(); refresh(); },
      in: () => cy.zoom({level: cy.zoom() * 1.3, renderedPosition: {x: cy.width() / 2, y: cy.height() / 2}}),
      out: () => cy.zoom({level: cy.zoom() / 1.3, renderedPosition: {x: cy.width() / 2, y: cy.height() / 2}}),
      fit,
    };

    cy.on('onetap', 'node', (event) => read(event.target));
    cy.on('dbltap', 'node', (event) => expand(event.target.id()));
    cy.on('viewport drag free select unselect', soon);
    cy.on('select unselect', choose);
    cy.on('mouseover', 'node, edge', (event) => {
      const text = event.target.data('title');
      event.target.addClass('pmg-over');
      tip.textContent = text;
      tip.hidden = !text;
      const place = event.renderedPosition, wide = Math.min(320, cy.width() - 16);
      tip.style.left = `${Math.max(8, Math.min(place.x + 14, cy.width() - wide - 8))}px`;
      tip.style.top = `${Math.min(place.y + 14, cy.height() - 60)}px`;
    });
    cy.on('mouseout', 'node, edge', (event) => { event.target.removeClass('pmg-over'); tip.hidden = true; });

    element.addEventListener('click', (event) => {
      const on = (selector) => event.target.closest(selector);
      const act = on('[data-act]'), toggle = on('[data-toggle]'), node = on('[data-node]'), open = on('[data-open]');
      if (act) acts[act.dataset.act]();
      if (toggle) {
        hidden.has(toggle.dataset.toggle) ? hidden.delete(toggle.dataset.toggle) : hidden.add(toggle.dataset.toggle);
        refresh();
      }
      if (node) read(cy.getElementById(node.dataset.node));
      if (open) expand(open.dataset.open);
    });
    at('.pmg-g-find').addEventListener('submit', (event) => {
      event.preventDefault();
      keeper().put({'graph-words': field.value.trim()});
      search(field.value);
    });
    field.addEventListener('search', () => { if (!field.value && words) { keeper().put({'graph-words': ''}); search(''); } });
    for (const end of [from, to]) {
      end.addEventListener('input', () => { filtered(); soon(); });
      end.addEventListener('change', () => {
        const low = Math.min(+from.value, +to.value), high = Math.max(+from.value, +to.value);
        const all = low === +from.min && high === +from.max;
        keeper().put({'graph-from': all ? '' : String(low), 'graph-to': all ? '' : String(high)}, true);
        tally();
      });
    }

    const step = (by) => {
      const order = seen().toArray().sort((a, b) => b.data('rank') - a.data('rank'));
      if (!order.length) return;
      const here = order.findIndex((node) => node.selected());
      const next = order[(here + by + order.length) % order.length];
      cy.nodes().unselect();
      next.select();
      const place = next.renderedPosition();
      if (place.x < 0 || place.y < 0 || place.x > cy.width() || place.y > cy.height()) cy.center(next);
      window.pmg?.announce?.(next.data('title'));
    };
    canvas.addEventListener('keydown', (event) => {
      const move = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]}[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (move) cy.panBy({x: move[0], y: move[1]});
      else if (event.key === '+' || event.key === '=') acts.in();
      else if (event.key === '-') acts.out();
      else if (event.key === '0') fit();
      else if (event.key === 'n' || event.key === 'p') step(event.key === 'n' ? 1 : -1);
      else if (event.key === 'e') acts.expand();
      else if (event.key === 'Enter') { if (chosen().nonempty()) read(chosen()); }
      else return;
      event.preventDefault();
    });
    const escape = (event) => {
      if (!element.isConnected) { document.removeEventListener('keydown', escape); return; }
      if (event.key !== 'Escape' || !element.offsetParent || event.defaultPrevented) return;
      if (event.target === field && field.value) { field.value = ''; keeper().put({'graph-words': ''}); search(''); return; }
      tip.hidden = true;
      close();
    };
    document.addEventListener('keydown', escape);

    let handled = 0, sizing = 0;
    new ResizeObserver(() => {  // the reader beside it comes and goes in steps: once it stands, the picture takes the new shape
      tip.hidden = true;
      clearTimeout(sizing);
      sizing = setTimeout(() => {
        if (!canvas.clientWidth) return;
        cy.resize();
        if (handled && Math.abs(canvas.clientWidth - handled) > 40 && cy.nodes().length > 1) settle();
        handled = canvas.clientWidth;
        soon();
      }, 120);
    }).observe(canvas);
    new MutationObserver(() => { cy.style(look()); soon(); }).observe(document.body, {attributes: true, attributeFilter: ['class']});

    const apply = (patch) => {
      if (!patch || !patch.op) return;
      if (patch.op === 'set') set(patch);
      else add(patch);
      if (patch.op === 'find') {
        const marked = mark(patch.hits);
        patch.said = marked ? patch.said || `${marked} marked` : 'Nothing here has these words.';
      }
      empty.hidden = cy.nodes().length > 0;
      empty.textContent = cy.nodes().length ? '' : patch.said;
      if (!(patch.op === 'set' && words)) say(cy.nodes().length ? patch.said : '');
      refresh();
    };
    const restore = (patch) => {  // the tab was opened again: what was built up is still there, unless the memory changed
      const old = patch && KEPT[patch.namespace], asked = keeper().read();
      if (!old || old.picture.version !== patch.version || (asked['graph-at'] || '') !== old.picture.at || !old.json.length) return false;
      picture = old.picture;
      cy.elements().remove();
      cy.add(old.json);
      slider();
      cy.viewport({zoom: old.zoom, pan: old.pan});
      const wanted = early || asked['graph-words'] || '';
      early = '';
      if (document.activeElement !== field) field.value = wanted;
      words = old.words;
      say(old.said);
      empty.hidden = true;
      refresh();
      if (wanted !== words) search(wanted);
      return true;
    };
    const received = (patch) => { if (!(patch && patch.op === 'set' && patch.tab_opened && restore(patch))) apply(patch); };
    watch('value', () => received(props.value));
    received(props.value);
  };
  return {start};
})();
