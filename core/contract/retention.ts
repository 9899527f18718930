// How long rows are kept before a schedule deletes them: declared by the plugin that owns them, set by the program.

/** A length of time in words: `30 days`, `12 hours`. */
export type Duration = `${number} ${'minute' | 'hour' | 'day'}${'' | 's'}`;

/** What the option `retention` of createService takes for each name. */
export type RetentionSetting = Duration | 'forever';

/** Rows that are deleted when they are old. */
export interface RetentionDeclaration {
  /** What is deleted, in the plural, such as `Sends with their timelines`. */
  readonly rows: string;
  /** From when their age counts, such as `the final state of the send`. */
  readonly since: string;
  /** How long they are kept unless the program says otherwise. */
  readonly default: Duration;
  /** A shorter time is refused: something else still needs the rows. (Default: 1 minute) */
  readonly min?: Duration;
}

const units = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const isUnit = (text: string | undefined): text is keyof typeof units =>
  text !== undefined && Object.hasOwn(units, text);

/** The milliseconds of a setting, Infinity for `forever`; undefined where it is none. */
export function retentionMs(setting: unknown): number | undefined {
  if (setting === 'forever') return Number.POSITIVE_INFINITY;
  const [, count, unit] = (typeof setting === 'string' && /^(\d+(?:\.\d+)?) (minute|hour|day)s?$/.exec(setting)) || [];
  return isUnit(unit) ? Math.round(Number(count) * units[unit]) : undefined;
}
