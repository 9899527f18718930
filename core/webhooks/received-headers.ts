// The headers of a delivery in the form of any framework. Called by verify.ts.
import { WebhookVerificationError } from './verification-error.ts';

/** Names and values, in any case; or an object with `get`, such as `Headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const headerOf = (headers: WebhookHeaders, name: string): unknown =>
  typeof headers.get === 'function' ? headers.get(name) : fromObject(headers, name);

/** Whether the header exists and has a value. */
export function hasHeader(headers: WebhookHeaders, name: string): boolean {
  const value = headerOf(headers, name);
  return typeof value === 'string' && value !== '';
}

/** The prefix of the service's own headers, such as `X-Acme-`; undefined if no header contains the id of a delivery. */
export function ownPrefixIn(headers: WebhookHeaders): string | undefined {
  const names = typeof headers.get === 'function' ? namesOf(headers) : Object.keys(headers);
  const delivery = names.find(
    (name) => /^x-[a-z0-9]+-delivery$/i.test(name) && String(headerOf(headers, name)).startsWith('dlv_'),
  );
  return delivery?.replace(/Delivery$/i, '');
}

const namesOf = (headers: object): string[] =>
  'keys' in headers && typeof headers.keys === 'function' ? [...(headers.keys() as Iterable<string>)] : [];

/** A header's value. @throws WebhookVerificationError */
export function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('header_missing', `The header ${name} is missing, which every webhook has.`);
}

function fromObject(headers: object, name: string): unknown {
  const lowerCaseName = name.toLowerCase();
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === lowerCaseName) ?? [];
  return Array.isArray(value) ? value.join(',') : value;
}
