// What is shown of a name when the pointer or the keyboard comes to it, and the switch that leaves prose alone.
"use strict";

(() => {
  const root = new URL(".", document.currentScript.src);
  const LINES = 9; // of a declaration that are shown
  const kept = new Map(); // of each game what its names mean

  // --- prose alone -------------------------------------------------------------------------------------------

  const KEY = "rulespec.prose";
  const button = document.getElementById("rs-switch");

  function setProse(on) {
    document.documentElement.classList.toggle("rs-prose", on);
    button?.setAttribute("aria-pressed", String(on));
  }

  function remember(on) {
    try {
      localStorage.setItem(KEY, on ? "1" : "0");
    } catch {
      // Some browsers keep nothing; then the switch holds for this page.
    }
  }

  // What an address leads to is shown, also where the rules are hidden.
  function reveal() {
    const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const block = there?.closest(".rs-block");
    if (!block || block.offsetParent) return;
    block.classList.add("rs-open");
    there.scrollIntoView();
  }

  if (button) {
    setProse(document.documentElement.classList.contains("rs-prose"));
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      document.querySelectorAll(".rs-open").forEach((block) => block.classList.remove("rs-open"));
      setProse(on);
      remember(on);
    });
    window.addEventListener("hashchange", reveal);
    reveal();
  }

  // --- what a name means -------------------------------------------------------------------------------------

  // The page and the anchor that a link leads to, where a game has its rules there; else nothing.
  function target(link) {
    const to = new URL(link.getAttribute("href"), location.href); // a link in a picture has no `href` as text
    if (link.id || !to.hash || to.origin !== root.origin || !to.pathname.startsWith(root.pathname)) return null;
    const path = to.pathname.slice(root.pathname.length);
    const game = /^([^/]+)\/(?:uses\/[^/]+\/)?$/.exec(path)?.[1];
    if (!game || game === "handbook") return null;
    return { game, path, here: to.pathname === location.pathname, anchor: decodeURIComponent(to.hash.slice(1)) };
  }

  function indent(line) {
    return line.search(/\S/);
  }

  // The line that defines a name and those that belong to it, from the page itself.
  function fromPage(anchor) {
    const first = document.getElementById(anchor)?.closest(".row");
    if (!first) return null;
    const lines = [first.textContent.trimEnd()];
    for (let next = first.nextElementSibling; next && lines.length < LINES; next = next.nextElementSibling) {
      const line = next.textContent.trimEnd();
      if (indent(line) <= indent(lines[0])) break;
      lines.push(line);
    }
    const left = indent(lines[0]);
    const code = lines.map((line) => line.slice(left)).join("\n");
    return { title: "", code: lines.length === LINES ? code + "\n..." : code };
  }

  // The same of another page, from the file of the game's names, which is fetched once.
  async function fromFile(game, place) {
    if (!kept.has(game)) {
      const answer = fetch(new URL(`${game}/names.json`, root)).then((got) => (got.ok ? got.json() : {}));
      kept.set(game, answer.catch(() => ({})));
    }
    const found = (await kept.get(game))[place];
    return found ? { title: found[0], code: found[1] } : null;
  }

  // --- how it is shown ---------------------------------------------------------------------------------------

  const tip = document.createElement("div");
  tip.id = "rs-tip";
  tip.className = "rs-tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);

  let shown = null; // the link of which something is shown
  let waiting = 0;
  let touched = false;

  function fill(link, meaning) {
    const parts = [];
    if (meaning.title) parts.push(Object.assign(document.createElement("b"), { textContent: meaning.title }));
    if (meaning.code) parts.push(Object.assign(document.createElement("pre"), { textContent: meaning.code }));
    if (touched) parts.push(Object.assign(document.createElement("a"), { href: link.getAttribute("href"), textContent: "Go there" }));
    tip.replaceChildren(...parts);
  }

  function place(link) {
    const box = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const below = box.bottom + 6 + tip.offsetHeight <= window.innerHeight || box.top < tip.offsetHeight + 12;
    const top = below ? box.bottom + 4 : box.top - tip.offsetHeight - 4;
    tip.style.left = `${Math.max(8, Math.min(box.left, room)) + window.scrollX}px`;
    tip.style.top = `${top + window.scrollY}px`;
  }

  async function show(link) {
    const to = target(link);
    if (!to) return;
    shown = link;
    const place_ = to.path.slice(to.game.length + 1) + "#" + to.anchor;
    const meaning = (to.here && fromPage(to.anchor)) || (await fromFile(to.game, place_));
    if (!meaning || shown !== link) return;
    fill(link, meaning);
    tip.hidden = false;
    place(link);
    link.setAttribute("aria-describedby", tip.id);
  }

  function hide() {
    window.clearTimeout(waiting);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    tip.hidden = true;
  }

  function later(act, time) {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(act, time);
  }

  const linkOf = (event) => (event.target instanceof Element ? event.target.closest(".md-content a[href]") : null);

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    touched = false;
    if (tip.contains(event.target)) return window.clearTimeout(waiting);
    const link = linkOf(event);
    if (link === shown && link) return window.clearTimeout(waiting);
    if (link && target(link)) return later(() => (hide(), show(link)), shown ? 60 : 250);
    // The pointer may cross over to what is shown before it goes.
    if (shown && document.activeElement !== shown) later(hide, 200);
    else if (!shown) window.clearTimeout(waiting);
  });
  document.addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link && link.matches(":focus-visible") && target(link)) (hide(), show(link));
    else if (!tip.contains(event.target)) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !tip.hidden) hide();
  });
  // A finger shows first, and follows the link when it comes again.
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    if (shown && !tip.contains(event.target) && linkOf(event) !== shown) hide();
  });
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!touched || !link || link === shown || !target(link)) return hide();
    event.preventDefault();
    show(link);
  });
})();
