// The search over the page: operations, objects, events, errors, scopes, sections.
import { element, focusOn, goTo } from './element.js';

const textOf = (node) => node?.textContent.replace(/\s+/g, ' ').trim() ?? '';

const namesOf = (node) => [...node.querySelectorAll('.n code')].map(textOf).join(' ');

/**
 * Every entry of the search: its place, its title, its other names (route, tool, scopes, fields, status), and its whole
 * text.
 */
function createIndex() {
  const found = [];
  const add = (id, title, kind, route, names, text) =>
    found.push({ id, title, kind, route, names: `${id} ${route} ${names}`.toLowerCase(), text: text.toLowerCase() });
  for (const section of document.querySelectorAll('main > section')) {
    const title = textOf(section.querySelector('h1, h2, h3'));
    if (section.classList.contains('op')) {
      if (section.querySelector('.route') === null) continue;
      const route = textOf(section.querySelector('.route'));
      const facts = [...section.querySelectorAll('dd')].map(textOf).join(' ');
      const names = `${facts} ${namesOf(section)}`;
      add(section.id, title, 'Operation', route, names, textOf(section.querySelector('.text')));
    } else if (section.classList.contains('area')) add(section.id, title, 'Area', '', '', title);
    // The table of errors is found by its rows.
    else {
      const text = section.querySelector('.text');
      add(section.id, title, 'Guide', '', '', section.id === 'errors' ? title : textOf(text));
    }
  }
  for (const object of document.querySelectorAll('.object'))
    add(object.id, object.id.slice(7), 'Object', '', namesOf(object), textOf(object));
  for (const event of document.querySelectorAll('[id^="event."]'))
    add(event.id, event.id.slice(6), 'Event', '', namesOf(event), textOf(event));
  for (const row of document.querySelectorAll('[id^="error."]'))
    add(row.id, row.id.slice(6), 'Error', '', textOf(row.children[1]), textOf(row));
  for (const row of document.querySelectorAll('[id^="scope."]'))
    add(row.id, row.id.slice(6), 'Scope', '', '', textOf(row));
  return found;
}

/** Words of questions that say nothing of what is looked for. */
const fillers = new Set(
  'a an and are can do does for from how i in is it my of on or the to what when where which with'.split(' '),
);

/** The words of a search; the fillers only if there is nothing else. */
function wordsOf(text) {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
}

/** How well an entry matches the words: 0 when it has none of them, and far less when it lacks some. */
function rank(entry, words) {
  const title = entry.title.toLowerCase();
  const names = entry.names.split(/[\s,]+/);
  let score = 0;
  let found = 0;
  let named = 0;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at !== -1) score += at === 0 ? 8 : 5;
    else if (names.includes(word)) score += 4.5;
    else if (entry.names.includes(word)) score += 2.5;
    else if (entry.text.includes(word)) score += 1;
    else continue;
    found += 1;
    if (at !== -1) named += 1;
  }
  // A guide that is about the words explains what the operations take for granted.
  if (entry.kind === 'Guide' && named > 0) score += 4;
  if (entry.kind === 'Operation' && score > found) score += 2;
  return score * (found / words.length) ** 2;
}

/** Returns the search field. */
export function setUpSearch() {
  const search = document.querySelector('search');
  const input = search.querySelector('input');
  const list = search.querySelector('ul');
  /** Says how much was found, to those who do not see the list. */
  const said = search.querySelector('.said');
  let index;
  let results = [];
  let at = 0;
  search.hidden = false;

  const close = () => {
    list.hidden = true;
    said.textContent = '';
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
    focusOn(entry.id);
  };
  const show = () => {
    const words = wordsOf(input.value);
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
    list.replaceChildren(
      ...(options.length > 0 ? options : [element('li', { class: 'none', role: 'none' }, 'Nothing found.')]),
    );
    list.hidden = false;
    said.textContent =
      results.length === 0 ? 'Nothing found.' : `${results.length} result${results.length === 1 ? '' : 's'}.`;
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
