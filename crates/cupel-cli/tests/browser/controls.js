async () => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const rows = id => $(id).querySelectorAll(".row").length;
  const look = () => ({
    in: rows("in"), out: rows("out"), segments: Number($("strip").getAttribute("aria-valuemax")),
    used: $("used").textContent, entered: $("in").querySelectorAll(".entered").length,
    changeShown: !$("change").hidden, value: $("budget-value").textContent,
    spoken: $("budget").getAttribute("aria-valuetext"),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  });
  const type = async (id, value) => {
    $(id).value = value;
    $(id).dispatchEvent(new Event("input"));
    await settled();
    return look();
  };
  const press = (id) => { $(id).querySelector(".chip").click(); return look(); };
  const report = { steps: data.steps.length, start: look() };
  report.searched = await type("search", data.items.at(-1).content.slice(0, 24));
  report.searchedInVain = await type("search", "no item contains this text");
  report.searchedId = await type("search", "MSG-014");
  await type("search", "");
  report.oneKind = { ...press("kinds"), kind: data.kinds[0] };
  press("kinds");
  report.oneReason = press("reasons");
  press("reasons");

  // Where the browser draws the thumb cannot be asked; where it hears a click can be told.
  const share = data.current / (data.steps.length - 1), track = $("budget").getBoundingClientRect(), thumb = 18;
  const mark = $("mark").getBoundingClientRect();
  report.markIsAtThumb = Math.abs(track.left + thumb / 2 + (track.width - thumb) * share - (mark.left + mark.width / 2)) < 1;

  report.smallest = await type("budget", 0);
  report.largest = await type("budget", data.steps.length - 1);
  $("reset").click();
  report.end = look();
  const before = getComputedStyle(document.body).backgroundColor;
  $("theme").click();
  report.themeSwitched = before !== getComputedStyle(document.body).backgroundColor;
  const strip = $("strip").getBoundingClientRect();
  $("strip").dispatchEvent(new MouseEvent("click", { clientX: strip.left + 3, clientY: strip.top + 9 }));
  await settled();
  report.revealed = document.querySelectorAll("details[open]").length;
  return report;
}
