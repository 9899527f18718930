// The number of sections of a page, from the caller's words.
const counts = { short: 5, medium: 8, long: 12 } as const;

const synonyms: Readonly<Record<keyof typeof counts, readonly string[]>> = {
  short: [
    'short',
    'brief',
    'small',
    'compact',
    'concise',
    'quick',
    'mini',
    'minimal',
    'tiny',
    'one-screen',
    'kurz',
    's',
    'sm',
  ],
  medium: ['medium', 'normal', 'standard', 'regular', 'default', 'average', 'mittel', 'm', 'md'],
  long: [
    'long',
    'large',
    'full',
    'detailed',
    'extensive',
    'comprehensive',
    'in-depth',
    'long-form',
    'lang',
    'l',
    'lg',
    'xl',
  ],
};

const lengthByWord: ReadonlyMap<string, keyof typeof counts> = new Map(
  (Object.keys(synonyms) as (keyof typeof counts)[]).flatMap((name) => synonyms[name].map((word) => [word, name])),
);

const nameOf = (length: string | null): keyof typeof counts | undefined =>
  lengthByWord.get(
    (length ?? 'medium')
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, '-'),
  );

/** Returns 5, 8 or 12. Words that are none of the known lengths mean medium. */
export const sectionCount = (length: string | null): number => counts[nameOf(length) ?? 'medium'];

/** The caller's words as a hint for the composer, if they are none of the known lengths; otherwise undefined. */
export const lengthHint = (length: string | null): string | undefined =>
  length !== null && length.trim() !== '' && nameOf(length) === undefined ? length : undefined;
