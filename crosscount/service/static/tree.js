// Alpha-beta on a drawn tree. A step is [kind, node, alpha, beta, best, child, skipped, because].
"use strict";
(() => {
  const wire = async () => {
    const root = document.getElementById("tree-player");
    const svg = document.querySelector("svg.tree");
    if (!root || !svg || root.dataset.wired) return;
    root.dataset.wired = "yes";
    const answer = await fetch(`/jobs/${root.dataset.job}/tree.json`);
    if (!answer.ok) return;
    const { steps } = await answer.json();
    const nodes = new Map([...svg.querySelectorAll(".at")].map((g) => [Number(g.dataset.node), g]));
    const lines = [...svg.querySelectorAll("path[data-node]")];
    const texts = new Map();
    for (const [node, g] of nodes) {
      const text = g.querySelector("text");
      // An inner node has a shape, and shows what is known so far; a leaf is only its value.
      if (g.querySelector("rect, ellipse")) texts.set(node, [text, text ? text.textContent : ""]);
    }
    const part = (name) => root.querySelector(`[data-${name}]`);

    function show(at) {
      const playing = at < steps.length - 1;
      svg.classList.toggle("playing", playing);
      const seen = new Set([0]);
      const best = new Map();
      const skipped = new Set();
      const path = [];
      let leaves = 0;
      let cuts = 0;
      for (let k = 0; k <= at; k += 1) {
        const [kind, node, , , value, child, skips] = steps[k];
        seen.add(node);
        if (kind === "enter") path.push(node);
        if (kind === "leaf") {
          seen.add(child);
          leaves += 1;
        }
        if (kind === "return") path.pop();
        if (kind === "cut") {
          cuts += 1;
          skips.forEach((skip) => skipped.add(skip));
        }
        if (value !== null) best.set(node, value);
      }
      const [kind, here, alpha, beta, , child, , because] = steps[at];
      for (const [node, g] of nodes) {
        g.classList.toggle("unseen", playing && !seen.has(node));
        g.classList.toggle("path", playing && path.includes(node));
        g.classList.toggle("here", playing && (kind === "leaf" ? node === child || node === here : node === here));
      }
      for (const line of lines) {
        const node = Number(line.dataset.node);
        if (line.classList.contains("strike")) line.classList.toggle("on", skipped.has(node));
        else line.classList.toggle("unseen", playing && !seen.has(node) && !skipped.has(node));
      }
      for (const [node, [text, full]] of texts) {
        if (text) text.textContent = playing ? (best.get(node) ?? "") : full;
      }
      part("alpha").textContent = alpha;
      part("beta").textContent = beta;
      part("leaves").textContent = leaves;
      part("cuts").textContent = cuts;
      part("because").textContent = because;
    }
    root.querySelector("#window").hidden = false;
    window.player(root, steps.length, show, steps.length - 1);
  };
  wire();
  // The tree may come later, when its job has ended.
  document.addEventListener("htmx:afterSettle", wire);
})();
