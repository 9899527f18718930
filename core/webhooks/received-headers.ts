// The headers of a delivery in the form of any framework. Called by verify.ts.
import { WebhookVerificationError } from './verification-error.ts';

/** Names and values, in any case; or an object with `get`, such as `Headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header's value. @throws WebhookVerificationError */
export function readHeader(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : fromObject(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('header_missing', `The header ${name} is missing: no webhook is without it.`);
}

function fromObject(headers: object, name: string): unknown {
  const wanted = name.toLowerCase();
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === wanted) ?? [];
  return Array.isArray(value) ? value.join(',') : value;
}
