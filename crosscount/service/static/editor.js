// The grid editor: arrows move, digits fill and move on where one digit is all a cell can hold, backspace clears.
"use strict";
(() => {
  const editor = document.getElementById("editor");
  const kind = document.getElementById("kind");
  const size = document.getElementById("size");
  if (!editor) return;

  const cells = () => [...editor.querySelectorAll("input")];
  const n = () => Number(editor.dataset.size);

  // As in the server's `default_box`: the most square box with no more rows than columns.
  function box(side) {
    let height = Math.floor(Math.sqrt(side));
    while (side % height) height -= 1;
    return [height, side / height];
  }

  function rebuild() {
    const before = cells().map((input) => input.value);
    const old = n();
    const side = Number(size.value);
    const [height, width] = box(side);
    const boxes = (kind.value === "sudoku" || kind.value === "diagonal") && height > 1;
    editor.dataset.size = side;
    editor.className = `editor n${side}`;
    const rows = [];
    for (let r = 0; r < side; r += 1) {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (let c = 0; c < side; c += 1) {
        const cell = document.createElement("span");
        cell.setAttribute("role", "gridcell");
        if (boxes && r > 0 && r % height === 0) cell.classList.add("top");
        if (boxes && c > 0 && c % width === 0) cell.classList.add("left");
        const input = document.createElement("input");
        input.name = "cell";
        input.maxLength = 2;
        input.autocomplete = "off";
        input.inputMode = side <= 9 ? "numeric" : "text";
        input.setAttribute("aria-label", `row ${r + 1} column ${c + 1}`);
        input.value = r < old && c < old ? before[r * old + c] : "";
        cell.append(input);
        row.append(cell);
      }
      rows.push(row);
    }
    editor.replaceChildren(...rows);
    rove(cells()[0]);
  }

  // One stop for the tab key, as a grid should have; arrows go on from there.
  function rove(input) {
    for (const other of cells()) other.tabIndex = -1;
    if (input) input.tabIndex = 0;
  }

  function go(from, rows, columns) {
    const all = cells();
    const side = n();
    const place = all.indexOf(from);
    const r = Math.min(side - 1, Math.max(0, Math.floor(place / side) + rows));
    const c = Math.min(side - 1, Math.max(0, (place % side) + columns));
    const next = all[r * side + c];
    rove(next);
    next.focus();
    next.select();
  }

  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  editor.addEventListener("keydown", (event) => {
    const input = event.target;
    if (event.key in MOVES && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      go(input, ...MOVES[event.key]);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      go(input, 0, event.key === "Home" ? -n() : n());
    } else if (event.key === "Backspace" && input.value === "") {
      event.preventDefault();
      go(input, 0, -1);
      document.activeElement.value = "";
    } else if (event.key === " ") {
      event.preventDefault();
      input.value = "";
      go(input, 0, 1);
    } else if (n() <= 9 && /^[0-9.]$/.test(event.key)) {
      // The digit takes the place of what stands there, wherever the caret is.
      event.preventDefault();
      input.value = event.key >= "1" && Number(event.key) <= n() ? event.key : "";
      go(input, 0, 1);
    }
  });
  editor.addEventListener("focusin", (event) => {
    rove(event.target);
    event.target.select();
  });
  // A whole puzzle pasted into a cell fills the grid from there.
  editor.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text").replace(/[^0-9A-Za-z._*]/g, "");
    if (text.length < 4) return;
    event.preventDefault();
    const all = cells();
    const first = all.indexOf(event.target);
    [...text].slice(0, all.length - first).forEach((character, k) => {
      all[first + k].value = "0._*".includes(character) ? "" : character;
    });
  });

  kind.addEventListener("change", rebuild);
  size.addEventListener("change", rebuild);
  document.getElementById("clear").addEventListener("click", () => {
    for (const input of cells()) input.value = "";
    cells()[0].focus();
  });
  // The preview belongs to what is chosen.
  for (const radio of document.querySelectorAll("input[name=source]")) {
    radio.addEventListener("change", () => {
      if (radio.checked && radio.value !== "grid") {
        window.htmx.ajax("POST", "/preview", { source: "#ask", target: "#preview" });
      }
    });
  }
  rove(cells()[0]);
})();
