// The form of console pages that asks for the words that an embedded writer left out. Called by the pages of contents that are written
// without a model.
import type { ConsoleContext } from '../../core/index.ts';
import { actionForm, counted, type Html } from '../../core/unstable.ts';
import { placeholder, placeholdersIn, type UnwrittenText } from './placeholders.ts';

/** The maximum number of placeholders that the form asks for at once. */
const maxFields = 60;
/** The longest text of a field, in characters. */
const maxLength = 2_000;

const nameOfField = ({ path, text }: UnwrittenText): string => `${path}:${text}`;

/** The words without the brackets, which name the field. */
const wordsOf = ({ text }: UnwrittenText): string => text.slice(1, -1);

/**
 * The form of the action `write`, with a field for each placeholder of the content. Null without placeholders.
 * @param contentName the content with its article, such as `the page`
 */
export function missingWordsForm(ctx: ConsoleContext, contentName: string, content: unknown): Html | null {
  const placeholders = placeholdersIn(content);
  if (placeholders.length === 0) return null;
  return actionForm(ctx, 'write', {
    isOpen: true,
    label: `Write what is missing (${placeholders.length.toLocaleString('en-GB')})`,
    question: `${counted(placeholders.length, 'text')} of ${contentName} must still be written before it can be public. A field that you leave empty stays missing.`,
    verb: 'Store these texts',
    inputs: placeholders
      .slice(0, maxFields)
      .map((placeholder) => ({ name: nameOfField(placeholder), label: wordsOf(placeholder), isLong: true, maxLength })),
  });
}

function fillPlaceholders(value: unknown, path: string, fields: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return placeholdersIn(value).reduce((text, { text: placeholderText }) => {
      const words = (fields[nameOfField({ path, text: placeholderText })] ?? '').trim();
      return words === '' ? text : text.replaceAll(placeholder(placeholderText.slice(1, -1)), () => words);
    }, value);
  if (Array.isArray(value))
    return value.map((part, index) => fillPlaceholders(part, pathTo(path, String(index)), fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, fillPlaceholders(part, pathTo(path, name), fields)]),
  );
}

const pathTo = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The content, with the words of the form in place of its placeholders. */
export const withFilledPlaceholders = <T>(content: T, fields: Readonly<Record<string, string>>): T =>
  fillPlaceholders(content, '', fields) as T;
