// Marks in the sources of a mail, which become the texts and the direction of one language: `[[welcome.help]]` is a text,
// `[[left~right]]` is `left` in languages from left to right and `right` in the others, `[[language]]` is the language tag.
// Used by the starters and by localizeTemplate. Filling marks compiles nothing.
import { directionOf } from '../../../core/unstable.ts';

/** Texts by name; names may be grouped. A text may contain `{slot}`. */
export interface NestedTexts {
  readonly [name: string]: string | NestedTexts;
}

/** The texts of one language. */
export interface LanguageTexts {
  /** BCP 47 */
  readonly language: string;
  readonly texts: NestedTexts;
}

/** The parts of a mail as an author writes them. */
export interface AuthoredMail {
  /** Liquid. */
  readonly subject: string;
  readonly previewText: string;
  /** MJML or HTML with Liquid. */
  readonly body: string;
  readonly text: string;
}

/** The language of a mail, its direction, and the sides on which its lines start and end. The fields are values, or marks for them. */
export interface Orientation {
  readonly language: string;
  readonly direction: string;
  readonly start: string;
  readonly end: string;
}

const sided = (ltr: string, rtl: string): string => `[[${ltr}~${rtl}]]`;

export const markedOrientation: Orientation = {
  language: '[[language]]',
  direction: sided('ltr', 'rtl'),
  start: sided('left', 'right'),
  end: sided('right', 'left'),
};

/** The orientation of one language. @param language a BCP 47 tag */
export function orientationOf(language: string): Orientation {
  const direction = directionOf(language);
  const [start, end] = direction === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  return { language, direction, start, end };
}

/** Four distances or radii whose sides change places in languages from right to left. */
export const sides = (top: string, end: string, bottom: string, start: string): string =>
  sided(`${top} ${end} ${bottom} ${start}`, `${top} ${start} ${bottom} ${end}`);

/** The corner radii of a box that has round corners only at its start, or only at its end. */
export const roundAt = (side: 'start' | 'end', radius: string): string => {
  const [left, right] = [`${radius} 0 0 ${radius}`, `0 ${radius} ${radius} 0`];
  return side === 'start' ? sided(left, right) : sided(right, left);
};

/** Letter spacing for large type. It would tear the letters of Arabic apart, so languages from right to left have none. */
export const tracking = (spacing: string): string => sided(spacing, '0px');

/** A mark for a text. @param slots Liquid or markup in place of `{slot}` (default: the variable of this name) */
export const textMark = (name: string, slots: Readonly<Record<string, string>> = {}): string =>
  `[[${[name, ...Object.entries(slots).map(([slot, value]) => `${slot}=${value}`)].join('||')}]]`;

/** Slots that never get an element of their own: for the preview text, because its text is also inserted into the HTML. */
export const bare = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `{{${name}}}`]));

const MARK = /\[\[((?:(?!\]\])[\s\S])*)\]\]/g;
const SIDED = /\[\[((?:(?!\]\]|~|\|\|)[\s\S])*)~((?:(?!\]\])[\s\S])*)\]\]/g;
const NAME = /^[A-Za-z][A-Za-z0-9_.]*$/;
/** Not a placeholder of Liquid: that has two braces. */
const SLOT = /(?<!\{)\{([a-z][a-z0-9_]*)\}(?!\})/g;

/** The slots of a text. */
export const slotsOf = (text: string): string[] => [...text.matchAll(SLOT)].map(([, slot]) => slot ?? '');

/** Replaces the marks of the direction only. */
export const turned = (source: string, direction: 'ltr' | 'rtl'): string =>
  source.replace(SIDED, (_, ltr: string, rtl: string) => (direction === 'rtl' ? rtl : ltr));

function findText(texts: NestedTexts, name: string): string | undefined {
  const found = name
    .split('.')
    .reduce<string | NestedTexts | undefined>(
      (tree, part) => (typeof tree === 'object' && Object.hasOwn(tree, part) ? tree[part] : undefined),
      texts,
    );
  return typeof found === 'string' ? found : undefined;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? '');

/** Whether a place in markup is inside a tag or a title, where elements are not allowed. */
function isInTag(markup: string, at: number): boolean {
  const before = markup.lastIndexOf('<', at);
  return before > markup.lastIndexOf('>', at) || /^<(?:mj-)?title\b[^>]*>/i.test(markup.slice(before, at));
}

/**
 * Replaces all marks. In HTML, texts are escaped. In languages from right to left, the variable in a slot gets an
 * element of its own there, so that a Latin name or a number does not disturb the order of the sentence.
 * @throws Error if a text is missing
 */
export function fillMarks(source: string, { language, texts }: LanguageTexts, kind: 'html' | 'plain'): string {
  const direction = directionOf(language);
  const oriented = turned(source, direction);
  const isIsolating = kind === 'html' && direction === 'rtl';
  const markup = isIsolating ? oriented.replace(/\{([{%])[\s\S]*?[%}]\}/g, (tag) => ' '.repeat(tag.length)) : '';
  return oriented.replace(MARK, (mark, content: string, at: number) => {
    const [name = '', ...given] = content.split('||');
    if (name === 'language') return language;
    if (!NAME.test(name)) return mark;
    const text = findText(texts, name);
    if (text === undefined) throw new Error(`The texts in “${language}” lack “${name}”.`);
    const slots = new Map(given.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
    const isIsolated = isIsolating && !isInTag(markup, at);
    const variable = (slot: string) => (isIsolated ? `<span dir="auto">{{${slot}}}</span>` : `{{${slot}}}`);
    return (kind === 'html' ? escaped(text) : text).replace(
      SLOT,
      (_, slot: string) => slots.get(slot) ?? variable(slot),
    );
  });
}

/** The parts of a mail in one language. @throws Error if a text is missing */
export const fillParts = (
  { subject, previewText, body, text }: AuthoredMail,
  language: LanguageTexts,
): AuthoredMail => ({
  subject: fillMarks(subject, language, 'plain'),
  previewText: fillMarks(previewText, language, 'plain'),
  body: fillMarks(body, language, 'html'),
  text: fillMarks(text, language, 'plain'),
});
