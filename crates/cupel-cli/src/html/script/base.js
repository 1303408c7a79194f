"use strict";
// What everything else uses. All of the script shares one scope: the page has no other.
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const items = new Map(data.items.map(item => [item.n, item]));
const actual = data.steps[data.current];
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
/** The score of a thousand tokens of an item, where that decides. */
const perThousand = item => data.perToken && item.score !== undefined && item.tokens > 0 ? item.score / item.tokens * 1000 : undefined;
/** The share of the best score, from 0 to 1. */
const shareOfBest = item => best > 0 ? Math.max(0, (item.score ?? 0) / best) : 0;

function matches(item) {
  if (state.kinds.size && !state.kinds.has(item.kind)) return false;
  const query = state.search.trim().toLowerCase();
  if (!query) return true;
  if (/^#\d+$/.test(query)) return item.n === Number(query.slice(1));
  item.haystack ??= [item.id ?? "", item.content, item.kind, item.source, ...(item.tags ?? [])].join("\n").toLowerCase();
  return item.haystack.includes(query);
}
