// Access to pages for the program's own people: who visits a page, and which sites may call its routes. Called first by each
// route of the page; nothing is read before it returns.

import type { CorePorts } from '../contract/context/context.ts';
import type { PublicRequest, PublicRouteContext } from '../contract/declaration/public-route.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import type { HttpResponse } from '../contract/http/http.ts';
import type { AccessPort, PageRequest, VisitorWorkspace } from '../contract/ports/access.ts';
import { parseUrl } from '../contract/values/parse-url.ts';
import { wantsPage } from '../projections/wants-page.ts';
import { isLoopbackHost, remoteReason } from './loopback.ts';
import { seeOther } from './public-page.ts';
import { signInAddress } from './sign-in.ts';

/** The person who visits a page. */
export interface PageVisitor {
  readonly name: string;
  /** Undefined for the local developer (requests from this machine in development), unless the program names a member. */
  readonly member: string | undefined;
  readonly signOutUrl: string | undefined;
  /** `all`: every workspace, with all scopes. */
  readonly workspaces: 'all' | readonly VisitorWorkspace[];
}

/** The page's own refusals. */
export interface PageRefusals {
  accessDenied(): PostriderError;
  notLocal(details: { readonly reason: string }): PostriderError;
  crossSite(): PostriderError;
  scopeMissing(details: { readonly scopes: readonly string[] }): PostriderError;
}

/** Returns the visitor, or a redirect to the program's sign-in page. @throws one of the page's refusals */
export type PageGate = (context: PublicRouteContext, request: PublicRequest) => Promise<PageVisitor | HttpResponse>;

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

/** The request in the form that the program's `access` receives. */
export const pageRequest = ({ method, url, headers, address }: PublicRequest): PageRequest => ({
  method,
  url,
  headers,
  cookies: cookiesOf(headers.cookie),
  address,
});

/**
 * Whether the page is hidden, which is the case in production without the option `access`. Its paths then do not exist, for any
 * method.
 */
export const hiddenWithoutAccess = ({ access, service }: Pick<CorePorts, 'access' | 'service'>): boolean =>
  !access.configured && service.environment !== 'development';

/** The parts of a gate. */
interface GateParts {
  readonly refusals: PageRefusals;
  /** The visitor sees only workspaces in which they have this scope, and needs at least one. (Default: no scope) */
  readonly scope?: string;
  /** (Default: the option `access` of createService) */
  readonly accessOf?: (context: PublicRouteContext) => AccessPort;
  /** The member for whom the local developer acts. (Default: none) */
  readonly localMember?: string | undefined;
}

/** Admits the local developer with all rights. */
function admitLocal(
  request: PublicRequest,
  { privateNetworks }: AccessPort,
  { refusals, localMember }: GateParts,
): PageVisitor {
  const reason = remoteReason(request, privateNetworks);
  if (reason !== undefined) throw refusals.notLocal({ reason });
  const { origin } = request.headers;
  if (origin !== undefined && !isLoopbackHost(parseUrl(origin)?.host ?? '')) throw refusals.crossSite();
  return { name: 'This machine', member: localMember, signOutUrl: undefined, workspaces: 'all' };
}

/** Whether the request opens a page in a browser window. Calls by scripts, and frames, cannot show a sign-in page. */
function opensPage(request: PublicRequest): boolean {
  const { method, headers } = request;
  const destination = headers['sec-fetch-dest'];
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && wantsPage(request) && (destination === undefined || destination === 'document');
}

/** The workspaces in which the visitor has the scope. @throws a refusal if there is no such workspace */
function workspacesWith(
  workspaces: readonly VisitorWorkspace[],
  { scope, refusals }: GateParts,
): readonly VisitorWorkspace[] {
  if (scope === undefined) return workspaces;
  const allowedWorkspaces = workspaces.filter(({ scopes }) => scopes.has(scope));
  if (allowedWorkspaces.length === 0 && workspaces.length > 0) throw refusals.scopeMissing({ scopes: [scope] });
  return allowedWorkspaces;
}

/**
 * The visitor is the member that the program's `access` returns. Without `access`, only the local developer is admitted, in
 * development.
 */
export function createPageGate(parts: GateParts): PageGate {
  const { refusals, accessOf = ({ ports }: PublicRouteContext) => ports.access } = parts;
  return async (context, request) => {
    const access = accessOf(context);
    const { service } = context.ports;
    if (!access.configured) {
      if (service.environment !== 'development') throw refusals.accessDenied();
      const local = admitLocal(request, access, parts);
      checkSite(context, request, refusals);
      return local;
    }
    checkSite(context, request, refusals);
    const visitor = await access.visitor(pageRequest(request));
    if (visitor.kind === 'member') return { ...visitor, workspaces: workspacesWith(visitor.workspaces, parts) };
    const { signInUrl } = visitor;
    if (signInUrl === undefined || !opensPage(request)) throw refusals.accessDenied();
    return seeOther(signInAddress(signInUrl, request.url, service));
  };
}

/** Admits everybody. For files without private data, such as the style, which the page of a refusal needs too. */
export const fileGate: PageGate = async () => ({
  name: '',
  member: undefined,
  signOutUrl: undefined,
  workspaces: [],
});
