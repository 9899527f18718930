// The small script of the console. Every page works without it: it shows times in the viewer's zone, opens the filter with `/` and the
// search with Ctrl or ⌘ and K, reads files into fields, copies ids and values, and keeps the results of forms up to date.
import { updateResults } from './live-result.ts';
import { openSearch } from './palette.ts';

const dayMs = 86_400_000;

function localTimes(): void {
  for (const element of document.querySelectorAll('time')) {
    const at = new Date(element.dateTime);
    const isNear = Math.abs(Date.now() - at.getTime()) < dayMs;
    const year = at.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const);
    // Within a day, the relative time stays, because it is the same in every zone. A date in a sentence is always shown as a date.
    if (!isNear || element.className === 'exact')
      element.textContent = at.toLocaleString(undefined, {
        day: 'numeric',
        month: 'short',
        ...year,
        hour: '2-digit',
        minute: '2-digit',
      });
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]');

function openFilter(): void {
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const field = document.querySelector<HTMLInputElement>('[data-filter]');
    if (field === null) return;
    event.preventDefault();
    field.select();
  });
}

function copyButtons(): void {
  if (navigator.clipboard === undefined) return;
  for (const id of document.querySelectorAll('.facts .id, [data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy ${id.textContent}`);
    button.addEventListener('click', async () => {
      button.textContent = await navigator.clipboard.writeText(id.textContent ?? '').then(
        () => 'Copied',
        () => 'Not copied',
      );
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1_600);
    });
    id.after(' ', button);
  }
}

/** Adds a button to choose a file to each field for the text of a file. */
function chooseFiles(): void {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-accept]')) {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = area.dataset['accept'] ?? '';
    input.setAttribute('aria-label', `A file for: ${area.parentElement?.textContent ?? ''}`);
    input.addEventListener('change', async () => {
      const [file] = input.files ?? [];
      if (file === undefined) return;
      const isTooLarge = file.size > area.maxLength;
      area.setCustomValidity(isTooLarge ? `The file has more than ${area.maxLength.toLocaleString()} bytes.` : '');
      if (isTooLarge) area.reportValidity();
      else area.value = await file.text();
    });
    // Inside the label, the label would belong to this input and no longer to the text field.
    (area.closest('label') ?? area).before(input);
  }
}

localTimes();
openFilter();
openSearch();
chooseFiles();
copyButtons();
updateResults();
