// Marks in a template's source for addresses that differ for each recipient, and for the sender's postal address. The plugin that sends
// the mail replaces them. A mark in a variable's value stays text. Called by compiled-template.ts and
// unsubscribe-link.ts.
import { randomBytes } from 'node:crypto';

/** The marks for the addresses where a recipient unsubscribes, and where they choose the mails they get. */
export const linkMarks = ['%unsubscribe_url%', '%preferences_url%'] as const;

/** The mark for the postal address of the sender, which is read from the brand when the mail is sent. */
export const postalAddressMark = '%postal_address%';

/**
 * Random stand-ins, which no variable's value can contain. They are as long as their marks, so that offsets in the
 * source and in the output stay the same.
 */
const hidden = [...linkMarks, postalAddressMark].map((mark) => ({
  mark,
  word: `%${randomBytes(8)
    .toString('hex')
    .slice(0, mark.length - 2)}%`,
}));

/** Returns a source with stand-ins in place of its marks. */
export const hideMarks = (source: string): string =>
  hidden.reduce((text, { mark, word }) => text.replaceAll(mark, word), source);

/**
 * Returns a part rendered from such a source with its marks restored. Marks that came from variables are spelled
 * differently, so they have no effect.
 */
export const showMarks = (rendered: string, kind: 'html' | 'plain'): string =>
  hidden.reduce(
    (text, { mark, word }) =>
      text.replaceAll(mark, (kind === 'html' ? '&#37;' : '% ') + mark.slice(1)).replaceAll(word, mark),
    rendered,
  );
