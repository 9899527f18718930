// The cards of analytics by name, and their rows.

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
  readonly field?: string | undefined;
  readonly clicks: number;
  readonly unique: number;
  readonly bots: number;
}
