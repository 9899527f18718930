// The shell of the console: the document around every page, with the navigation, the workspaces, the sides and the person. Works
// without a script. All addresses are relative, so it works behind any base path.
import { createHash } from 'node:crypto';
import {
  type ConsoleDocument,
  type ConsoleDownload,
  type ConsoleEntry,
  type ConsoleLinkDeclaration,
  type ConsoleQuery,
  type ConsoleView,
  contentDisposition,
  type HttpResponse,
} from '../../core/index.ts';
import {
  escapeHtml,
  type Html,
  html,
  type PageVisitor,
  plainResponse,
  type VisibleWorkspace,
} from '../../core/unstable.ts';
import { iconOf } from './icons.ts';
import type { Location } from './location.ts';
import { isPage, type NavigationArea } from './navigation.ts';
import { searchPath } from './search.ts';

const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** The policy of a page. `style` is the page's own: the browser applies no other style inside of the document. */
function policyFor(style: string | undefined): string {
  const own = style === undefined ? '' : ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  return [...directives, `style-src 'self'${own}`].join('; ');
}

/** Forms need a referrer of this site: without one, browsers send them with the origin `null`. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** A step of the breadcrumb. Without `href`, it is not a link. */
export interface Crumb {
  readonly text: string;
  readonly href?: string | undefined;
}

/** The data that the shell shows around a page. */
export interface Shell {
  readonly service: string;
  /** The relative address of `/console/`. */
  readonly root: string;
  readonly urlOf: (file: string) => string;
  readonly startPage: string | undefined;
  readonly visitor: PageVisitor;
  readonly workspaces: readonly VisibleWorkspace[];
  /** Undefined if the visitor may see no workspace. */
  readonly location: Location | undefined;
  readonly navigation: readonly NavigationArea[];
  /** The first segment of the page's path. */
  readonly area: string | undefined;
}

const query = (values: ConsoleQuery): string => {
  const present = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
};

/** The address of a page of the console. */
export const addressOf = (
  { root }: Pick<Shell, 'root'>,
  { workspace, side }: Pick<Location, 'workspace' | 'side'>,
  path = '',
  values: ConsoleQuery = {},
): string => {
  const segments = [workspace.id, ...path.split('/').filter((segment) => segment !== '')];
  return `${root}${segments.map(encodeURIComponent).join('/')}${query({ side, ...values })}`;
};

/** The address of a page outside of the console. */
export const outsideAddress = (
  { root }: Pick<Shell, 'root'>,
  { workspace, side }: Pick<Location, 'workspace' | 'side'>,
  { url, takesLocation = false }: ConsoleLinkDeclaration,
  values: ConsoleQuery = {},
): string => `${root}..${url}${query({ ...(takesLocation ? { workspace: workspace.id, side } : {}), ...values })}`;

function entryLink(shell: Shell, location: Location, entry: ConsoleEntry): Html {
  if (isPage(entry)) {
    const current = entry.path === shell.area ? html` aria-current="page"` : null;
    return html`<li><a href="${addressOf(shell, location, entry.path)}" title="${entry.title}"${current}>${iconOf(entry.title)}<span>${entry.title}</span></a></li>`;
  }
  return html`<li><a href="${outsideAddress(shell, location, entry)}" title="${entry.title}">${iconOf(entry.title)}<span>${entry.title}</span></a></li>`;
}

function sideSwitch(shell: Shell, { workspace, side: current, sides }: Location): Html | null {
  if (sides.length < 2) return null;
  // An id exists on one side only, so the other side shows the list.
  const hasList = shell.navigation.some(({ entries }) =>
    entries.some((entry) => isPage(entry) && entry.path === shell.area),
  );
  const items = sides.map((side) => {
    const text = side === 'live' ? 'Live' : 'Sandbox';
    const href = addressOf(shell, { workspace, side }, hasList ? shell.area : '');
    return side === current
      ? html`<a href="${href}" aria-current="true">${text}</a>`
      : html`<a href="${href}">${text}</a>`;
  });
  return html`<div class="sides" role="group" aria-label="Live or sandbox">${items}</div>`;
}

function workspacePicker(shell: Shell, { workspace }: Location): Html {
  if (shell.workspaces.length < 2) return html`<p class="workspace" dir="auto">${workspace.name}</p>`;
  const items = shell.workspaces.map(
    ({ workspace: one, sides }) =>
      html`<li><a dir="auto" href="${addressOf(shell, { workspace: one, side: sides[0] ?? 'live' })}"${one.id === workspace.id ? html` aria-current="true"` : null}>${one.name}</a></li>`,
  );
  return html`<details class="picker"><summary><span class="unseen">Workspace: </span><span dir="auto">${workspace.name}</span></summary><ul>${items}</ul></details>`;
}

/** The search. The script opens it over the page with Ctrl or ⌘ and K. */
function searchForm(shell: Shell, { workspace, side }: Location): Html {
  const [action = ''] = addressOf(shell, { workspace, side }, searchPath).split('?');
  return html`<form class="search" role="search" method="get" action="${action}"><input type="hidden" name="side" value="${side}"><input type="search" name="q" placeholder="Search" aria-label="Search the console" maxlength="254" autocomplete="off"></form>`;
}

/** The content of the rail, and of the drawer in narrow windows. */
function railContent(shell: Shell): Html {
  const { location, navigation, visitor } = shell;
  const groups =
    location === undefined
      ? null
      : navigation.map(
          ({ title, entries }) =>
            html`<h2>${title}</h2><ul>${entries.map((entry) => entryLink(shell, location, entry))}</ul>`,
        );
  const signOut = visitor.signOutUrl === undefined ? null : html`<a href="${visitor.signOutUrl}">Sign out</a>`;
  return html`${location === undefined ? null : html`${workspacePicker(shell, location)}${sideSwitch(shell, location)}${searchForm(shell, location)}`}<nav aria-label="Areas">${groups}</nav><div class="person"><p dir="auto">${visitor.name}</p>${signOut}</div>`;
}

function breadcrumb(crumbs: readonly Crumb[]): Html | null {
  if (crumbs.length === 0) return null;
  const items = crumbs.map(({ text, href }) =>
    href === undefined ? html`<li dir="auto">${text}</li>` : html`<li><a dir="auto" href="${href}">${text}</a></li>`,
  );
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${items}</ol></nav>`;
}

/** A message above the content: the result of an action, or the reason why it was refused. */
export interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

/** A page in the shell. */
export function shellPage(
  shell: Shell,
  view: ConsoleView,
  {
    crumbs = [],
    notice,
    status = 200,
    style,
  }: {
    readonly crumbs?: readonly Crumb[];
    readonly notice?: Notice | undefined;
    readonly status?: number;
    readonly style?: string | undefined;
  } = {},
): HttpResponse {
  const { service, urlOf, location, startPage } = shell;
  const isSandbox = location?.side === 'sandbox';
  const rail = railContent(shell);
  const brand =
    startPage === undefined
      ? html`<p class="brand">${service}</p>`
      : html`<a class="brand" href="${startPage}" aria-label="${service}: start page">${service}</a>`;
  const message =
    notice === undefined
      ? null
      : html`<p class="notice ${notice.tone}" role="${notice.tone === 'bad' ? 'alert' : 'status'}">${notice.text}</p>`;
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<div class="shell${isSandbox ? ' sandbox' : ''}">
<header class="top"><details class="drawer"><summary>Menu</summary><div class="sheet">${rail}</div></details>${brand}</header>
<aside class="rail" aria-label="Console">${brand}${rail}</aside>
<main id="main" tabindex="-1">${breadcrumb(crumbs)}<header class="head"><h1 dir="auto">${view.heading}</h1>${view.status}${isSandbox ? html`<span class="chip">Sandbox</span>` : null}</header>${view.meta === undefined ? null : html`<p class="meta" dir="auto">${view.meta}</p>`}${message}${view.body}</main>
</div>`;
  const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(view.heading)} · ${escapeHtml(service)}</title>
<link rel="icon" type="image/svg+xml" href="${escapeHtml(urlOf('icon.svg'))}">
<link rel="stylesheet" href="${escapeHtml(urlOf('console.css'))}">${style === undefined ? '' : `\n<style>${style}</style>`}
<script type="module" src="${escapeHtml(urlOf('console.js'))}"></script>
</head>
<body>
${body.html}
</body>
</html>
`;
  const { refreshSeconds } = view;
  const ownHeaders = {
    ...headers,
    'Content-Security-Policy': policyFor(style),
    ...(refreshSeconds === undefined ? {} : { Refresh: String(refreshSeconds) }),
  };
  return { ...plainResponse('text/html; charset=utf-8', document, ownHeaders), status };
}

/** The policy of a document in a frame: no scripts, no forms, nothing from other hosts, and only pages of the console may frame it. */
const documentPolicy = (hasOwnPictures: boolean): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src ${hasOwnPictures ? "'self' " : ''}data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`;

/** Makes the frame a stop of the Tab key, so that it can be scrolled by keyboard. Parsers add it to the attributes of the first body. */
const tabStop = '<body tabindex="0">';

/** A document for a frame. */
export const documentPage = ({ document, hasOwnPictures = false }: ConsoleDocument): HttpResponse =>
  plainResponse('text/html; charset=utf-8', document + tabStop, {
    'Content-Security-Policy': documentPolicy(hasOwnPictures),
    'X-DNS-Prefetch-Control': 'off',
    'X-Frame-Options': 'SAMEORIGIN',
  });

/** A file that the browser saves. */
export const downloadResponse = ({ download: { fileName, type, content } }: ConsoleDownload): HttpResponse =>
  plainResponse(type, content, { 'Content-Disposition': contentDisposition('attachment', fileName) });

/** A file that a page answers itself. Only pages of this origin may show it, and the browser asks again each time it shows it. */
export const fileOfPage = (file: HttpResponse): HttpResponse => {
  const { 'Access-Control-Allow-Origin': _, ...headers } = file.headers;
  return {
    ...file,
    headers: {
      ...headers,
      'Cache-Control': 'private, no-cache',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
  };
};
