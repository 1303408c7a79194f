async () => {
  const $ = id => document.getElementById(id);
  const press = (on, key) => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const seen = it => it.checkVisibility() && it.tabIndex >= 0 && !it.disabled;
  const stops = within => [...within.querySelectorAll("a, button, input, canvas, summary, [tabindex]")].filter(seen);
  const summaries = [...$("in").querySelectorAll("summary")];
  const at = () => [...$("in").querySelectorAll("summary")].indexOf(document.activeElement);
  const now = () => Number($("strip").getAttribute("aria-valuenow"));
  const report = { tabStops: stops(document).length, strip: {}, list: {} };

  $("strip").focus();
  report.strip.items = Number($("strip").getAttribute("aria-valuemax"));
  report.strip.first = now();
  press($("strip"), "ArrowRight");
  report.strip.afterRight = now();
  press($("strip"), "End");
  report.strip.afterEnd = now();
  report.strip.described = /^#\d+ rec-\d+, Kind \d, \d tokens, score \d\.\d\d: Item \d+ of many$/.test($("strip").getAttribute("aria-valuetext"));
  press($("strip"), "Home");
  press($("strip"), "Enter");
  report.strip.enterOpens = document.activeElement === summaries[0] && summaries[0].parentElement.open;

  press(document.activeElement, "ArrowDown");
  report.list.afterDown = at();
  press(document.activeElement, "End");
  report.list.afterEnd = at();
  report.list.stops = stops($("in")).filter(it => it.tagName === "SUMMARY").length;
  $("in").querySelector(".more").click();
  report.focusAfterMore = at();

  const chip = $("kinds").querySelector(".chip");
  chip.focus();
  chip.click();
  report.focusAfterChip = document.activeElement.dataset.value === chip.dataset.value;

  $("budget").value = 3;
  $("budget").dispatchEvent(new Event("input"));
  await settled();
  $("reset").focus();
  $("reset").click();
  report.focusAfterReset = document.activeElement.id;
  return report;
}
