// The headers of a delivery in whatever form a framework has them. Called by verify.ts.
import { WebhookVerificationError } from './verification-error.ts';

/** Names and values, in any case; or what has a `get` as `Headers` does. */
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
