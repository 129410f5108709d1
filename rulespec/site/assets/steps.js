// Examples played step by step: the tables of an example show the position after the step that is marked.
(() => {
  const PACE = 1600; // milliseconds a step when it plays by itself

  const button = (label, name) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.setAttribute("aria-label", name);
    return made;
  };

  const setUp = (play) => {
    const steps = [...play.querySelectorAll("ol.steps > li")];
    const cells = new Map([...play.querySelectorAll("[data-cell]")].map((cell) => [cell.dataset.cell, cell]));
    const given = new Map([...cells].map(([name, cell]) => [name, cell.textContent]));
    const changes = steps.map((step) => Object.entries(JSON.parse(step.dataset.cells)));
    let at = -1; // the step that was taken last; -1 is the given position
    let timer = 0;

    const bar = document.createElement("div");
    bar.className = "play-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Play this example");
    const first = button("Start", "Start: to the given position");
    const back = button("Back", "One step back");
    const next = button("Next", "Next step");
    const run = button("Play", "Play all steps");
    const told = document.createElement("span");
    told.className = "play-told";
    told.setAttribute("aria-live", "polite");
    bar.append(first, back, next, run, told);
    play.querySelector(".play-position").after(bar);

    const content = (step) => {
      const now = new Map(given);
      for (const made of changes.slice(0, step + 1)) for (const [name, text] of made) now.set(name, text);
      return now;
    };

    const show = (step) => {
      at = Math.max(-1, Math.min(steps.length - 1, step));
      const now = content(at);
      const before = content(at - 1);
      for (const [name, cell] of cells) {
        const changed = at >= 0 && now.get(name) !== before.get(name);
        cell.textContent = now.get(name);
        cell.classList.toggle("changed", changed);
        if (changed) cell.dataset.was = before.get(name);
        else delete cell.dataset.was;
      }
      steps.forEach((each, number) => {
        if (number === at) each.setAttribute("aria-current", "step");
        else each.removeAttribute("aria-current");
      });
      const what = at < 0 ? "the given position" : steps[at].querySelector(".step-told").textContent;
      told.textContent = at < 0 ? what : `${at} of ${steps.length - 1}: ${what}`;
      first.disabled = back.disabled = at < 0;
      next.disabled = at === steps.length - 1;
    };

    const stop = () => {
      clearInterval(timer);
      timer = 0;
      run.textContent = "Play";
      run.setAttribute("aria-label", "Play all steps");
    };

    const start = () => {
      if (at === steps.length - 1) show(-1);
      timer = setInterval(() => {
        show(at + 1);
        if (at === steps.length - 1) stop();
      }, PACE);
      run.textContent = "Pause";
      run.setAttribute("aria-label", "Pause");
    };

    first.addEventListener("click", () => (stop(), show(-1)));
    back.addEventListener("click", () => (stop(), show(at - 1)));
    next.addEventListener("click", () => (stop(), show(at + 1)));
    run.addEventListener("click", () => (timer ? stop() : start()));
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      stop();
      show(at + by);
    });
    steps.forEach((step, number) => {
      step.addEventListener("click", (event) => {
        if (event.target.closest("a")) return;
        stop();
        show(number);
      });
    });
    show(-1);
  };

  document.querySelectorAll(".play").forEach(setUp);
  // The buttons have moved what the address leads to.
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
})();
