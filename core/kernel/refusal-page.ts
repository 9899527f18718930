// A refusal as an HTML page: the core's answer to a browser for a public route. Called by public-routes.ts.
import type { PostriderError } from '../contract/errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http.ts';

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (mark) => references[mark] ?? mark);

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
      'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
</head>
<body>
<h1>${escapeText(title)}</h1>
<p>${escapeText(message)}</p>
</body>
</html>
`,
  };
}
