// The two lists, what is filtered from them, and how the keyboard walks through them.
function row(item, why, change, at, included) {
  const shown = included ? formIn(item, at) : item, short = included ? shortening(item, at) : "";
  const bar = item.pinned || item.score === undefined ? [] : [el("span", { class: "bar" },
    el("i", { style: `width: ${shareOfBest(item) * 100}%` }))];
  const details = el("details", { class: `row ${kindClass(item.kind)} ${change}`, id: `item-${item.n}`, "data-unit": item.unit?.[0] },
    el("summary", { tabindex: -1 },
      el("span", { class: "n" }, `#${item.n} `),
      el("span", { class: "t" }, n(shown.tokens), el("span", { class: "unseen" }, " tokens, score ")),
      el("span", { class: "s" }, scoreText(item), " ", ...bar),
      ...(data.perToken ? [el("span", { class: "p" }, perThousand(item)?.toFixed(2) ?? "",
        el("span", { class: "unseen" }, " per thousand tokens "))] : []),
      el("bdi", { class: "k", title: item.kind }, item.kind, " "),
      el("span", { class: "text", dir: "auto" }, firstLine(shown.content, 240)),
      ...(short || why ? [el("span", { class: "why" }, ...(short ? [el("b", { class: "short" }, short)] : []), short && why ? "; " : "", why)] : [])));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(full(item, shown));
  });
  return details;
}

const short = value => String(Number(value.toPrecision(3)));

/** Which scorer gave what, and what of it is in the score. */
function scoreParts(item) {
  const most = item.parts.reduce((most, [, , adds]) => Math.max(most, Math.abs(adds)), 0);
  const line = ([of, gave, adds]) => el("tr", {},
    el("th", { scope: "row" }, el("bdi", {}, data.scorers[of].name)),
    ...[gave, data.scorers[of].weight, adds].map(value => el("td", {}, value === null ? "not a number" : short(value))),
    el("td", { class: "share" }, el("span", { class: "bar" }, el("i", { style: `width: ${most > 0 ? Math.abs(adds) / most * 100 : 0}%` }))));
  return el("table", { class: "parts" }, el("caption", { class: "unseen" }, "What the score is made of"),
    el("thead", {}, el("tr", {}, ...["scorer", "gave", "× weight", "= adds", ""].map(name => name ? el("th", { scope: "col" }, name) : el("td")))),
    el("tbody", {}, ...item.parts.map(line)));
}

/** The content, with a button for each form if there are several; the one that is shown is pressed. */
function contents(item, shown) {
  const pre = el("pre", { dir: "auto" });
  const forms = [item, ...(item.forms ?? [])];
  const name = at => `${at === 0 ? "whole" : `form ${at} of ${forms.length - 1}`}, ${plural(forms[at].tokens, "token")}`;
  const buttons = forms.map((form, at) => el("button", { type: "button", class: "chip", onclick: () => show(form) }, name(at)));
  const show = form => {
    pre.textContent = form.content + (form.clipped ? "\n… cut here" : "");
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(forms[at] === form)));
  };
  show(shown);
  return forms.length === 1 ? [pre] : [el("div", { class: "chips forms", role: "group", "aria-label": "Forms" }, ...buttons), pre];
}

function full(item, shown) {
  const facts = [["id", item.id], ["kind", item.kind], ["tokens", n(item.tokens)], ["group", item.group], ["score", item.score], ["matched", item.matched], ["per 1,000 tokens", perThousand(item) === undefined ? undefined : short(perThousand(item))],
    ["taken before it", item.beatenBy && state.step === data.current ? `#${item.beatenBy}` : undefined],
    ["timestamp", item.timestamp], ["priority", item.priority], ["source", item.source], ["tags", item.tags?.join(", ")]];
  return el("div", { class: "full" },
    ...contents(item, shown),
    ...(item.parts ? [scoreParts(item)] : []),
    el("dl", {}, ...facts.filter(([, value]) => value !== undefined && value !== "")
      .flatMap(([name, value]) => [el("dt", {}, name), el("dd", { dir: "auto" }, String(value))])));
}

/** Rows that stay together, joined under one label where they stand next to each other. */
function joined(rows, at, included) {
  const runs = [];
  for (const made of rows) {
    const unit = made.dataset.unit, last = runs.at(-1);
    if (unit && last?.unit === unit) last.rows.push(made);
    else runs.push({ unit, rows: [made] });
  }
  return runs.flatMap(({ unit, rows }) => {
    if (!unit) return rows;
    const members = unitOf(items.get(Number(unit)));
    // What is true of all is told once.
    const whys = rows.map(made => made.querySelector(".why")), told = whys[0]?.textContent;
    for (const why of whys.slice(1)) if (why && why.textContent === told) why.remove();
    const tokens = sum(members.map(item => (included ? formIn(item, at) : item).tokens));
    const count = rows.length === members.length ? plural(rows.length, "item") : `${n(rows.length)} of ${plural(members.length, "item")}`;
    const label = el("p", { class: "label quiet" }, "together: ", el("bdi", {}, members[0].group), `, ${count}, ${plural(tokens, "token")}`);
    return [el("div", { class: "unit", role: "group", "aria-label": `group ${members[0].group}` }, label, ...rows)];
  });
}

function fill(target, rows, empty, at, included) {
  const shown = rows.slice(0, state.shown).map(make => make());
  if (rows.length === 0) shown.push(el("p", { class: "nothing" }, empty));
  if (rows.length > state.shown) shown.push(el("button", {
    type: "button", class: "more", onclick: () => {
      const before = target.querySelectorAll("summary").length;
      state.shown *= 4;
      draw();
      focusRow(target, before);
    },
  }, `Show ${n(Math.min(rows.length, state.shown * 4) - state.shown)} more of ${n(rows.length - state.shown)}`));
  target.replaceChildren(...joined(shown, at, included));
  target.querySelector("summary")?.setAttribute("tabindex", 0);
}

/** Moves the focus to one row; the list as a whole is one stop of the Tab key. */
function focusRow(target, to) {
  const all = [...target.querySelectorAll("summary")];
  const summary = all[Math.max(0, Math.min(to, all.length - 1))];
  if (!summary) return;
  target.querySelector("summary[tabindex='0']")?.setAttribute("tabindex", -1);
  summary.setAttribute("tabindex", 0);
  summary.focus();
}

for (const target of [$("in"), $("out")]) {
  target.addEventListener("keydown", event => {
    if (event.target.tagName !== "SUMMARY") return;
    const all = [...target.querySelectorAll("summary")], at = all.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    focusRow(target, to);
  });
}

const barsMean = best > 0 ? `; a full bar is the best score, ${best.toFixed(2)}` : "";

function drawLists(at) {
  const window = at.window.map(of => items.get(of)).filter(matches);
  const hideWindow = state.reasons.size > 0;
  $("in-count").textContent = `${n(hideWindow ? 0 : window.length)} of ${n(at.window.length)}${barsMean}`;
  fill($("in"), hideWindow ? [] : window.map(item => () => {
    const why = at === actual ? item.remedy ?? "" : "";
    return row(item, why, actualWindow.has(item.n) ? "" : "entered", at, true);
  }), at.window.length === 0 ? "The window is empty." : "Nothing matches.", at, true);

  const rows = [];
  let matching = 0, total = 0;
  for (const [reason, numbers] of at.out) {
    total += numbers.length;
    if (state.reasons.size && !state.reasons.has(reason)) continue;
    const found = numbers.map(of => items.get(of)).filter(matches);
    matching += found.length;
    if (found.length === 0) continue;
    rows.push(() => el("h3", {}, reasonTitle.get(reason) ?? reason, " ", el("span", { class: "quiet" }, `${reason}, ${n(found.length)}`)));
    for (const item of found) {
      // What would let an item in is known for the actual budget only.
      const why = at === actual ? item.remedy : actualWindow.has(item.n) ? "in the window at the actual budget" : "";
      rows.push(() => row(item, why, actualWindow.has(item.n) ? "left" : "", at, false));
    }
  }
  $("out-count").textContent = `${n(matching)} of ${n(total)}${barsMean}`;
  fill($("out"), rows, total === 0 ? "Nothing was left out." : "Nothing matches.", at, false);
}

function chip(label, set, value, kind, count) {
  return el("button", {
    type: "button", class: `chip ${kind}`, "aria-pressed": String(set.has(value)), "data-value": value,
    onclick: () => { set.has(value) ? set.delete(value) : set.add(value); draw(); },
  }, ...(kind ? [el("span", { class: "dot" })] : []), el("bdi", {}, label), el("span", { class: "quiet" }, n(count)));
}

const fewKinds = 24;
let allKinds = false;
function drawChips(at) {
  const focused = document.activeElement?.dataset.value;
  const shown = data.kinds.filter((kind, at) => allKinds || at < fewKinds || state.kinds.has(kind));
  const hidden = data.kinds.length - shown.length;
  $("kinds").replaceChildren(
    ...shown.map(kind => chip(kind, state.kinds, kind, kindClass(kind), kindCount.get(kind))),
    ...(hidden ? [el("button", { type: "button", class: "chip", onclick: () => { allKinds = true; draw(); } }, `and ${plural(hidden, "more kind")}`)] : []));
  const reasons = new Map(at.out.map(([reason, numbers]) => [reason, numbers.length]));
  for (const reason of state.reasons) if (!reasons.has(reason)) reasons.set(reason, 0);
  $("reasons").replaceChildren(...[...reasons].map(([reason, of]) =>
    chip(reasonTitle.get(reason) ?? reason, state.reasons, reason, "", of)));
  if (focused) document.querySelector(`.chip[data-value="${CSS.escape(focused)}"]`)?.focus();
}

function reveal(of) {
  if (!$(`item-${of}`)) {
    Object.assign(state, { search: `#${of}`, kinds: new Set(), reasons: new Set() });
    $("search").value = state.search;
    draw();
  }
  const found = $(`item-${of}`);
  if (!found) return;
  found.open = true;
  const list = found.closest(".rows");
  focusRow(list, [...list.querySelectorAll("summary")].indexOf(found.firstChild));
  found.scrollIntoView({ block: "center" });
  found.classList.add("found");
  setTimeout(() => found.classList.remove("found"), 1600);
}
