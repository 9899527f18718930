// The search over every page: Ctrl or ⌘ and K opens it, the arrow keys choose, Enter opens the chosen link. It shows the results of the
// search page, so both find the same.

/** The time after the last key before the server is asked, in milliseconds. */
const patienceMs = 150;

/** The results of the page of the search, as nodes of this document. */
async function resultsOf(form: HTMLFormElement, sought: string): Promise<Node | undefined> {
  const query = new URLSearchParams({ side: String(new FormData(form).get('side')), q: sought });
  const answer = await fetch(`${form.action}?${query}`, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const found = page.querySelector('.found');
  if (found === null) return undefined;
  // Addresses are relative to the page of the search.
  for (const link of found.querySelectorAll('a')) link.href = new URL(link.getAttribute('href') ?? '', answer.url).href;
  return document.importNode(found, true);
}

/** The arrow keys move the focus through the field and the links below it. Enter in the field opens the first link. */
function onKey(dialog: HTMLDialogElement, field: HTMLInputElement, event: KeyboardEvent): void {
  // In a search field, browsers would use Escape only to empty the field.
  if (event.key === 'Escape') {
    event.preventDefault();
    dialog.close();
  }
  const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops: HTMLElement[] = [field, ...dialog.querySelectorAll<HTMLAnchorElement>('.found a')];
  if (event.key === 'Enter' && event.target === field) {
    event.preventDefault();
    stops[1]?.click();
  }
  if (steps === undefined) return;
  event.preventDefault();
  const current = stops.indexOf(document.activeElement as HTMLElement);
  stops[(current + steps + stops.length) % stops.length]?.focus();
}

function build(form: HTMLFormElement): { dialog: HTMLDialogElement; field: HTMLInputElement } {
  const dialog = document.createElement('dialog');
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', 'Search');
  const field = document.createElement('input');
  field.type = 'search';
  field.maxLength = 254;
  field.placeholder = 'Id, address, key or name';
  field.setAttribute('aria-label', 'Search the console');
  const results = document.createElement('div');
  results.setAttribute('role', 'status');
  dialog.append(field, results);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    latest += 1;
    const asked = latest;
    waiting = setTimeout(async () => {
      const found = await resultsOf(form, field.value).catch(() => 'The search does not answer. Are you offline?');
      if (asked === latest && found !== undefined) results.replaceChildren(found);
    }, patienceMs);
  });
  dialog.addEventListener('keydown', (event) => onKey(dialog, field, event));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return { dialog, field };
}

/** Opens the search on its key, if the page has a search. */
export function openSearch(): void {
  const form = document.querySelector<HTMLFormElement>('.rail form.search');
  if (form === null) return;
  let palette: ReturnType<typeof build> | undefined;
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    palette ??= build(form);
    if (!palette.dialog.open) palette.dialog.showModal();
    palette.field.select();
  });
  const shownKeys = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';
  for (const field of document.querySelectorAll<HTMLInputElement>('form.search input[type="search"]')) {
    field.placeholder = `Search (${shownKeys})`;
    field.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
  }
}
