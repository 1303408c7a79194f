page => {
  const rows = id => [...page.querySelectorAll(`#${id} .row`)];
  const text = (row, what) => row.querySelector(what)?.textContent;
  const [first, second] = rows("in");
  first.open = true;
  return {
    in: rows("in").length, out: rows("out").length,
    second: [".n", ".t", ".s", ".p", ".k"].map(what => text(second, what)).join(" "),
    reasons: [...page.querySelectorAll("#out h3")].map(it => it.firstChild.data.trim()),
    remedy: text(rows("out")[0], ".why"),
    contentOpens: first.querySelector("pre").checkVisibility() && first.querySelector("pre").textContent.startsWith("You are the support agent"),
    deadControls: [...page.querySelectorAll("button, input, canvas")].filter(it => it.checkVisibility()).length,
    overflow: page.documentElement.scrollWidth - page.documentElement.clientWidth,
  };
}
