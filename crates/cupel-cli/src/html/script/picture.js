// The window as a strip in proportion, and the scores along it. One canvas, because a window may
// have more items than the screen has pixels; to the keyboard it is one slider over the items.
const canvas = $("strip"), tip = $("tip"), cursor = $("cursor");
const stripHeight = 54, gap = 6, scoreHeight = 74;
/** Left and right edge of each item of the window in CSS pixels, and which item each pixel shows. */
let edges = [], shownAt = [], chosen = 0;

function layOut(at, width) {
  const total = Math.max(at.max, at.used, 1);
  let tokens = 0;
  return at.window.map(of => {
    const left = Math.min(Math.round(tokens / total * width), width - 1);
    tokens += Math.max(0, formIn(items.get(of), at).tokens);
    // Whatever is in the window is at least one pixel wide.
    return { item: items.get(of), left, right: Math.max(left + 1, Math.round(tokens / total * width)) };
  });
}

function drawPicture(at) {
  const scale = devicePixelRatio || 1, width = Math.round(canvas.clientWidth * scale);
  if (width === 0) return;
  canvas.width = width;
  canvas.height = Math.round((stripHeight + gap + scoreHeight) * scale);
  const pen = canvas.getContext("2d"), fill = kindFills(pen, scale);
  const [enter, ink] = [resolved("--enter"), resolved("--ink")];
  const strip = Math.round(stripHeight * scale), floor = canvas.height;
  edges = layOut(at, width);
  shownAt = new Int32Array(width).fill(-1);

  const paint = (index, match) => {
    const { item, left, right } = edges[index];
    // A line between neighbours, where it leaves enough of them.
    const wide = right - left - (right - left >= 4 * scale ? Math.round(scale) : 0);
    const { solid, striped } = fill(item.kind);
    pen.globalAlpha = match ? 1 : 0.2;
    const tall = item.pinned ? scoreHeight : Math.max(2, shareOfBest(item) * (scoreHeight - 4));
    const areas = [[0, strip], [floor - tall * scale, tall * scale]];
    for (const [area, [top, height]] of areas.entries()) {
      if (area === 1 && item.pinned) pen.globalAlpha = 0.2;
      pen.clearRect(left, top, right - left, height);
      for (const style of wide >= 4 * scale && striped ? [solid, striped] : [solid]) {
        pen.fillStyle = style;
        pen.fillRect(left, top, wide, height);
      }
      if (area === 0 && item.pinned) {
        pen.fillStyle = ink;
        pen.fillRect(left, 0, wide, 5 * scale);
      }
      if (area === 0 && !actualWindow.has(item.n)) {
        pen.fillStyle = enter;
        pen.fillRect(left, strip - 7 * scale, wide, 7 * scale);
      }
    }
    shownAt.fill(index, left, right);
  };
  // What matches comes last: where items share a pixel, it is the one to be seen.
  const matching = edges.map(({ item }) => matches(item));
  for (const match of [false, true]) matching.forEach((is, index) => { if (is === match) paint(index, match); });
  drawRoom(pen, at, width, strip, scale);

  canvas.setAttribute("aria-valuemax", Math.max(1, at.window.length));
  choose(Math.min(chosen, Math.max(0, at.window.length - 1)));
}

/** What is free, and what is kept for the answer. */
function drawRoom(pen, at, width, strip, scale) {
  const total = Math.max(at.max, at.used, 1);
  const answer = Math.min(data.reserve, Math.max(0, total - at.used));
  const rest = Math.max(0, total - at.used - answer);
  const from = edges.at(-1)?.right ?? 0, until = Math.round((1 - answer / total) * width);
  pen.globalAlpha = 1;
  pen.fillStyle = resolved("--free");
  pen.fillRect(from, 0, width - from, strip);
  pen.save();
  pen.beginPath();
  pen.rect(Math.max(from, until), 0, width, strip);
  pen.clip();
  pen.strokeStyle = resolved("--line");
  pen.lineWidth = 4 * scale;
  for (let x = until - strip; x < width; x += 12 * scale) {
    pen.beginPath();
    pen.moveTo(x, strip);
    pen.lineTo(x + strip, 0);
    pen.stroke();
  }
  pen.restore();
  $("room").textContent = `${n(rest)} free` + (answer ? `, ${n(answer)} for the answer` : "");
}

const described = (item, at = data.steps[state.step]) => `#${item.n}${item.id ? ` ${item.id}` : ""}, ${item.kind}, ${plural(formIn(item, at).tokens, "token")}, ` +
  `${item.group ? `group ${item.group}, ` : ""}${at.forms.has(item.n) ? `${shortening(item, at)}, ` : ""}` +
  `${item.pinned ? "pinned" : item.score === undefined ? "no score" : `score ${scoreText(item)}`}: `;

function showTip(item, x, y) {
  tip.hidden = false;
  tip.replaceChildren(described(item), el("bdi", {}, firstLine(item.content, 140)));
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(8, Math.min(x + 12, innerWidth - box.width - 8)) + "px";
  tip.style.top = y + 18 + "px";
}

function choose(index) {
  const edge = edges[index];
  const focused = document.activeElement === canvas;
  cursor.hidden = !edge || !focused;
  canvas.setAttribute("aria-valuenow", index + 1);
  canvas.setAttribute("aria-valuetext", edge ? described(edge.item) + firstLine(edge.item.content, 140) : "empty");
  if (!edge) return;
  chosen = index;
  const scale = canvas.width / canvas.clientWidth;
  cursor.style.left = `${edge.left / scale}px`;
  cursor.style.width = `${(edge.right - edge.left) / scale}px`;
  if (!focused) return;
  const box = canvas.getBoundingClientRect();
  showTip(edge.item, box.left + edge.left / scale, box.top + stripHeight);
}

canvas.addEventListener("keydown", event => {
  const last = edges.length - 1, page = Math.max(1, Math.round(edges.length / 10));
  if ((event.key === "Enter" || event.key === " ") && edges[chosen]) {
    event.preventDefault();
    return reveal(edges[chosen].item.n);
  }
  const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, ArrowUp: chosen + 1, ArrowDown: chosen - 1,
    PageUp: chosen + page, PageDown: chosen - page, Home: 0, End: last }[event.key];
  if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  choose(Math.max(0, Math.min(to, last)));
});
canvas.addEventListener("focus", () => choose(chosen));
canvas.addEventListener("blur", () => { cursor.hidden = tip.hidden = true; });

const under = event => {
  const x = Math.floor((event.clientX - canvas.getBoundingClientRect().left) * canvas.width / canvas.clientWidth);
  return shownAt[x] >= 0 ? shownAt[x] : undefined;
};
canvas.addEventListener("pointermove", event => {
  const index = under(event);
  tip.hidden = index === undefined;
  if (index !== undefined) showTip(edges[index].item, event.clientX, event.clientY);
});
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("click", event => {
  const index = under(event);
  if (index === undefined) return;
  chosen = index;
  reveal(edges[index].item.n);
});
new ResizeObserver(() => drawPicture(data.steps[state.step])).observe(canvas);
