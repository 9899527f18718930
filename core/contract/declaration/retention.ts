// How long rows are kept before a schedule deletes them. Declared by the plugin that owns the rows; set by the program.

/** A length of time in words: `30 days`, `12 hours`. */
export type Duration = `${number} ${'minute' | 'hour' | 'day'}${'' | 's'}`;

/** The value of each name in the option `retention` of createService. */
export type RetentionSetting = Duration | 'forever';

/** Declares that rows are deleted when they are old. */
export interface RetentionDeclaration {
  /** The deleted rows, in the plural, such as `Sends with their timelines`. */
  readonly rows: string;
  /** The event from which their age counts, such as `the final state of the send`. */
  readonly since: string;
  /** How long the rows are kept unless the program sets another time. */
  readonly default: Duration;
  /** The shortest time that the program may set, because other code still needs the rows. (Default: 1 minute) */
  readonly min?: Duration;
}

const units = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const isUnit = (text: string | undefined): text is keyof typeof units =>
  text !== undefined && Object.hasOwn(units, text);

/** A setting in milliseconds; Infinity for `forever`, undefined if the setting is invalid. */
export function retentionMs(setting: unknown): number | undefined {
  if (setting === 'forever') return Number.POSITIVE_INFINITY;
  const [, count, unit] = (typeof setting === 'string' && /^(\d+(?:\.\d+)?) (minute|hour|day)s?$/.exec(setting)) || [];
  return isUnit(unit) ? Math.round(Number(count) * units[unit]) : undefined;
}
