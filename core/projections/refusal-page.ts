// A refusal as an HTML page: the core's answer to a browser outside the API. Called by rest.ts, public-routes.ts and the hosts.
import type { PostriderError } from '../contract/errors/errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { escapeHtml } from '../pages/html.ts';
import { pageFrame } from '../pages/page-frame.ts';

const frame = pageFrame(
  'body{max-width:40rem;margin:15vh auto 0;padding:0 1.25rem;font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.5rem}',
);

/** Whether the client prefers HTML: browsers list text/html first, programs do not list it or prefer JSON. */
export function wantsPage({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const types = (headers.accept ?? '').split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const page = types.indexOf('text/html');
  const json = types.indexOf('application/json');
  return page !== -1 && (json === -1 || page < json);
}

/** The page of a refusal, with a policy that forbids scripts and loading. */
export function refusalPage(refusal: PostriderError, title: string, requestId: string): HttpResponse {
  const { status, message, headers } = refusal;
  return htmlPage({ status, headers, title, requestId, content: `<p>${escapeHtml(message)}</p>` });
}

interface Page extends Pick<HttpResponse, 'status' | 'headers'> {
  readonly title: string;
  readonly requestId: string;
  readonly content: string;
}

function htmlPage({ status, headers, title, requestId, content }: Page): HttpResponse {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': frame.policy,
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept',
      'X-Request-Id': requestId,
      ...headers,
    },
    body: frame.write({ title, body: `<h1>${escapeHtml(title)}</h1>\n${content}` }),
  };
}

/**
 * The answer for an unknown path. The API answers every client with its envelope; other paths answer a browser with a page.
 * `start` is the start path of the pages around the unknown path.
 */
export function unknownRoutePage(
  request: Pick<HttpRequest, 'headers' | 'url'>,
  refusal: PostriderError,
  requestId: string,
  start?: string,
): HttpResponse | undefined {
  const isApi = /^\/v1(?:[/?]|$)/.test(request.url);
  if (refusal.code !== 'route_not_found' || isApi || !wantsPage(request)) return undefined;
  const [path = ''] = request.url.split('?', 1);
  // Does not show the path: the mount's own part is missing in it, and the browser shows the whole path.
  const text = '<p>There is no page at this address. It may have moved, or the address may have a slip.</p>';
  // A relative link, because the mount's own path precedes it.
  const back = start === undefined ? undefined : `${'../'.repeat(path.split('/').length - 2)}${start.slice(1)}`;
  const content = back === undefined ? text : `${text}\n<p><a href="${escapeHtml(back)}">Back to the start</a></p>`;
  const { status, headers } = refusal;
  return { ...htmlPage({ status, headers, title: 'Page not found', requestId, content }), unknownRoute: true };
}
