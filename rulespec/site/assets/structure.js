// Pictures of the turn structure: larger, smaller and fitted by buttons, keys, wheel and fingers; moved by dragging.
// Without this script they are shown in full size and scrolled.
"use strict";

(() => {
  const LEAST = 0.2;
  const MOST = 4;
  const STEP = 1.25;
  const READABLE = 0.7;

  function zoomable(frame) {
    const picture = frame.querySelector("svg");
    if (!picture || frame.dataset.zoom) return;
    const wide = picture.viewBox.baseVal.width;
    const high = picture.viewBox.baseVal.height;

    // At this scale, with the point that is at (x, y) in the frame staying where it is.
    function show(scale, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
      const before = Number(frame.dataset.zoom) || 1;
      const after = Math.min(MOST, Math.max(LEAST, scale));
      frame.dataset.zoom = String(after);
      picture.style.width = `${wide * after}px`;
      picture.style.height = `${high * after}px`;
      frame.scrollLeft = (frame.scrollLeft + x) * (after / before) - x;
      frame.scrollTop = (frame.scrollTop + y) * (after / before) - y;
    }

    const scale = () => Number(frame.dataset.zoom);
    const across = () => (frame.clientWidth || wide) / wide;
    const whole = () => Math.min(across(), (window.innerHeight * 0.8) / high);
    const ways = {
      "+": () => show(scale() * STEP),
      "-": () => show(scale() / STEP),
      0: () => show(whole()),
    };

    const tools = document.createElement("div");
    tools.className = "turns-tools";
    for (const [key, sign, name] of [
      ["+", "+", "Larger"],
      ["-", "−", "Smaller"],
      [0, "fit", "The whole picture"],
    ]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = name;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", ways[key]);
      tools.append(button);
    }
    frame.before(tools);

    frame.addEventListener("keydown", (event) => {
      const way = ways[event.key === "=" ? "+" : event.key];
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      way();
    });
    frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const place = frame.getBoundingClientRect();
        show(scale() * Math.exp(-event.deltaY / 300), event.clientX - place.left, event.clientY - place.top);
      },
      { passive: false },
    );
    dragged(frame);
    pinched(frame, scale, show);
    // At first as wide as the frame if that can be read, with the beginning in the middle.
    function begin() {
      show(Math.min(1, Math.max(READABLE, across())));
      const start = picture.querySelector(".start").getBBox();
      frame.scrollLeft = (start.x + start.width / 2) * scale() - frame.clientWidth / 2;
      frame.scrollTop = 0;
    }

    begin();
    // What was folded away has no width before it is opened.
    frame.closest("details")?.addEventListener("toggle", begin, { once: true });
  }

  function dragged(frame) {
    let from = null;
    frame.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button === 0 && !event.target.closest("a")) {
        from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
      }
    });
    frame.addEventListener("pointermove", (event) => {
      if (!from) return;
      if (!event.buttons) {
        from = null;
        return;
      }
      frame.scrollLeft = from.x - event.clientX;
      frame.scrollTop = from.y - event.clientY;
    });
    frame.addEventListener("pointerup", () => {
      from = null;
    });
  }

  function pinched(frame, scale, show) {
    let apart = 0;
    const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    frame.addEventListener("touchstart", (event) => {
      apart = event.touches.length === 2 ? distance(event.touches) : 0;
    });
    frame.addEventListener(
      "touchmove",
      (event) => {
        if (event.touches.length !== 2 || !apart) return;
        event.preventDefault();
        const now = distance(event.touches);
        const place = frame.getBoundingClientRect();
        const [a, b] = event.touches;
        const x = (a.clientX + b.clientX) / 2 - place.left;
        const y = (a.clientY + b.clientY) / 2 - place.top;
        show((scale() * now) / apart, x, y);
        apart = now;
      },
      { passive: false },
    );
  }

  document.querySelectorAll(".turns-frame").forEach(zoomable);
})();
