// A refusal as an HTML page: the core's answer to a browser outside of the API. Called by rest.ts, public-routes.ts and
// the hosts.
import { createHash } from 'node:crypto';
import type { PostriderError } from '../contract/errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (mark) => references[mark] ?? mark);

const style =
  'body{max-width:40rem;margin:15vh auto 0;padding:0 1.25rem;font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.5rem}';
/** The policy allows this style and nothing else. */
const styleHash = createHash('sha256').update(style).digest('base64');

/** Whether the client prefers HTML: browsers list text/html first, programs do not list it or prefer JSON. */
export function wantsPage({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  const named = (headers.accept ?? '').split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const page = named.indexOf('text/html');
  const json = named.indexOf('application/json');
  return page !== -1 && (json === -1 || page < json);
}

/** The page of a refusal, with a policy that forbids scripts and loading. */
export function refusalPage(refusal: PostriderError, title: string, requestId: string): HttpResponse {
  const { status, message, headers } = refusal;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept',
      'X-Request-Id': requestId,
      ...headers,
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeText(title)}</h1>
<p>${escapeText(message)}</p>
</body>
</html>
`,
  };
}

/** The answer for an unknown path. The API answers every client in its envelope, other paths answer a browser a page. */
export function unknownRoutePage(
  request: Pick<HttpRequest, 'headers' | 'url'>,
  refusal: PostriderError,
  requestId: string,
): HttpResponse | undefined {
  const isApi = /^\/v1(?:[/?]|$)/.test(request.url);
  if (refusal.code !== 'route_not_found' || isApi || !wantsPage(request)) return undefined;
  return { ...refusalPage(refusal, 'There is no page here', requestId), unknownRoute: true };
}
