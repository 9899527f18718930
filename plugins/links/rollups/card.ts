// The cards of analytics by name, and their rows. Imports nothing, because the page's script includes it.

/** Every card. The cards of every plan come first. */
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
export interface AnalyticsCardRow {
  /** A day, a country, a host and so on; `total` in the card `overview`. */
  readonly value: string;
  /** The UTM field of the value, in the card `utm`. */
  readonly field?: string;
  readonly clicks: number;
  readonly unique: number;
  readonly bots: number;
}
