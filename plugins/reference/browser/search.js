// The search over the page: operations, objects, events, errors, scopes, sections.
import { element, goTo } from './element.js';

const textOf = (node) => node?.textContent.replace(/\s+/g, ' ').trim() ?? '';

/** Every entry of the search: its place, its name, and its other names. */
function createIndex() {
  const found = [];
  const add = (id, title, kind, route, more = '') =>
    found.push({ id, title, kind, route, text: `${title} ${id} ${route} ${more}`.toLowerCase() });
  for (const section of document.querySelectorAll('main > section')) {
    const title = textOf(section.querySelector('h1, h2, h3'));
    if (section.classList.contains('op')) {
      if (section.querySelector('.route') === null) continue;
      const facts = textOf(section.querySelector('dl'));
      add(section.id, title, 'Operation', textOf(section.querySelector('.route')), facts);
    } else add(section.id, title, section.classList.contains('area') ? 'Area' : 'Guide', '');
  }
  for (const object of document.querySelectorAll('.object')) add(object.id, object.id.slice(7), 'Object', '');
  for (const event of document.querySelectorAll('[id^="event."]'))
    add(event.id, event.id.slice(6), 'Event', '', textOf(event));
  for (const row of document.querySelectorAll('[id^="error."]'))
    add(row.id, row.id.slice(6), 'Error', '', textOf(row.children[2]));
  for (const row of document.querySelectorAll('[id^="scope."]'))
    add(row.id, row.id.slice(6), 'Scope', '', textOf(row.children[1]));
  return found;
}

/** How well an entry matches the words; 0 when it lacks one of them. */
function rank(entry, words) {
  let score = entry.kind === 'Operation' ? 2 : 0;
  for (const word of words) {
    const at = entry.text.indexOf(word);
    if (at === -1) return 0;
    const inTitle = entry.title.toLowerCase().indexOf(word);
    score += inTitle === 0 ? 8 : inTitle > 0 ? 5 : entry.id.toLowerCase().includes(word) ? 4 : 1;
  }
  return score;
}

/** Returns the search field. */
export function setUpSearch() {
  const search = document.querySelector('search');
  const input = search.querySelector('input');
  const list = search.querySelector('ul');
  let index;
  let results = [];
  let at = 0;
  search.hidden = false;

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const select = (next) => {
    at = next;
    for (const [place, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(place === at));
    if (results.length === 0) return;
    input.setAttribute('aria-activedescendant', `result-${at}`);
    // scrollIntoView would scroll the page, too.
    const { offsetTop, offsetHeight } = list.children[at];
    list.scrollTop = Math.min(offsetTop, Math.max(list.scrollTop, offsetTop + offsetHeight - list.clientHeight));
  };
  const go = (entry) => {
    if (entry === undefined) return;
    close();
    input.value = '';
    input.blur();
    goTo(entry.id);
  };
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return close();
    index ??= createIndex();
    results = index
      .map((entry) => ({ entry, score: rank(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12)
      .map(({ entry }) => entry);
    const options = results.map(({ title, kind, route }, place) => {
      const option = element('li', { role: 'option', id: `result-${place}` }, element('span', {}, title));
      option.append(element('span', {}, kind));
      if (route !== '') option.append(element('code', {}, route));
      option.addEventListener('pointermove', () => select(place));
      option.addEventListener('click', () => go(results[place]));
      return option;
    });
    list.replaceChildren(...(options.length > 0 ? options : [element('li', { class: 'none' }, 'Nothing found.')]));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    select(0);
  };

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      select((at + step + results.length) % results.length);
    } else if (event.key === 'Enter') go(results[at]);
    else if (event.key === 'Escape') {
      input.value = '';
      input.blur();
    }
  });
  return input;
}
