// Two searches side by side. A step is [kind, cell, value, nodes, broken, because, changes].
"use strict";
(() => {
  const root = document.getElementById("replay");
  if (!root) return;

  class Side {
    constructor(element) {
      this.element = element;
      this.select = element.querySelector("select");
      this.cells = [...element.querySelectorAll("[data-cell]")];
      this.slots = new Map();
      for (const slot of element.querySelectorAll("[data-of]")) {
        const of = slot.dataset.of;
        if (!this.slots.has(of)) this.slots.set(of, []);
        this.slots.get(of).push(slot);
      }
      this.steps = [];
      this.at = -1;
      this.dead = 0;
      this.found = 0;
      this.lit = [];
      this.marks = []; // of each cell, also where its value hides them
    }

    async load() {
      this.say("The search is being recorded …");
      this.element.setAttribute("aria-busy", "true");
      const engine = this.select.value;
      const answer = await fetch(`/jobs/${root.dataset.job}/replay.json?engine=${engine}`);
      const told = await answer.json();
      if (engine !== this.select.value) return; // another one was chosen meanwhile
      this.element.removeAttribute("aria-busy");
      this.complete = told.complete;
      this.steps = answer.ok ? told.steps : [["start", null, null, 0, [], told.detail, []]];
      this.reset();
    }

    reset() {
      this.at = -1;
      this.dead = 0;
      this.found = 0;
      this.cells.forEach((_, v) => this.put(v, null, []));
    }

    say(words) {
      this.element.querySelector("[data-because]").textContent = words;
    }

    put(cell, value, marks) {
      this.marks[cell] = marks;
      const group = this.cells[cell];
      const text = group.querySelector(".value");
      if (text) text.textContent = value === null ? "" : value;
      for (const slot of this.slots.get(String(cell)) || []) {
        const own = Number(slot.dataset.value);
        const on = slot.classList.contains("queen") ? own === value : value === null && marks.includes(own);
        slot.classList.toggle("on", on);
      }
    }

    show(step) {
      const last = Math.min(step, this.steps.length - 1);
      if (last < 0) return;
      if (last < this.at) this.reset();
      while (this.at < last) {
        this.at += 1;
        const [kind, , , , , , changes] = this.steps[this.at];
        if (kind === "dead end") this.dead += 1;
        if (kind === "solution") this.found += 1;
        for (const [cell, value, marks] of changes) this.put(cell, value, marks);
      }
      for (const group of this.lit) group.classList.remove("current", "broken", "solved");
      this.lit = [];
      const [kind, cell, , nodes, broken, because] = this.steps[this.at];
      const light = (v, name) => {
        this.cells[v].classList.add(name);
        this.lit.push(this.cells[v]);
      };
      if (cell !== null) light(cell, "current");
      if (kind === "dead end") broken.forEach((v) => light(v, "broken"));
      if (kind === "solution") this.cells.forEach((_, v) => light(v, "solved"));
      const left = this.marks[cell];
      const rest = kind === "place" && left && left.length ? `; still to try: ${left.join(" ")}` : "";
      const over = this.at === this.steps.length - 1 && !this.complete && this.steps.length > 1;
      this.say(over ? `${because} – the replay ends here, the search does not` : because + rest);
      this.element.querySelector("[data-nodes]").textContent = nodes.toLocaleString("en");
      this.element.querySelector("[data-dead]").textContent = this.dead.toLocaleString("en");
      this.element.querySelector("[data-found]").textContent = this.found.toLocaleString("en");
    }
  }

  const sides = [...root.querySelectorAll(".side")].map((element) => new Side(element));
  const longest = () => Math.max(...sides.map((side) => side.steps.length), 1);
  let player = null;

  Promise.all(sides.map((side) => side.load())).then(() => {
    const show = (step) => sides.forEach((side) => side.show(step));
    player = window.player(root, longest(), show, Number(root.dataset.step));
  });
  for (const side of sides) {
    side.select.addEventListener("change", async () => {
      const asked = new URLSearchParams(sides.map((one) => [one.select.name, one.select.value]));
      history.replaceState(null, "", `?${asked}`);
      await side.load();
      if (player) player.resize(longest());
    });
  }
})();
