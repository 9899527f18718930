// A page of a plugin: one HTML document for all of its paths, which loads its own script and style and calls the
// plugin's routes for data. All URLs in it are relative, so it works behind any base path.

import type { PublicRequest, PublicRoute, PublicRouteContext } from '../contract/declaration/public-route.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import type { HttpResponse } from '../contract/http/http.ts';
import type { PageGate } from './access.ts';
import { consoleAddress } from './console-link.ts';
import { escapeHtml } from './html.ts';
import { pageRoute, plainResponse, privateHeaders } from './page-responses.ts';
import { bodyWithStart } from './start-bar.ts';
import { type StaticFile, staticFile, staticResponse } from './static-response.ts';

/** Allows the page's own files and frames, and nothing inline. */
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

/** Script, style and icon, by name. */
export type PageAssets = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

export interface PageParts {
  /** The first segment of its path, and the name of its script and style: `console`. */
  readonly name: string;
  /** The title before the service's name. */
  readonly title: string;
  /** Its paths below the first segment, each with a leading slash; `/` is the first segment itself. */
  readonly paths: readonly `/${string}`[];
  readonly description: string;
  /** The prebuilt files, loaded at the first request of the page. */
  load(): Promise<PageAssets>;
}

/** The files by name. The URL of each contains its version: new bytes get a new URL. */
type Files = Readonly<Record<string, StaticFile>>;

/** The relative URL from a page to /{name}/, behind any base path and with or without a trailing slash. */
export function relativePathToPage(name: string, url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const steps = path.slice(path.indexOf(`/${name}`) + 1).split('/').length - 2;
  return steps < 0 ? `${name}/` : steps === 0 ? './' : '../'.repeat(steps);
}

const respond = (status: number, html: string): HttpResponse => ({
  ...plainResponse('text/html; charset=utf-8', html, pageHeaders),
  status,
});

/** The files of a page, which contain no private data. */
export interface PageFiles {
  /** Returns a function that makes the URL of a file. `basePath` is the relative URL of `/{name}/`. */
  urls(basePath: string): Promise<(file: string) => string>;
  readonly route: PublicRoute;
}

/** The files below `/{name}/assets/`. */
export function pageFiles(name: string, load: PageParts['load'], fileGate: PageGate): PageFiles {
  let files: Promise<Files> | undefined;
  const readFiles = async (): Promise<Files> => {
    const assets = Object.entries(await load());
    return Object.fromEntries(assets.map(([file, { body, type }]) => [file, staticFile(body, type)]));
  };
  const loadFiles = (): Promise<Files> => {
    files ??= readFiles();
    return files;
  };
  return {
    async urls(basePath) {
      const assets = await loadFiles();
      return (file) => `${basePath}assets/${file}?v=${assets[file]?.version ?? ''}`;
    },
    route: pageRoute(
      fileGate,
      { http: `GET /${name}/assets/{name}`, description: "The page's script, style and icon." },
      async (_context, request) => {
        const fileName = request.params.name ?? '';
        const loadedFiles = await loadFiles();
        const file = Object.hasOwn(loadedFiles, fileName) ? loadedFiles[fileName] : undefined;
        if (file === undefined) throw coreErrors.route_not_found({ path: `/${name}/assets/${fileName.slice(0, 100)}` });
        const { 'Cache-Control': _, ...headers } = privateHeaders;
        return staticResponse(request, file, headers);
      },
    ),
  };
}

/** The page at all its paths, and its files, which contain no private data. */
export function pageRoutes(parts: PageParts, gate: PageGate, fileGate: PageGate): PublicRoute[] {
  const { name, title, paths, description, load } = parts;
  const files = pageFiles(name, load, fileGate);

  const document = async (
    context: PublicRouteContext,
    request: PublicRequest,
    body: string,
    isApp: boolean,
  ): Promise<string> => {
    const { startPage } = request;
    const { name: service } = context.ports.service;
    const basePath = relativePathToPage(name, request.url);
    const console = consoleAddress(context, request, basePath);
    const urlOf = await files.urls(basePath);
    const script = isApp ? `<script type="module" src="${urlOf(`${name}.js`)}"></script>\n` : '';
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f6f4">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141517">
<title>${title} · ${escapeHtml(service)}</title>
<link rel="icon" type="image/svg+xml" href="${urlOf('icon.svg')}">
<link rel="stylesheet" href="${urlOf(`${name}.css`)}">
${script}</head>
${bodyWithStart({ startPage, console, service }, body)}
</html>
`;
  };

  /** A refusal (401 or 403) as an HTML page. Other errors keep the usual answer. */
  const refusalPage = async (
    { status, code, message }: PostriderError,
    context: PublicRouteContext,
    request: PublicRequest,
  ): Promise<HttpResponse | undefined> => {
    if (status !== 401 && status !== 403) return undefined;
    const notHere = code.endsWith('_scope_missing') ? 'Not for your role' : 'Not from here';
    const heading = status === 401 ? 'Sign in first' : notHere;
    const body = `<main class="refusal"><h1>${heading}</h1><p>${escapeHtml(message)}</p></main>`;
    return respond(status, await document(context, request, body, false));
  };

  const appBody = `<div id="${name}"></div>\n<noscript>This page needs JavaScript.</noscript>`;
  const pages = paths.map((path) =>
    pageRoute(
      gate,
      { http: `GET /${name}${path === '/' ? '' : path}`, description },
      async (context, request) => respond(200, await document(context, request, appBody, true)),
      refusalPage,
    ),
  );
  return [...pages, files.route];
}
