// What the two players share: buttons, slider, speed and keys. `show(step)` draws a step.
"use strict";
window.player = (root, length, show, first = 0) => {
  const controls = root.querySelector("#controls");
  const slider = root.querySelector("#slider");
  const place = root.querySelector("#place");
  const speed = root.querySelector("#speed");
  const play = root.querySelector("[data-do=play]");
  let at = 0;
  let timer = null;
  let last = length - 1;

  function go(step) {
    at = Math.min(last, Math.max(0, step));
    slider.value = at;
    place.textContent = `${at} / ${last}`;
    show(at);
    if (at === last) stop();
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }
  function start() {
    if (at === last) go(0);
    // Beyond 60 a second a browser only drops frames: more steps at once instead.
    const rate = Number(speed.value);
    const steps = Math.max(1, Math.round(rate / 60));
    timer = setInterval(() => go(at + steps), (1000 * steps) / rate);
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
  }
  const DO = {
    start: () => go(0),
    back: () => go(at - 1),
    next: () => go(at + 1),
    end: () => go(last),
    play: () => (timer ? stop() : start()),
  };
  controls.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (!button) return;
    if (button.dataset.do !== "play") stop();
    DO[button.dataset.do]();
  });
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  speed.addEventListener("change", () => {
    if (timer) {
      stop();
      start();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, button, a, summary") || event.ctrlKey || event.metaKey) return;
    const keys = { " ": "play", ArrowRight: "next", ArrowLeft: "back", Home: "start", End: "end" };
    if (event.key in keys) {
      event.preventDefault();
      DO[keys[event.key]]();
    }
  });
  slider.max = last;
  controls.hidden = false;
  go(first);
  return {
    resize(steps) {
      stop();
      last = steps - 1;
      slider.max = last;
      go(Math.min(at, last));
    },
  };
};
