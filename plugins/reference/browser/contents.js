// The table of contents at the side: marks the current section, and becomes a drawer on narrow screens.
import { goTo } from './element.js';

/** The current section. */
let current;

function markCurrent(nav, section) {
  if (current === section) return;
  current = section;
  for (const link of nav.querySelectorAll('[aria-current], .on')) {
    link.removeAttribute('aria-current');
    link.classList.remove('on');
  }
  const id = section.id.startsWith('events.') ? 'events' : section.id;
  const [area, inner] = nav.querySelectorAll(`a[href="#${CSS.escape(id)}"]`);
  const link = inner ?? area;
  if (link === undefined) return;
  link.setAttribute('aria-current', 'true');
  link.closest('nav > ul > li').classList.add('on');
  const { offsetTop, offsetHeight } = link;
  if (offsetTop < nav.scrollTop + 40 || offsetTop + offsetHeight > nav.scrollTop + nav.clientHeight - 40)
    nav.scrollTop = offsetTop - nav.clientHeight / 3;
}

/** Marks the current section. Answers what `j` and `k` do: go to the next or the previous section. */
export function setUpSpy(nav) {
  const sections = [...document.querySelectorAll('main > section')];
  const visible = new Set();
  const spy = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const first = sections.find((section) => visible.has(section));
      if (first !== undefined) markCurrent(nav, first);
    },
    { rootMargin: '-80px 0px -65% 0px' },
  );
  for (const section of sections) spy.observe(section);
  return (step) => {
    const next = sections[sections.indexOf(current) + step];
    if (next !== undefined) goTo(next.id);
  };
}

/** On narrow screens the contents are a drawer. */
export function setUpMenu(nav) {
  const button = document.querySelector('.menu');
  button.hidden = false;
  const show = (isShown) => {
    nav.classList.toggle('shown', isShown);
    button.setAttribute('aria-expanded', String(isShown));
  };
  button.addEventListener('click', () => show(!nav.classList.contains('shown')));
  nav.addEventListener('click', (event) => {
    if (event.target.closest('a') !== null) show(false);
  });
  document.addEventListener('click', (event) => {
    if (!nav.contains(event.target) && !button.contains(event.target)) show(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !nav.classList.contains('shown')) return;
    show(false);
    button.focus();
  });
}
