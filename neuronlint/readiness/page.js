"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const CHUNK = 100;
  const WHO = {
    automatic: "fixed automatically", review: "fix to review", person: "by hand", nothing: "nothing to do",
  };
  const FIX = {
    safe: "The change that `neuronlint --fix` makes",
    unsafe: "The change that `neuronlint --fix --unsafe-fixes` makes, to be reviewed",
    display: "A possible change, made by nobody but you",
  };
  const $ = (id) => document.getElementById(id);

  // Everything from the code under report becomes text of an element, never markup.
  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children);
    return element;
  };
  const coded = (text) => {
    const pieces = text.split("`");
    return pieces.map((piece, at) => (at % 2 && at + 1 < pieces.length ? make("code", "", piece) : piece));
  };

  /* ---- the list of findings ---- */

  const codeLine = (number, kind, ...parts) => make("div", kind, make("i", "", String(number)), ...parts);
  const excerpt = (finding) => make("pre", "code", ...finding.excerpt.map(({ line, parts }) => {
    if (parts.length === 1) return codeLine(line, "", parts[0]);
    return codeLine(line, "", parts[0], make("mark", "", parts[1]), parts[2]);
  }));
  const diff = (finding) => make("pre", "code", ...finding.diff.flatMap((hunk) => [
    ...(hunk.cell ? [make("div", "", make("i", "", ""), `cell ${hunk.cell}`)] : []),
    ...hunk.old.map((text, at) => codeLine(hunk.old_line + at, "minus", `- ${text}`)),
    ...hunk.new.map((text, at) => codeLine(hunk.new_line + at, "plus", `+ ${text}`)),
  ]));
  const inside = (finding) => {
    const rule = data.rules[finding.code] || { name: finding.name, why: "", url: null };
    const box = make("div", "inside");
    if (finding.excerpt.length) box.append(excerpt(finding));
    if (finding.diff.length) box.append(make("h4", "", ...coded(FIX[finding.fix])), diff(finding));
    if (rule.why) box.append(make("h4", "", "Why"), make("p", "", ...coded(rule.why)));
    const more = make("p", "soft", `Rule ${finding.code}, ${finding.name}`);
    if (rule.url) {
      const link = make("a", "", "its page");
      Object.assign(link, { href: rule.url, rel: "noreferrer" });
      more.append(": ", link);
    }
    box.append(more);
    return box;
  };
  const row = (finding) => {
    const summary = make("summary", "",
      make("span", `dot ${finding.severity}`),
      make("span", "said", ...coded(finding.message),
        ...finding.targets.map((target) => make("span", "tag", target)),
        ...(finding.new ? [make("span", "tag", "new")] : [])),
      make("span", "who", `${finding.code} · ${WHO[finding.settled]}`),
      make("span", "path", `${finding.path}:${finding.place}`));
    const details = make("details", "finding", summary);
    details.addEventListener("toggle", () => {
      if (details.open && !details.querySelector(".inside")) details.append(inside(finding));
    });
    return details;
  };

  const order = { error: 0, warning: 1, info: 2 };
  const findings = data.findings
    .map((finding) => ({
      finding,
      words: `${finding.path} ${finding.code} ${finding.name} ${finding.message} ${finding.topic}`.toLowerCase(),
    }))
    .sort((a, b) => order[a.finding.severity] - order[b.finding.severity]);
  let chosen = findings;
  let shown = 0;
  const form = $("filters");

  const showMore = (number = CHUNK) => {
    $("list").append(...chosen.slice(shown, shown + number).map(({ finding }) => row(finding)));
    shown = Math.min(shown + number, chosen.length);
    $("more").hidden = shown >= chosen.length;
    const first = shown < chosen.length ? `; the first ${shown.toLocaleString("en")} are shown` : "";
    $("shown").textContent =
      `${chosen.length.toLocaleString("en")} of ${findings.length.toLocaleString("en")} findings${first}.`;
  };
  const isIn = (path, folder) => path === folder || path.startsWith(`${folder.replace(/\/$/, "")}/`);
  const filter = () => {
    const asked = Object.fromEntries(new FormData(form));
    const words = asked.text.toLowerCase().split(/\s+/).filter(Boolean);
    const path = asked.path.trim();
    chosen = findings.filter(({ finding, words: own }) =>
      (!asked.severity || finding.severity === asked.severity) &&
      (!asked.topic || finding.topic === asked.topic) &&
      (!asked.settled || finding.settled === asked.settled) &&
      (!asked.age || finding.new) &&
      (!path || isIn(finding.path, path) || finding.path.includes(path)) &&
      words.every((word) => own.includes(word)));
    $("list").replaceChildren();
    shown = 0;
    showMore();
  };
  const ask = (wanted) => {
    if (!form) return;
    form.reset();
    for (const [name, value] of Object.entries(wanted)) form.elements[name].value = value;
    filter();
  };
  if (form) {
    form.addEventListener("input", filter);
    form.querySelector("button").addEventListener("click", () => ask({}));
    form.addEventListener("submit", (event) => event.preventDefault());
    $("more").addEventListener("click", () => showMore());
    filter();
  }
  for (const button of document.querySelectorAll("[data-severity], [data-settled], [data-path], [data-text]")) {
    button.addEventListener("click", () => {
      ask({ ...button.dataset });
      $("findings")?.scrollIntoView({ behavior: "smooth" });
    });
  }

  /* ---- the charts ---- */

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const font = () => ({ family: getComputedStyle(document.body).fontFamily, size: 13, color: style("ink") });
  // Plotly reads some markup in labels.
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const STEPS = [[0, "none"], [2, "up to 2"], [5, "up to 5"], [15, "up to 15"], [Infinity, "more"]];
  const heat = (node) => {
    if (!node.counted) return "none";
    const density = (1000 * node.blocking) / Math.max(node.lines, 1);
    return String(STEPS.findIndex(([limit]) => density <= limit));
  };

  /** Folders and files as nodes; a folder that holds nothing but one other is not one of its own. */
  const nodes = () => {
    const all = new Map();
    const at = (path, parent, label) => {
      if (!all.has(path)) all.set(path, { path, parent, label, lines: 0, blocking: 0, counted: 0, ready: 0 });
      return all.get(path);
    };
    for (const file of data.files) {
      if (file.kind === "document" && !file.counted) continue; // settings and data are no code
      const parts = file.path.split("/");
      const own = [at("", null, data.title)];
      parts.forEach((part, index) =>
        own.push(at(parts.slice(0, index + 1).join("/"), parts.slice(0, index).join("/"), part)));
      for (const node of own) {
        node.lines += Math.max(file.lines, 1);
        node.blocking += file.errors + file.warnings + (file.kind === "kernel" ? 1 : 0);
        node.counted += file.counted ? 1 : 0;
        node.ready += file.counted && file.ready ? 1 : 0;
      }
    }
    return [...all.values()];
  };
  const all = nodes();
  const base = (margin) => ({
    margin, font: font(), paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    hoverlabel: { bgcolor: style("card"), bordercolor: style("line"), font: font() },
  });
  const config = { displayModeBar: false, responsive: true };
  const id = (path) => `/${path}`;

  const drawMap = () => {
    const colours = Object.fromEntries(["none", "0", "1", "2", "3", "4"].map((key) => [key, style(`heat-${key}`)]));
    const trace = {
      type: "treemap", branchvalues: "total", maxdepth: 3,
      ids: all.map((node) => id(node.path)),
      labels: all.map((node) => plain(node.label)),
      parents: all.map((node) => (node.parent === null ? "" : id(node.parent))),
      values: all.map((node) => node.lines),
      customdata: all.map((node) => [node.blocking, node.counted, node.ready]),
      hovertemplate: "<b>%{label}</b><br>%{value:,} lines<br>%{customdata[0]:,} places to change<br>" +
        "%{customdata[2]:,} of %{customdata[1]:,} files ready<extra></extra>",
      texttemplate: "%{label}<br>%{customdata[0]:,}",
      marker: {
        colors: all.map((node) => colours[heat(node)]), cornerradius: 3,
        line: { width: 1, color: style("paper") }, pad: { t: 22, l: 2, r: 2, b: 2 },
      },
      textfont: { color: all.map((node) => style(heat(node) === "4" ? "heat-ink-strong" : "heat-ink")) },
      tiling: { pad: 1 }, pathbar: { thickness: 24, textfont: font() }, sort: true,
    };
    return Plotly.react($("map"), [trace], { ...base({ t: 28, l: 0, r: 0, b: 0 }), uniformtext: { minsize: 9, mode: "hide" } }, config);
  };
  const drawScale = () => {
    const entry = (key, text) => {
      const swatch = make("i", "");
      swatch.style.background = `var(--heat-${key})`;
      return make("li", "", swatch, text);
    };
    $("scale").replaceChildren(
      make("li", "", "Places to change in 1,000 lines:"),
      ...STEPS.map(([, text], at) => entry(String(at), text)), entry("none", "no PyTorch"));
  };

  const topics = new Map();
  for (const { topic, severity, settled } of data.findings) {
    if (severity === "info") continue;
    if (!topics.has(topic)) topics.set(topic, { topic, automatic: 0, review: 0, person: 0 });
    topics.get(topic)[settled] += 1;
  }
  const bars = [...topics.values()].sort((a, b) =>
    a.automatic + a.review + a.person - (b.automatic + b.review + b.person));
  const drawBars = () => {
    const longest = Math.max(...bars.map((each) => each.automatic + each.review + each.person));
    const least = longest * 24 / Math.max($("bars").clientWidth - 180, 100); // that has room for a number
    const traces = ["automatic", "review", "person"].map((key) => ({
      type: "bar", orientation: "h", name: WHO[key], x: bars.map((each) => each[key]),
      y: bars.map((each) => plain(each.topic)), marker: { color: style(key) },
      text: bars.map((each) => (each[key] > least ? each[key].toLocaleString("en") : "")),
      textposition: "inside", insidetextanchor: "middle", textangle: 0, cliponaxis: false,
      hovertemplate: "%{y}<br>%{x:,} %{data.name}<extra></extra>",
    }));
    const layout = {
      ...base({ t: 8, l: 8, r: 8, b: 44 }), barmode: "stack", bargap: 0.38, height: 90 + 38 * Math.max(bars.length, 2),
      xaxis: { gridcolor: style("line"), zerolinecolor: style("line"), fixedrange: true, title: { text: "places that fail or silently do something else", font: { size: 12, color: style("soft") } } },
      yaxis: { automargin: true, fixedrange: true, ticksuffix: "  " },
      legend: { orientation: "h", x: 0, y: 1, yanchor: "bottom", traceorder: "normal" },
    };
    return Plotly.react($("bars"), traces, layout, config);
  };
  const draw = () => {
    if ($("map")) { drawMap(); drawScale(); }
    if ($("bars") && bars.length) drawBars();
  };

  if ($("bars") && !bars.length) $("bars").hidden = true;
  addEventListener("DOMContentLoaded", () => { // the library comes last, so that the text is there first
    draw();
    $("map")?.on("plotly_treemapclick", ({ nextLevel, points }) => {
      ask({ path: String((nextLevel === undefined ? points[0].id : nextLevel) || "/").slice(1) });
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    for (const name of ["beforeprint", "afterprint"]) {
      addEventListener(name, () => {
        draw();
        document.querySelectorAll(".js-plotly-plot").forEach((chart) => Plotly.Plots.resize(chart));
      });
    }
  });
})();
