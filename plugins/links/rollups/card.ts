// The cards of analytics by name, and their rows. Loads nothing: the script of the page is built on it.

/** Every card, the plain ones first. */
export const cardKeys = [
  'overview',
  'timeseries',
  'countries',
  'cities',
  'referrers',
  'devices',
  'browsers',
  'platforms',
  'utm',
  'qr',
] as const;
export type CardKey = (typeof cardKeys)[number];

/** A row of a card. */
export interface CardRow {
  /** A day, a country, a host … ; `total` in the overview. */
  readonly value: string;
  /** Which UTM field it is a value of, in the card `utm`. */
  readonly field?: string;
  readonly clicks: number;
  readonly unique: number;
  readonly bots: number;
}
