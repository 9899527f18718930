// Creates elements and scrolls to them. Used by the page's scripts.

/** Makes an element with its attributes and children. */
export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Scrolls to the element with this id, even where the address names it already. */
export function goTo(id) {
  if (location.hash === `#${id}`) document.getElementById(id).scrollIntoView();
  else location.hash = `#${id}`;
}

/** Moves the focus to what has this id: to its heading, where it has one. */
export function focusOn(id) {
  const place = document.getElementById(id);
  const target = place.querySelector('h1, h2, h3') ?? place;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
