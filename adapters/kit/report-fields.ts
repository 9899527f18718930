// Reads fields of JSON whose shape a provider defines. A field that is missing or has another type counts as absent and
// never causes an error. Called by the adapters that parse reports.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ReportRefused } from '../../plugins/email/port/index.ts';

/** An object whose fields are unknown. */
export type ReportFields = Readonly<Record<string, unknown>>;

/** The value as an object; an object without fields if it is anything else. */
export const fieldsOf = (value: unknown): ReportFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ReportFields) : {};

/** The value as a list; an empty list if it is anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as a text. Numbers are converted, anything else becomes empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** The text, or undefined if it is empty. */
export const optionalText = (value: unknown): string | undefined => textOf(value) || undefined;

/**
 * Whether a text contains its offset from UTC. Without an offset, the text would be read in the time zone of this
 * machine.
 */
const hasZone = /(?:[zZ]|[+-]\d\d:?(?:\d\d)?|\b(?:GMT|UTC?|[ECMP][SD]T))\s*(?:\([^()]*\)\s*)?$/;

/** A time in ISO 8601 or RFC 5322, as milliseconds since the epoch; undefined for any other text, and without a time zone. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value).trim();
  const time = text.length <= 100 && hasZone.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Unix seconds, whole or with a fraction, in milliseconds since the epoch; undefined for anything else. */
export function timeOfSeconds(value: unknown): number | undefined {
  const text = textOf(value);
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Math.trunc(Number(text) * 1_000) : undefined;
}

/** The body as JSON. @throws ReportRefused if it is not JSON, because then no provider sent it */
export function parseReport(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new ReportRefused('The body is not JSON.', { malformed: true });
  }
}

/** Compares two secrets of any length in constant time. */
export function isSameSecret(input: string, expected: string): boolean {
  const [one, other] = [input, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
