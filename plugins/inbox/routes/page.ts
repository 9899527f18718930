// The page and its files. The page is one document for every path of it; it loads its own script and style, and asks
// the routes of this folder for everything else.
import { createHash } from 'node:crypto';
import type { HttpResponse, PostriderError, PublicRequest, PublicRoute } from '../../../core/index.ts';
import { coreErrors, entityResponse } from '../../../core/index.ts';
import type { Gate } from '../access.ts';
import { inboxRoute, plainAnswer, privateHeaders } from '../answers.ts';

/** Its own files and frames, and nothing inline. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = { 'Content-Security-Policy': pagePolicy, 'Cross-Origin-Opener-Policy': 'same-origin' };

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (mark) => references[mark] ?? mark);

/** The way from a page to /inbox/, whatever stands in front of it and whether its path ends in a slash. */
export function wayToInbox(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const steps = path.slice(path.indexOf('/inbox') + 1).split('/').length - 2;
  return steps < 0 ? 'inbox/' : steps === 0 ? './' : '../'.repeat(steps);
}

interface Files {
  readonly assets: Readonly<Record<string, { readonly type: string; readonly body: string }>>;
  /** Stands in their addresses: new bytes, new address. */
  readonly version: string;
}

let files: Promise<Files> | undefined;

async function readFiles(): Promise<Files> {
  const { assets } = await import('../assets.gen.ts');
  return { assets, version: createHash('sha256').update(JSON.stringify(assets)).digest('base64url').slice(0, 10) };
}

/** The files, loaded when the first page is asked for. */
function loadFiles(): Promise<Files> {
  files ??= readFiles();
  return files;
}

async function document(way: string, name: string, body: string, isApp: boolean): Promise<string> {
  const { version } = await loadFiles();
  const script = isApp ? `<script type="module" src="${way}assets/inbox.js?v=${version}"></script>\n` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f6f4">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141517">
<title>Inbox · ${escapeText(name)}</title>
<link rel="icon" type="image/svg+xml" href="${way}assets/icon.svg?v=${version}">
<link rel="stylesheet" href="${way}assets/inbox.css?v=${version}">
${script}</head>
<body>
${body}
</body>
</html>
`;
}

const respond = (status: number, html: string): HttpResponse => ({
  ...plainAnswer('text/html; charset=utf-8', html, pageHeaders),
  status,
});

/** A refusal that a person reads. What is not there at all stays as it is. */
async function refusalPage(
  { status, message }: PostriderError,
  { url }: PublicRequest,
  name: string,
): Promise<HttpResponse | undefined> {
  if (status !== 401 && status !== 403) return undefined;
  const title = status === 401 ? 'Sign in first' : 'Not from here';
  const body = `<main class="refusal"><h1>${title}</h1><p>${escapeText(message)}</p></main>`;
  return respond(status, await document(wayToInbox(url), name, body, false));
}

const paths = ['GET /inbox', 'GET /inbox/m/{id}'] as const;
const appBody = '<div id="inbox"></div>\n<noscript>The inbox needs JavaScript.</noscript>';

/** The page at all its paths. */
export const pages = (gate: Gate): PublicRoute[] =>
  paths.map((http) =>
    inboxRoute(
      gate,
      { http, description: 'The development inbox as a page.' },
      async (context, { url }) =>
        respond(200, await document(wayToInbox(url), context.ports.service.name, appBody, true)),
      (error, context, request) => refusalPage(error, request, context.ports.service.name),
    ),
  );

/** Script, style and icon. */
export const readAsset = (gate: Gate): PublicRoute =>
  inboxRoute(
    gate,
    { http: 'GET /inbox/assets/{name}', description: "The page's script, style and icon." },
    async (_context, request) => {
      const { name = '' } = request.params;
      const { assets, version } = await loadFiles();
      const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
      if (asset === undefined) throw coreErrors.route_not_found({ path: `/inbox/assets/${name.slice(0, 100)}` });
      return entityResponse(request, `"${version}"`, asset.body, asset.type, {
        ...privateHeaders,
        'Cache-Control': 'private, no-cache',
      });
    },
  );
