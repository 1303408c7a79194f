async () => {
  const linear = part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const parse = text => {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return { rgb: [red, green, blue].map(part => part / 255), alpha };
  };
  const over = (above, below) => below.map((part, at) => above.rgb[at] * above.alpha + part * (1 - above.alpha));
  const luminance = rgb => rgb.map(linear).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ratio = (one, two) => {
    const [dim, bright] = [luminance(one), luminance(two)].sort((a, b) => a - b);
    return (bright + 0.05) / (dim + 0.05);
  };
  const background = element => {
    const behind = element.parentElement ? background(element.parentElement) : [1, 1, 1];
    return over(parse(getComputedStyle(element).backgroundColor), behind);
  };
  const opacity = element => element ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1;
  const textContrast = (element, style) => {
    const behind = background(element), text = parse(style.color);
    return ratio(over({ ...text, alpha: text.alpha * opacity(element) * style.opacity }, behind), behind);
  };

  // What people see who lack one kind of cone (Machado, Oliveira and Fernandes 2009), and everybody else.
  const eyes = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  ];
  const times = (matrix, vector) => matrix.map(row => row.reduce((sum, factor, at) => sum + factor * vector[at], 0));
  const oklab = rgb => times(
    [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]],
    times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], rgb)
      .map(part => Math.cbrt(Math.max(0, part))));

  document.querySelectorAll("details").forEach(it => { it.open = true; });
  document.getElementById("budget").value = 3;
  document.getElementById("budget").dispatchEvent(new Event("input"));
  await settled();
  document.querySelectorAll("details").forEach(it => { it.open = true; });
  document.getElementById("strip").focus();
  await settled();

  const measure = () => {
    const texts = [...document.body.querySelectorAll("*")].filter(it => it.checkVisibility()
      && [...it.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim()));
    const ratios = texts.map(it => ({ ratio: textContrast(it, getComputedStyle(it)), what: it.outerHTML.slice(0, 90) }));
    const search = document.getElementById("search"), card = background(search);
    const probe = document.body.appendChild(document.createElement("i"));
    const kinds = Array.from({ length: 8 }, (_, at) => {
      probe.style.color = `var(--kind-${at})`;
      return parse(getComputedStyle(probe).color).rgb;
    });
    probe.remove();
    let closest = 9;
    for (const eye of eyes) {
      const seen = kinds.map(rgb => oklab(times(eye, rgb.map(linear)).map(part => Math.min(1, Math.max(0, part)))));
      seen.forEach((one, at) => seen.slice(at + 1).forEach(two => {
        closest = Math.min(closest, Math.hypot(...one.map((part, at) => part - two[at])));
      }));
    }
    return {
      texts: texts.length, worst: ratios.sort((a, b) => a.ratio - b.ratio)[0],
      placeholder: textContrast(search, getComputedStyle(search, "::placeholder")),
      faintestKind: Math.min(...kinds.map(rgb => ratio(rgb, card))), closestKinds: closest,
    };
  };
  const report = {};
  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset.theme = theme;
    report[theme] = measure();
  }
  return report;
}
