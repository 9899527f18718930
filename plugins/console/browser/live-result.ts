// Keeps the result of a form up to date: while a person fills in the form, the script requests the result again.

/** The time after the last change of the form before the request, in milliseconds. */
const patienceMs = 400;

/** The result in the page that the server returns if the first button of the form is pressed. Undefined if that page has no result. */
async function askedOf(form: HTMLFormElement, signal: AbortSignal): Promise<Element | undefined> {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) if (typeof value === 'string') fields.set(name, value);
  const answer = await fetch(location.href, { method: 'POST', body: fields, signal, headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector('[data-live]') ?? undefined;
}

function keepUpToDate(form: HTMLFormElement, part: Element): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;
  const ask = (): void => {
    asking = new AbortController();
    askedOf(form, asking.signal).then(
      (answer) => {
        if (answer !== undefined) part.replaceChildren(...document.importNode(answer, true).childNodes);
      },
      // If the request fails, the last result stays, and the form still works.
      () => undefined,
    );
  };
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    asking?.abort();
    waiting = setTimeout(ask, patienceMs);
  });
}

export function updateResults(): void {
  for (const part of document.querySelectorAll('[data-live]')) {
    const form = part.closest('form');
    if (form !== null) keepUpToDate(form, part);
  }
}
