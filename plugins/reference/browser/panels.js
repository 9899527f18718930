// The code panels: forms of one example as tabs, or as a select if there are many; copying.
import { element } from './element.js';
import { kept } from './kept.js';

const panels = [];
const formKey = 'reference-form';

function choose(panel, index) {
  for (const [at, form] of panel.forms.entries()) form.classList.toggle('on', at === index);
  panel.show(index);
}

function chooseForm(form) {
  kept.write(formKey, form);
  for (const panel of panels) {
    const index = panel.forms.findIndex((one) => one.dataset.form === form);
    if (index !== -1) choose(panel, index);
  }
}

function createTabs(panel, label) {
  const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': label });
  const tabs = panel.forms.map((form, index) => {
    const tab = element('button', { type: 'button', role: 'tab' }, form.querySelector('.caption').textContent);
    form.setAttribute('role', 'tabpanel');
    form.setAttribute('aria-label', tab.textContent);
    tab.addEventListener('click', () => {
      const { top } = tab.getBoundingClientRect();
      if (form.dataset.form === undefined) choose(panel, index);
      else chooseForm(form.dataset.form);
      // Panels above may have changed their height: the visible part of the page stays where it is.
      scrollBy(0, tab.getBoundingClientRect().top - top);
    });
    return tab;
  });
  list.append(...tabs);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const tab = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    tab.focus();
    tab.click();
  });
  panel.show = (index) => {
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
    }
  };
  return list;
}

function createChoice(panel, label) {
  const options = panel.forms.map((form) => new Option(form.querySelector('.caption').textContent));
  const select = element('select', { 'aria-label': label }, ...options);
  select.addEventListener('change', () => choose(panel, select.selectedIndex));
  panel.show = (index) => {
    select.selectedIndex = index;
  };
  return select;
}

function createTitle(panel) {
  panel.show = () => undefined;
  return element('span', {}, panel.forms[0].querySelector('.caption').textContent);
}

async function copy(text) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  // Without HTTPS this is the only way to copy.
  const area = element('textarea', { readonly: '' });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('The browser refused to copy.');
}

function createCopy(panel) {
  const button = element('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy');
  button.addEventListener('click', async () => {
    const form = panel.forms.find((one) => one.classList.contains('on'));
    button.textContent = await copy(form.querySelector('pre').textContent).then(
      () => 'Copied',
      () => 'Not copied',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  });
  return button;
}

/** Lets the reader choose between the forms of each panel. */
export function setUpPanels() {
  for (const node of document.querySelectorAll('.panel:not(.routes)')) {
    const panel = { forms: [...node.querySelectorAll('.form')], show: undefined };
    const create = panel.forms.length > 5 ? createChoice : panel.forms.length > 1 ? createTabs : createTitle;
    node.prepend(element('div', { class: 'bar' }, create(panel, node.dataset.label), createCopy(panel)));
    node.classList.add('made');
    panels.push(panel);
    choose(panel, 0);
  }
  const form = kept.read(formKey);
  if (form !== null) chooseForm(form);
}
