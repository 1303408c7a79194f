// The figures, the slider, and what happens when somebody moves something.
function drawFigures(at) {
  const share = at.limit > 0 ? ` (${Math.round(at.used / at.limit * 100)}%)` : "";
  $("used").textContent = n(at.used);
  $("of-limit").textContent = `of ${n(at.limit)} tokens${share}`;
  $("kept").textContent = n(at.window.length);
  $("budget-value").textContent = `${n(at.max)} tokens` + (data.reserve ? `, ${n(Math.min(data.reserve, at.max))} of them for the answer` : "");
  $("budget").value = state.step;
  $("budget").setAttribute("aria-valuetext", at.error ? `${n(at.max)} tokens: ${at.error}` : `${n(at.max)} tokens, ${n(at.window.length)} of ${plural(data.items.length, "item")} in the window`);
  if (document.activeElement === $("reset") && at === actual) $("budget").focus();
  $("reset").hidden = at === actual;
  $("failure").hidden = !at.error;
  $("failure").textContent = at.error ?? "";
  $("picture").hidden = Boolean(at.error);
}

function drawMoves(at) {
  const most = matchMedia("(max-width: 860px)").matches ? 8 : 24;
  const now = new Set(at.window);
  const enter = at.window.filter(of => !actualWindow.has(of));
  const leave = actual.window.filter(of => !now.has(of));
  const reshaped = at.window.filter(of => actualWindow.has(of) && at.forms.get(of) !== actual.forms.get(of));
  const moved = enter.length + leave.length + reshaped.length > 0 && !at.error;
  $("change").hidden = $("moves").hidden = !moved;
  $("change").replaceChildren(
    el("span", { class: "enter" }, `+${n(enter.length)} in`),
    el("span", { class: "leave" }, `−${n(leave.length)} out`));
  const group = (name, label, numbers) => numbers.length === 0 ? [] : [el("div", { class: name }, el("b", {}, label),
    ...numbers.slice(0, most).map(of => items.get(of)).map(item => el("button", {
      type: "button", class: `move ${kindClass(item.kind)}`, onclick: () => reveal(item.n),
    }, `#${item.n} · ${n(item.tokens)} · `, el("bdi", {}, firstLine(item.content, 60)))),
    numbers.length > most ? el("span", { class: "quiet" }, `and ${n(numbers.length - most)} more`) : "")];
  $("moves").replaceChildren(...group("enter", "Enters", enter), ...group("leave", "Leaves", leave), ...group("reshape", "Other form", reshaped));
}

function draw() {
  const at = data.steps[state.step];
  drawFigures(at);
  drawMoves(at);
  if (!at.error) drawPicture(at);
  drawChips(at);
  drawLists(at);
}

let asked = 0;
/** Draws once for all that has happened by then. */
function drawSoon() {
  clearTimeout(asked);
  asked = setTimeout(draw);
}

const remembered = () => { try { return localStorage.getItem("cupel-theme"); } catch { return null; } };
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
if (remembered()) document.documentElement.dataset.theme = remembered();
system.addEventListener("change", draw);
$("theme").addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("cupel-theme", next); } catch { /* a page opened from disk may not remember */ }
  draw();
});

// Steps are the same share apart, so their labels tell where in the range a budget is.
const lastStep = data.steps.length - 1;
const place = at => `left: calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${lastStep ? at / lastStep : 0})`;
$("budget").max = lastStep;
$("mark").style = place(data.current);
$("ticks").replaceChildren(...[...new Set([0, 1, 2, 3, 4].map(at => Math.round(at * lastStep / 4)))]
  .map(at => el("span", { style: place(at) }, compact(data.steps[at].max))));
$("actual-value").textContent = n(actual.max);
$("scale").textContent = best > 0 ? `Scores along the window, up to the best, ${best.toFixed(2)}` : "No item has a score above 0";
$("budget").addEventListener("input", event => { state.step = Number(event.target.value); drawSoon(); });
$("reset").addEventListener("click", () => { state.step = data.current; draw(); });
$("search").addEventListener("input", event => { Object.assign(state, { search: event.target.value, shown: firstRows }); drawSoon(); });
document.documentElement.classList.remove("plain");
draw();
