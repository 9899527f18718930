// Reads fields of JSON whose shape a provider defines. A field that is missing or has another type is absent, never an error.
// Called by the adapters that parse reports.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ReportRefused } from '../../plugins/email/port/index.ts';

/** An object whose fields are unknown. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an object without fields if it is anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The value as a list; an empty list if it is anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as a text. Numbers are converted, anything else becomes empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** The text, or undefined if it is empty. */
export const optionalText = (value: unknown): string | undefined => textOf(value) || undefined;

/** The body as JSON. @throws ReportRefused if it is not JSON, because then no provider sent it */
export function parseReport(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new ReportRefused('The body is not JSON.', { malformed: true });
  }
}

/** Compares two secrets of any length in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
