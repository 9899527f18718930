// The part of console pages that shows what differs between two versions of a content. Its style is in plugins/console/browser.
import { type DifferencePart, lineDifference, wordDifference } from './differences.ts';
import { type Html, html } from './html.ts';

const elementOf = ({ kind, pieces }: DifferencePart): Html | string => {
  const text = pieces.join('');
  if (kind === 'same') return text;
  return kind === 'removed' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
};

/** Both texts as one text, in which removed and added words are marked. */
export const markedDifference = (before: string, after: string): Html =>
  html`${wordDifference(before, after).map(elementOf)}`;

/** The number of equal lines that are shown before and after each change. */
const context = 3;
/** The maximum number of lines that are shown of one text. */
const maxShownLines = 400;

const gap = (count: number): Html =>
  html`<span class="gap">${count === 1 ? '1 more line is' : `${count.toLocaleString('en-GB')} more lines are`} the same</span>`;

/** The equal lines near the changes, and a note with the number of lines that are left out. */
function sameLines(lines: readonly string[], isFirst: boolean, isLast: boolean): Html[] {
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  const asLines = (linesToShow: readonly string[]): Html[] => linesToShow.map((line) => html`<span>  ${line}</span>`);
  if (lines.length <= head + tail + 1) return asLines(lines);
  const leftOutNote = gap(lines.length - head - tail);
  return [...asLines(lines.slice(0, head)), leftOutNote, ...asLines(lines.slice(lines.length - tail))];
}

/** The changed lines of two long texts, each with a sign, with the equal lines around them. At most 400 lines. */
function lineList(name: string, before: string, after: string): Html {
  const parts = lineDifference(before, after);
  const lines = parts.flatMap(({ kind, pieces }, index): Html[] => {
    if (kind === 'same') return sameLines(pieces, index === 0, index === parts.length - 1);
    return kind === 'removed'
      ? pieces.map((line) => html`<del>− ${line}</del>`)
      : pieces.map((line) => html`<ins>+ ${line}</ins>`);
  });
  const hidden = lines.length - maxShownLines;
  const hiddenNote =
    hidden > 0 ? html`<p class="quiet">${hidden.toLocaleString('en-GB')} more lines are not shown here.</p>` : null;
  return html`<pre class="lines" dir="auto" tabindex="0" role="region" aria-label="${name}: changed lines">${lines.slice(0, maxShownLines)}</pre>${hiddenNote}`;
}

/** A part of a content in two versions. */
export interface ComparedText {
  /** The name of the part for people: `Subject`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Whether the text may have many lines, so that only the changed lines are shown. (Default: false) */
  readonly isLong?: boolean;
}

/** The parts that differ between two versions, each with its name. If no part differs, a sentence says so. */
export function differences(texts: readonly ComparedText[]): Html {
  const changed = texts.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return html`<p class="quiet">Nothing differs.</p>`;
  return html`${changed.map(
    ({ name, before, after, isLong = false }) =>
      html`<div class="change"><h3 dir="auto">${name}</h3>${isLong ? lineList(name, before, after) : html`<pre dir="auto">${markedDifference(before, after)}</pre>`}</div>`,
  )}`;
}

/** A value of a content as a text that can be compared: objects as indented JSON. Missing values are empty. */
export const comparedText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
