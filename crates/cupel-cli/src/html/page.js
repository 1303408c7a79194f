"use strict";
(() => {
  const errors = [];
  addEventListener("error", event => errors.push(String(event.message)));

  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const items = new Map(data.items.map(item => [item.n, item]));
  const state = { step: data.current, search: "", kinds: new Set(), reasons: new Set(), shown: 300 };

  const number = new Intl.NumberFormat("en-US");
  const n = value => number.format(value);
  const plural = (count, one) => `${n(count)} ${one}${count === 1 ? "" : "s"}`;

  const el = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  };

  // Well-known kinds have a colour each; others take turns in a few more.
  const known = ["SystemPrompt", "Message", "Document", "ToolOutput", "Memory"];
  const others = data.kinds.filter(kind => !known.includes(kind));
  const color = kind => `--kind: var(--${known.includes(kind) ? kind : "other" + (others.indexOf(kind) % 4)})`;

  const actual = data.steps[data.current];
  const actualWindow = new Set(actual.window);
  const best = Math.max(1e-9, ...data.items.map(item => item.score ?? 0));
  const reasonTitle = new Map(data.reasons.map(reason => [reason.name, reason.title]));

  const matches = item => {
    if (state.kinds.size && !state.kinds.has(item.kind)) return false;
    const query = state.search.trim().toLowerCase();
    if (!query) return true;
    if (/^#\d+$/.test(query)) return item.n === Number(query.slice(1));
    return item.haystack.includes(query);
  };
  for (const item of data.items) {
    item.haystack = [item.content, item.kind, ...item.tags].join("\n").toLowerCase();
  }

  const firstLine = (text, length) => {
    const line = text.trim().replace(/\s+/g, " ");
    return line.length > length ? line.slice(0, length) + "…" : line;
  };
  const scoreText = item => item.pinned ? "pinned" : item.score === null ? "" : item.score.toFixed(2);

  function drawFigures(step) {
    $("used").textContent = n(step.used);
    $("of-limit").textContent = `of ${n(step.limit)} tokens` + (step.limit > 0 ? ` (${Math.round(step.used / step.limit * 100)}%)` : "");
    $("kept").textContent = n(step.window.length);
    $("of-candidates").textContent = `of ${plural(data.items.length, "candidate")}`;
    $("budget-value").textContent = `${n(step.max)} tokens` + (data.reserve ? `, ${n(Math.min(data.reserve, step.max))} of them for the answer` : "");
    $("reset").hidden = step === actual;
    $("failure").hidden = !step.error;
    $("failure").textContent = step.error ?? "";
    $("picture").hidden = Boolean(step.error);
  }

  function drawMoves(step) {
    const now = new Set(step.window);
    const enter = step.window.filter(of => !actualWindow.has(of));
    const leave = actual.window.filter(of => !now.has(of));
    const moved = enter.length + leave.length > 0 && !step.error;
    $("change").hidden = !moved;
    $("moves").hidden = !moved;
    $("change").replaceChildren(
      el("span", { class: "enter" }, `+${n(enter.length)} in`),
      el("span", { class: "leave" }, `−${n(leave.length)} out`));
    const group = (name, label, numbers) => numbers.length === 0 ? [] : [el("div", { class: name }, el("b", {}, label),
      ...numbers.slice(0, 24).map(of => el("button", {
        type: "button", class: "move", style: color(items.get(of).kind), onclick: () => reveal(of),
      }, `#${of} · ${n(items.get(of).tokens)} · ${firstLine(items.get(of).content, 60)}`)),
      numbers.length > 24 ? el("span", { class: "quiet" }, `and ${n(numbers.length - 24)} more`) : "")];
    $("moves").replaceChildren(...group("enter", "Enters", enter), ...group("leave", "Leaves", leave));
    return { enter, leave };
  }

  function drawPicture(step) {
    const total = Math.max(step.max, step.used, 1);
    const strip = $("strip"), svg = $("scores");
    const width = 1000, height = 74;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const segments = [], bars = [];
    let at = 0;
    for (const of of step.window) {
      const item = items.get(of);
      const share = item.tokens / total * 100;
      const dimmed = matches(item) ? "" : " dimmed";
      const entered = actualWindow.has(of) ? "" : " entered";
      segments.push(el("button", {
        type: "button", role: "listitem", class: `seg${item.pinned ? " pinned" : ""}${entered}${dimmed}`,
        style: `${color(item.kind)}; flex: 0 0 ${share}%`, "data-n": of,
        "aria-label": `#${of}, ${item.kind}, ${plural(item.tokens, "token")}`,
        onclick: () => reveal(of),
      }));
      const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const tall = item.pinned ? height : Math.max(2, (item.score ?? 0) / best * (height - 4));
      bar.setAttribute("x", at / total * width);
      bar.setAttribute("width", Math.max(0.6, item.tokens / total * width - 1.2));
      bar.setAttribute("y", height - tall);
      bar.setAttribute("height", tall);
      bar.setAttribute("style", color(item.kind));
      bar.setAttribute("class", (item.pinned ? "pin" : "") + dimmed);
      bars.push(bar);
      at += item.tokens;
    }
    const answer = Math.min(data.reserve, Math.max(0, total - step.used));
    const rest = Math.max(0, total - step.used - answer);
    segments.push(el("span", { class: "rest", style: `flex: 0 0 ${rest / total * 100}%`, "data-tip": `${plural(rest, "token")} free` }));
    segments.push(el("span", { class: "answer", style: `flex: 0 0 ${answer / total * 100}%`, "data-tip": `${plural(answer, "token")} kept for the answer` }));
    $("room").textContent = `${n(rest)} free` + (answer ? `, ${n(answer)} for the answer` : "");
    strip.replaceChildren(...segments);
    svg.replaceChildren(...bars);
  }

  function needs(item) {
    if (!data.remedies) return "";
    if (item.needs !== null) {
      const about = item.exact ? "" : "at most ";
      const out = item.pushesOut.length === 0 ? "" : `, pushing out ${item.pushesOut.slice(0, 4).map(of => "#" + of).join(", ")}${item.pushesOut.length > 4 ? " and more" : ""}`;
      return `${about}${plural(item.needs, "more token")} would let it in${out}`;
    }
    return item.repeats ? `repeats #${item.repeats}` : "no larger budget lets it in";
  }

  function row(item, why, change) {
    const score = item.pinned || item.score === null ? [] : [el("span", { class: "bar" },
      el("i", { style: `width: ${Math.max(0, item.score / best * 100)}%` }))];
    const details = el("details", { class: `row ${change}`, style: color(item.kind), id: `item-${item.n}` },
      el("summary", {},
        el("span", { class: "n" }, `#${item.n}`),
        el("span", { class: "t", title: "tokens" }, n(item.tokens)),
        el("span", { class: "s", title: "score" }, scoreText(item), ...score),
        el("span", { class: "text" }, firstLine(item.content, 240)),
        ...(why ? [el("span", { class: "why" }, why)] : [])));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(full(item));
    });
    return details;
  }

  function full(item) {
    const facts = [["kind", item.kind], ["tokens", n(item.tokens)], ["score", item.score === null ? null : String(item.score)],
      ["timestamp", item.timestamp], ["priority", item.priority], ["source", item.source], ["tags", item.tags.join(", ")]];
    return el("div", { class: "full" },
      el("pre", {}, item.content + (item.clipped ? "\n… cut here" : "")),
      el("dl", {}, ...facts.filter(([, value]) => value !== null && value !== undefined && value !== "")
        .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, String(value))])));
  }

  function fill(target, rows) {
    const shown = rows.slice(0, state.shown).map(make => make());
    if (rows.length === 0) shown.push(el("p", { class: "nothing" }, "Nothing matches."));
    if (rows.length > state.shown) shown.push(el("button", {
      type: "button", class: "more", onclick: () => { state.shown *= 4; draw(); },
    }, `Show ${n(rows.length - state.shown)} more`));
    target.replaceChildren(...shown);
  }

  function drawLists(step) {
    const window = step.window.map(of => items.get(of)).filter(matches);
    const hideWindow = state.reasons.size > 0;
    $("in-count").textContent = `${n(hideWindow ? 0 : window.length)} of ${n(step.window.length)}`;
    fill($("in"), hideWindow ? [] : window.map(item => () => row(item, "", actualWindow.has(item.n) ? "" : "entered")));

    const rows = [];
    let matching = 0, total = 0;
    for (const [reason, numbers] of step.out) {
      total += numbers.length;
      if (state.reasons.size && !state.reasons.has(reason)) continue;
      const found = numbers.map(of => items.get(of)).filter(matches);
      matching += found.length;
      if (found.length === 0) continue;
      rows.push(() => el("h3", {}, reasonTitle.get(reason) ?? reason, " ", el("span", { class: "quiet" }, `${reason}, ${n(found.length)}`)));
      for (const item of found) {
        // What would let an item in is known for the actual budget only.
        const why = step === actual ? needs(item) : actualWindow.has(item.n) ? "in the window at the actual budget" : "";
        rows.push(() => row(item, why, actualWindow.has(item.n) ? "left" : ""));
      }
    }
    $("out-count").textContent = `${n(matching)} of ${n(total)}`;
    fill($("out"), rows);
  }

  function chip(label, set, value, style, count) {
    return el("button", {
      type: "button", class: "chip", "aria-pressed": String(set.has(value)), style, "data-value": value,
      onclick: () => { set.has(value) ? set.delete(value) : set.add(value); draw(); },
    }, ...(style ? [el("span", { class: "dot" })] : []), label, el("span", { class: "quiet" }, n(count)));
  }

  function drawChips(step) {
    const count = kind => data.items.filter(item => item.kind === kind).length;
    $("kinds").replaceChildren(...data.kinds.map(kind => chip(kind, state.kinds, kind, color(kind), count(kind))));
    const reasons = new Map(step.out.map(([reason, numbers]) => [reason, numbers.length]));
    for (const reason of state.reasons) if (!reasons.has(reason)) reasons.set(reason, 0);
    $("reasons").replaceChildren(...[...reasons].map(([reason, of]) =>
      chip(reasonTitle.get(reason) ?? reason, state.reasons, reason, undefined, of)));
  }

  function draw() {
    const step = data.steps[state.step];
    $("budget").value = state.step;
    drawFigures(step);
    const moves = drawMoves(step);
    if (!step.error) drawPicture(step);
    drawChips(step);
    drawLists(step);
    return moves;
  }

  function reveal(of) {
    let found = $(`item-${of}`);
    if (!found) {
      Object.assign(state, { search: "", kinds: new Set(), reasons: new Set(), shown: data.items.length });
      $("search").value = "";
      draw();
      found = $(`item-${of}`);
    }
    if (!found) return;
    found.open = true;
    found.scrollIntoView({ block: "center", behavior: "smooth" });
    found.classList.add("found");
    setTimeout(() => found.classList.remove("found"), 1600);
  }

  const tip = $("tip");
  $("strip").addEventListener("pointermove", event => {
    const of = event.target.dataset?.n, item = items.get(Number(of));
    tip.hidden = !item && !event.target.dataset?.tip;
    if (tip.hidden) return;
    tip.textContent = item
      ? `#${item.n} ${item.kind}, ${plural(item.tokens, "token")}, ${item.pinned ? "pinned" : "score " + scoreText(item)}: ${firstLine(item.content, 140)}`
      : event.target.dataset.tip;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(event.clientX + 12, innerWidth - box.width - 8)) + "px";
    tip.style.top = event.clientY + 18 + "px";
  });
  $("strip").addEventListener("pointerleave", () => { tip.hidden = true; });

  const remembered = () => { try { return localStorage.getItem("cupel-theme"); } catch { return null; } };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = name => { document.documentElement.dataset.theme = name; };
  theme(remembered() ?? (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => { if (!remembered()) theme(dark.matches ? "dark" : "light"); });
  $("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    theme(next);
    try { localStorage.setItem("cupel-theme", next); } catch { /* a page opened from disk may not remember */ }
  });

  $("title").textContent = data.title;
  $("subtitle").textContent = `${plural(data.items.length, "candidate")}, ${n(data.totalTokens)} tokens; policy ${data.policy}`;
  $("budget").max = data.steps.length - 1;
  $("least").textContent = n(data.steps[0].max);
  $("most").textContent = n(data.steps.at(-1).max);
  $("actual-value").textContent = n(actual.max);
  $("budget").addEventListener("input", event => { state.step = Number(event.target.value); draw(); });
  $("reset").addEventListener("click", () => { state.step = data.current; draw(); });
  $("search").addEventListener("input", event => { state.search = event.target.value; draw(); });
  draw();

  // `#selftest` works every control and writes down what happened, for a browser without hands.
  if (location.hash === "#selftest") {
    const report = { steps: data.steps.length };
    const rows = id => $(id).querySelectorAll(".row").length;
    const look = () => ({
      in: rows("in"), out: rows("out"), segments: $("strip").querySelectorAll(".seg").length,
      bars: $("scores").querySelectorAll("rect").length, used: $("used").textContent,
      entered: $("strip").querySelectorAll(".entered").length, changeShown: !$("change").hidden,
    });
    const type = (id, value) => { $(id).value = value; $(id).dispatchEvent(new Event("input")); };
    report.start = look();
    type("search", data.items[data.items.length - 1].content.slice(0, 24));
    report.searched = look();
    type("search", "no item contains this text");
    report.searchedInVain = look();
    type("search", "");
    $("kinds").querySelector(".chip").click();
    report.oneKind = { ...look(), kind: data.kinds[0] };
    $("kinds").querySelector(".chip").click();
    if ($("reasons").firstChild) {
      $("reasons").querySelector(".chip").click();
      report.oneReason = look();
      $("reasons").querySelector(".chip").click();
    }
    type("budget", 0);
    report.smallest = { ...look(), value: $("budget-value").textContent };
    type("budget", data.steps.length - 1);
    report.largest = { ...look(), value: $("budget-value").textContent };
    $("reset").click();
    report.end = look();
    const before = document.documentElement.dataset.theme;
    $("theme").click();
    report.themeSwitched = before !== document.documentElement.dataset.theme;
    $("strip").querySelector(".seg")?.click();
    report.revealed = document.querySelectorAll("details[open]").length;
    report.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    report.errors = errors;
    document.body.append(el("pre", { id: "selftest" }, JSON.stringify(report)));
  }
})();
