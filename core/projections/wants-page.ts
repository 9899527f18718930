// Whether a client prefers a page to JSON. Called wherever the core answers browsers and programs on the same path.
import type { HttpRequest } from '../contract/http/http.ts';

/** Whether the client prefers HTML: browsers list text/html first, programs do not list it or prefer JSON. */
export function wantsPage({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const types = (headers.accept ?? '').split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const page = types.indexOf('text/html');
  const json = types.indexOf('application/json');
  return page !== -1 && (json === -1 || page < json);
}
