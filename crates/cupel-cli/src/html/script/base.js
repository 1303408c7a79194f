"use strict";
// What everything else uses. All of the script shares one scope: the page has no other.
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const items = new Map(data.items.map(item => [item.n, item]));
const actual = data.steps[data.current];
for (const step of data.steps) step.forms = new Map(step.short ?? []);
const actualWindow = new Set(actual.window);
const best = data.items.reduce((most, item) => Math.max(most, item.score ?? 0), 0);
const reasonTitle = new Map(data.reasons.map(reason => [reason.name, reason.title]));
const firstRows = 300;
const state = { step: data.current, search: "", kinds: new Set(), reasons: new Set(), shown: firstRows };

const n = new Intl.NumberFormat("en-US").format;
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 }).format;
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

const firstLine = (text, length) => {
  const line = text.slice(0, length * 2).trim().replace(/\s+/g, " ");
  return line.length > length || text.length > length * 2 ? line.slice(0, length) + "…" : line;
};
const scoreText = item => item.pinned ? "pinned" : item.score === undefined ? "" : item.score.toFixed(2);
/** All that stay together with an item, itself included. */
const unitOf = item => item.unit?.map(of => items.get(of)) ?? [item];
const sum = numbers => numbers.reduce((sum, number) => sum + number, 0);
/** The score of a thousand tokens of an item, or of its unit, where that decides. */
const perThousand = item => {
  const unit = unitOf(item), tokens = sum(unit.map(of => of.tokens));
  if (!data.perToken || item.score === undefined || tokens <= 0) return undefined;
  return Math.max(...unit.map(of => of.score ?? 0)) / tokens * 1000;
};
/** What a step has of an item in its window: the whole, or a shorter form. */
const formIn = (item, at) => { const form = at.forms.get(item.n); return form ? item.forms[form - 1] : item; };
/** How an item is shortened in a step, if it is. */
const shortening = (item, at) => at.forms.has(item.n) ?
  `shortened ${at.forms.get(item.n)}/${item.forms.length}, −${n(item.tokens - formIn(item, at).tokens)}` : "";
/** The share of the best score, from 0 to 1. */
const shareOfBest = item => best > 0 ? Math.max(0, (item.score ?? 0) / best) : 0;

function matches(item) {
  if (state.kinds.size && !state.kinds.has(item.kind)) return false;
  const query = state.search.trim().toLowerCase();
  if (!query) return true;
  if (/^#\d+$/.test(query)) return item.n === Number(query.slice(1));
  item.haystack ??= [item.id ?? "", item.group ?? "", item.content, item.kind, item.source, ...(item.tags ?? []), ...(item.forms ?? []).map(form => form.content)].join("\n").toLowerCase();
  return item.haystack.includes(query);
}
