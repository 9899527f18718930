// Access to pages for the program's own people: which visitors may see a page, and which sites may call its routes.
// Called first by each route of the page; nothing is read before it returns.

import type { PublicRequest, PublicRoute, PublicRouteContext } from '../contract/declaration/public-route.ts';
import { checkOptions } from '../contract/errors/check-options.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import type { PageRequest } from '../contract/ports/access.ts';
import { parseUrl } from '../contract/values/parse-url.ts';
import { isLoopbackHost, remoteSign } from './loopback.ts';

/** The workspaces that a visitor may see. */
export interface PageAccess {
  /** Every workspace, or those with these ids. */
  readonly workspaces: 'all' | readonly string[];
}

type AuthorizeResult = PageAccess | 'local' | undefined;

/** The program's options for such a page. */
export interface PageOptions {
  /**
   * The program's own sign-in: returns the workspaces that the caller may see, or undefined to refuse. `'local'` means
   * the same as no `authorize` in development: everything for requests from this machine. Called for every request, in
   * production too. (Default: everything in development, from this machine only; nothing in production)
   */
  readonly authorize?: (request: PageRequest) => AuthorizeResult | PromiseLike<AuthorizeResult>;
  /**
   * Whether private networks count as this machine, if there is no `authorize` or it returns `'local'`. A container
   * sees its host under a private address, but also all other machines of that network. (Default: false)
   */
  readonly privateNetworks?: boolean;
}

/** The page's own refusals. */
export interface PageRefusals {
  accessDenied(): PostriderError;
  notLocal(details: { readonly reason: string }): PostriderError;
  crossSite(): PostriderError;
}

/** Returns the access of the caller. @throws one of the page's refusals */
export type PageGate = (context: PublicRouteContext, request: PublicRequest) => Promise<PageAccess>;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Cookies by name; if two have the same name, the first counts, because browsers send the more specific cookie first.
 */
export function cookiesOf(header: string | undefined): Record<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name === '' || cookies.has(name)) continue;
    const value = pair.slice(equals + 1).trim();
    cookies.set(name, decoded(value.replace(/^"(.*)"$/, '$1')));
  }
  return Object.fromEntries(cookies);
}

/** Whether the Origin has the same host as the request. The scheme is not known here. */
function isOwnOrigin(origin: string, { headers }: PublicRequest, publicUrl: string | undefined): boolean {
  const url = parseUrl(origin);
  if (url === undefined) return false;
  const { host, origin: requested } = url;
  if (publicUrl !== undefined && parseUrl(publicUrl)?.origin === requested) return true;
  return host !== '' && host === headers.host?.toLowerCase();
}

/**
 * Refuses requests from other sites (CSRF, and reading by embedding). Browsers send the origin of a request; a client
 * that sends none is not a browser, and has no cookies that a page could abuse. A link from another site may open a
 * page.
 */
function checkSite(context: PublicRouteContext, request: PublicRequest, refusals: PageRefusals): void {
  if (isCrossSite(context, request)) throw refusals.crossSite();
}

/** Whether a page of another site sent the request, or shows its answer inside of a frame. */
export function isCrossSite({ ports }: Pick<PublicRouteContext, 'ports'>, request: PublicRequest): boolean {
  const { headers, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    const isVisit = isRead && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    return site !== 'same-origin' && site !== 'none' && !isVisit;
  }
  const { origin } = headers;
  return !isRead && origin !== undefined && !isOwnOrigin(origin, request, ports.service.publicUrl);
}

/** The request as the program's sign-in gets it. */
export const pageRequest = ({ method, url, headers, address }: PublicRequest): PageRequest => ({
  method,
  url,
  headers,
  cookies: cookiesOf(headers.cookie),
  address,
});

/** In production without a sign-in, the page does not exist: its paths are unknown, for every method. */
export const hiddenWithoutSignIn =
  ({ authorize }: PageOptions): NonNullable<PublicRoute['hidden']> =>
  ({ environment }) =>
    authorize === undefined && environment !== 'development';

export interface GateParts {
  readonly options: PageOptions;
  readonly refusals: PageRefusals;
  /** The prefix of log messages: the function that took the options. */
  readonly owner: string;
}

/** Checks the value that `authorize` returned: programs without types may return anything. */
function checkAccess(
  access: unknown,
  { log, requestId }: PublicRouteContext,
  { refusals, owner }: Pick<GateParts, 'refusals' | 'owner'>,
): PageAccess {
  if (access === undefined || access === null || access === false) throw refusals.accessDenied();
  const { workspaces } = access as { workspaces?: unknown };
  if (workspaces === 'all') return { workspaces };
  if (Array.isArray(workspaces) && workspaces.every((id) => typeof id === 'string')) return { workspaces };
  log.error(
    { request_id: requestId },
    `${owner}: authorize must return { workspaces: 'all' }, { workspaces: ['ws_…'] }, 'local' or undefined. It returned something else, so the caller was refused.`,
  );
  throw refusals.accessDenied();
}

/** Access to everything, from this machine. */
function admitLocal(request: PublicRequest, { options, refusals }: GateParts): PageAccess {
  const { privateNetworks = false } = options;
  const reason = remoteSign(request, privateNetworks);
  if (reason !== undefined) throw refusals.notLocal({ reason });
  const { origin } = request.headers;
  if (origin !== undefined && !isLoopbackHost(parseUrl(origin)?.host ?? '')) throw refusals.crossSite();
  return { workspaces: 'all' };
}

export function createPageGate(parts: GateParts): PageGate {
  checkOptions<PageOptions>(parts.owner, parts.options, {
    authorize: 'optional',
    privateNetworks: 'optional',
  });
  const { refusals } = parts;
  const { authorize } = parts.options;
  return async (context, request) => {
    if (authorize === undefined) {
      const access = admitLocal(request, parts);
      checkSite(context, request, refusals);
      return access;
    }
    checkSite(context, request, refusals);
    const access = await authorize(pageRequest(request));
    if (access === 'local') return admitLocal(request, parts);
    return checkAccess(access, context, parts);
  };
}

/** For files without private data: the page of a refusal needs its style, too. */
export const fileGate: PageGate = async () => ({ workspaces: [] });
