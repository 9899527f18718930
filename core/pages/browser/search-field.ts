// A field that searches while the user types, and reports how much was found. The focus stays where it is when a list is drawn
// anew.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html, type Markup } from './markup.ts';

/** Time between the last letter and the search, in milliseconds. */
const pause = 200;

/** A search of a list. Enter searches at once, and so does leaving the field. */
export function SearchField(props: {
  readonly label: string;
  /** Whether the label is for screen readers only. */
  readonly isLabelUnseen?: boolean;
  /** An additional class. */
  readonly name: string;
  readonly placeholder: string;
  readonly value: string;
  readonly set: (value: string) => void;
  /** What was found, for screen readers. Empty while nothing is searched. */
  readonly found: string;
}): Markup {
  const { label, isLabelUnseen = false, name, placeholder, value, set, found } = props;
  const [text, setText] = useState(value);
  const timer = useRef<number>(undefined);
  /** The text that this field has searched last. Any other value comes from elsewhere, such as the browser's Back. */
  const asked = useRef(value);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    window.clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const search = (typed: string): void => {
    window.clearTimeout(timer.current);
    if (typed.trim() === asked.current) return;
    asked.current = typed.trim();
    set(asked.current);
  };
  const type = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const typed = currentTarget.value;
    setText(typed);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => search(typed), pause);
  };
  return html`
    <label class=${name}>
      <span class=${isLabelUnseen ? 'unseen' : ''}>${label}</span>
      <input type="search" value=${text} placeholder=${placeholder} spellcheck=${false} autocomplete="off" onInput=${type} onChange=${() => search(text)} />
    </label>
    <p class="unseen" role="status">${found}</p>
  `;
}

/**
 * Keeps the focus in a list that is drawn anew: if the entry with the focus has disappeared, it moves to the first entry, or to
 * the search.
 */
export function useFocusKept(place: RefObject<HTMLElement | null>): void {
  const before = document.activeElement;
  const isHere = place.current?.contains(before) === true;
  useLayoutEffect(() => {
    if (!isHere || !(before instanceof HTMLElement) || document.activeElement !== document.body) return;
    const first = place.current?.querySelector<HTMLElement>('li button') ?? place.current?.querySelector('input');
    (before.isConnected ? before : first)?.focus({ preventScroll: true });
  });
}
