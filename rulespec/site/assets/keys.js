// The signs for menu and search are labels in Material, and so are some entries of the menu of a phone: here they
// become buttons that the keyboard reaches and that have a name. Escape closes the menu.
"use strict";

function makeButton(label) {
  label.setAttribute("role", "button");
  label.tabIndex = 0; // Material presses what has the focus on Enter, but not on the space bar.
  label.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    label.click();
  });
}

function makeSign(toggle, name, opened) {
  const box = document.getElementById(toggle);
  const sign = document.querySelector(`label.md-header__button[for="${toggle}"]`);
  if (!box || !sign) return;
  makeButton(sign);
  sign.setAttribute("aria-label", name);
  sign.setAttribute("aria-expanded", "false");
  box.addEventListener("change", () => {
    sign.setAttribute("aria-expanded", String(box.checked));
    if (box.checked) opened();
  });
}

// Where one is in the menu, as far as it is shown.
function here() {
  const all = document.querySelectorAll(".md-nav--primary :is(a, label[tabindex]).md-nav__link");
  const entries = [...all].filter((link) => link.checkVisibility({ visibilityProperty: true }));
  return entries.find((link) => link.classList.contains("md-nav__link--active")) ?? entries[0];
}

makeSign("__drawer", "Menu", () => here()?.focus());
makeSign("__search", "Search", () => document.querySelector(".md-search__input")?.focus());
document.querySelectorAll('label.md-nav__link[for="__toc"], label.md-nav__title[for^="__nav"]').forEach(makeButton);
document.addEventListener("keydown", (event) => {
  const menu = document.querySelector('label.md-header__button[for="__drawer"]');
  if (event.key !== "Escape" || menu?.getAttribute("aria-expanded") !== "true") return;
  menu.click();
  menu.focus();
});
