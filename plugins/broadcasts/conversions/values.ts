// The value of a conversion according to its event, and exact sums of values. Programs write the events, so a value may be no amount. Such
// a conversion counts, without a value. Pure.
import { readNames } from '../../../core/unstable.ts';
import type { ConversionSetting } from './settings.ts';

/** The number of digits after the point that are stored. No currency of ISO 4217 has more. */
const digits = 4;
const scale = 10 ** digits;

/** At most twelve digits before the point: below a trillion. */
const amountForm = /^(\d{1,12})(?:\.(\d{1,30}))?$/;
/** Smaller numbers round to 0. JavaScript would write them with an exponent. */
const smallestNumber = 1e-6;

/** An amount as two whole numbers, so that a database sums it exactly. */
export interface Amount {
  readonly whole: number;
  /** Ten-thousandths, from 0 to 9,999. */
  readonly fraction: number;
}

/** The amount of a number, or of a text such as 19.90; rounded half up. Undefined for anything else, and if it is negative. */
export function amountOf(value: unknown): Amount | undefined {
  const text = typeof value === 'number' ? (value >= 0 && value < smallestNumber ? '0' : String(value)) : value;
  if (typeof text !== 'string') return undefined;
  const match = amountForm.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = '0', decimals = ''] = match;
  const padded = decimals.padEnd(digits + 1, '0');
  const rounded = Number(padded.slice(0, digits)) + (Number(padded[digits]) >= 5 ? 1 : 0);
  return { whole: Number(whole) + Math.floor(rounded / scale), fraction: rounded % scale };
}

/** Three letters of a currency; null for anything else. */
export function currencyOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : null;
}

/** The value of one conversion. */
export interface ConversionValue {
  /** Undefined if the event has none. */
  readonly amount: Amount | undefined;
  /** Null without an amount, and if the currency is not known. */
  readonly currency: string | null;
}

const valueAt = (path: string | undefined, metadata: Readonly<Record<string, unknown>>): unknown =>
  path === undefined ? undefined : readNames(metadata, path.split('.').slice(2));

/** The value of an event by the setting of its type. */
export function conversionValue(
  { value, currency }: ConversionSetting,
  metadata: Readonly<Record<string, unknown>>,
): ConversionValue {
  const amount = amountOf(valueAt(value, metadata));
  return { amount, currency: amount === undefined ? null : currencyOf(valueAt(currency, metadata)) };
}

/** A sum of amounts as a decimal number without needless zeros, such as 1234.5. */
export function decimalOf(whole: bigint, fraction: bigint): string {
  const total = whole * BigInt(scale) + fraction;
  const decimals = String(total % BigInt(scale))
    .padStart(digits, '0')
    .replace(/0+$/, '');
  const units = String(total / BigInt(scale));
  return decimals === '' ? units : `${units}.${decimals}`;
}
