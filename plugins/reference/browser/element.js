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
