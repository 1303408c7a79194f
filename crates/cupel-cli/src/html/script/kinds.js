// Each kind has a colour and, from the ninth on, stripes: eight colours that people with any colour
// vision tell apart, times seven patterns. Well-known kinds always have the same.
const known = ["SystemPrompt", "Message", "Document", "ToolOutput", "Memory"];
const colours = 8, period = 8;
const patterns = [[], [45], [135], [0], [90], [45, 135], [0, 90]];

const others = data.kinds.filter(kind => !known.includes(kind));
const kindIndex = new Map([...known, ...others].map((kind, at) => [kind, at % (colours * patterns.length)]));
const kindClass = kind => `kind${kindIndex.get(kind)}`;
const kindCount = new Map();
for (const item of data.items) kindCount.set(item.kind, (kindCount.get(item.kind) ?? 0) + 1);

const distance = angle => angle % 90 ? period * Math.SQRT1_2 : period;
const stripes = angles => angles.map(angle =>
  `repeating-linear-gradient(${angle}deg, var(--stripe) 0 2px, transparent 2px ${distance(angle)}px)`).join(", ") || "none";
document.head.append(el("style", {}, ...new Set([...kindIndex.values()].map(at =>
  `.kind${at} { --kind: var(--kind-${at % colours}); --stripes: ${stripes(patterns[Math.floor(at / colours)])}; }\n`))));

/** The colour that a custom property stands for in the theme of the moment. */
function resolved(property) {
  const probe = document.body.appendChild(el("i", { style: `color: var(${property})` }));
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** How to fill the kinds on a canvas: a colour each, and its stripes if it has any. */
function kindFills(context, scale) {
  const stripe = resolved("--stripe");
  const solid = Array.from({ length: colours }, (_, at) => resolved(`--kind-${at}`));
  const striped = patterns.map(angles => {
    if (angles.length === 0) return null;
    const tile = el("canvas", { width: period * scale, height: period * scale });
    const pen = tile.getContext("2d");
    pen.fillStyle = stripe;
    for (const angle of angles) {
      pen.setTransform(scale, 0, 0, scale, period * scale / 2, period * scale / 2);
      pen.rotate(-angle * Math.PI / 180);
      for (const at of [-1, 0, 1]) pen.fillRect(-period, at * distance(angle) - 1, 2 * period, 2);
    }
    return context.createPattern(tile, "repeat");
  });
  return kind => {
    const at = kindIndex.get(kind);
    return { solid: solid[at % colours], striped: striped[Math.floor(at / colours)] };
  };
}
