// Marks that an author writes in place of an address which each recipient has of their own: the sender of the mail replaces them.
// Only those of the template's source count: one that a variable brings stays a text. Called by compiled-template.ts.
import { randomBytes } from 'node:crypto';

/** They stand for the addresses where a recipient unsubscribes, and chooses what they get. */
export const linkMarks = ['%unsubscribe_url%', '%preferences_url%'] as const;

/** Stand-ins that no variable can know, as long as their marks: places in the source and in the output stay the same. */
const hidden = linkMarks.map((mark) => ({
  mark,
  word: `%${randomBytes(8)
    .toString('hex')
    .slice(0, mark.length - 2)}%`,
}));

/** A source with stand-ins in place of its marks. */
export const hideMarks = (source: string): string =>
  hidden.reduce((text, { mark, word }) => text.replaceAll(mark, word), source);

/** A part that was rendered from such a source, with its marks. Those that came from variables are spelled in another way. */
export const showMarks = (rendered: string, kind: 'html' | 'plain'): string =>
  hidden.reduce(
    (text, { mark, word }) =>
      text.replaceAll(mark, (kind === 'html' ? '&#37;' : '% ') + mark.slice(1)).replaceAll(word, mark),
    rendered,
  );
