// The script of the reference page: colours, tabs, copying, search, the current section. The page is readable without
// it. It runs before the body is parsed and waits for it; it sends no request.
import { setUpMenu, setUpSpy } from './contents.js';
import { kept } from './kept.js';
import { setUpPainting } from './paint.js';
import { setUpPanels } from './panels.js';
import { setUpSearch } from './search.js';

const root = document.documentElement;
root.classList.add('js');

const theme = kept.read('reference-theme');
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

/** If no base URL is configured, the page's own origin is used. */
function setBase() {
  const { base, service } = root.dataset;
  if (base === undefined) return;
  const script = document.querySelector('head script');
  const own = new URL(service, script.src).href.replace(/\/$/, '');
  for (const code of document.querySelectorAll('pre, code.base')) {
    const text = code.firstChild;
    if (text?.data.includes(base)) text.data = text.data.replaceAll(base, own);
  }
}

function setUpTheme() {
  const button = document.querySelector('.theme');
  const next = { system: 'light', light: 'dark', dark: 'system' };
  const label = { system: 'as the system', light: 'light', dark: 'dark' };
  button.hidden = false;
  const show = () => button.setAttribute('aria-label', `Colours: ${label[root.dataset.theme ?? 'system']}`);
  button.addEventListener('click', () => {
    const chosen = next[root.dataset.theme ?? 'system'];
    if (chosen === 'system') delete root.dataset.theme;
    else root.dataset.theme = chosen;
    kept.write('reference-theme', chosen === 'system' ? null : chosen);
    show();
  });
  show();
}

/** `/` searches; `j` and `k` go to the next section and back. */
function setUpKeys(input, stepTo) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, select, textarea') !== null;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') {
      event.preventDefault();
      input.focus();
      return;
    }
    const step = { j: 1, k: -1 }[event.key];
    if (step !== undefined) stepTo(step);
  });
}

document.addEventListener('DOMContentLoaded', () => {
  const nav = document.querySelector('nav');
  setBase();
  setUpPanels();
  setUpTheme();
  setUpPainting();
  const stepTo = setUpSpy(nav);
  setUpMenu(nav);
  setUpKeys(setUpSearch(), stepTo);
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
});
