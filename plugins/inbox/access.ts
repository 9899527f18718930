// Who may see the inbox, and which pages may ask. Called first by every route; nothing is read before it has answered.
import type { PublicRequest, PublicRoute, PublicRouteContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { isLoopbackHost, remoteSign } from './loopback.ts';
import type { InboxAccess, InboxOptions } from './options.ts';

/** Answers what the caller may see. @throws inbox_not_local, inbox_access_denied, inbox_cross_site */
export type Gate = (context: PublicRouteContext, request: PublicRequest) => Promise<InboxAccess>;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Cookies by name; of two with one name the first counts, as browsers send the closer one first. */
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

/** Whether the Origin is that of the page that the Host serves. The scheme is not known here. */
function isOwnOrigin(origin: string, { headers }: PublicRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: asked } = new URL(origin);
  if (publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === asked) return true;
  return host !== '' && host === headers.host?.toLowerCase();
}

/**
 * Refuses pages of other sites (CSRF, and reading by embedding). Browsers say where a request comes from; who says
 * nothing is no browser, and holds no cookie that a page could borrow. A link from elsewhere may open a page.
 */
function checkSite(context: PublicRouteContext, request: PublicRequest): void {
  const { headers, method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    const isVisit = isRead && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    if (site !== 'same-origin' && site !== 'none' && !isVisit) throw errors.inbox_cross_site();
    return;
  }
  const { origin } = headers;
  if (isRead || origin === undefined) return;
  if (!isOwnOrigin(origin, request, context.ports.service.publicUrl)) throw errors.inbox_cross_site();
}

/** Without a sign-in there is no inbox in production: its paths are unknown like any other, whatever the method. */
export const hiddenIn =
  ({ authorize }: InboxOptions): NonNullable<PublicRoute['hidden']> =>
  ({ environment }) =>
    authorize === undefined && environment !== 'development';

/** What `authorize` answered, if it is what it has to be: programs without types answer all sorts of things. */
function checkAccess(access: unknown, { log, requestId }: PublicRouteContext): InboxAccess {
  if (access === undefined || access === null || access === false) throw errors.inbox_access_denied();
  const { workspaces } = access as { workspaces?: unknown };
  if (workspaces === 'all') return { workspaces };
  if (Array.isArray(workspaces) && workspaces.every((id) => typeof id === 'string')) return { workspaces };
  log.error(
    { request_id: requestId },
    "inboxPlugin: authorize must answer { workspaces: 'all' }, { workspaces: ['ws_…'] } or undefined. It answered something else, so the caller was refused.",
  );
  throw errors.inbox_access_denied();
}

/** Everything, for this machine. */
function admitLocal(request: PublicRequest, { privateNetworks = false }: InboxOptions): InboxAccess {
  const reason = remoteSign(request, privateNetworks);
  if (reason !== undefined) throw errors.inbox_not_local({ reason });
  const { origin } = request.headers;
  if (origin !== undefined && !(URL.canParse(origin) && isLoopbackHost(new URL(origin).host)))
    throw errors.inbox_cross_site();
  return { workspaces: 'all' };
}

/** The gate of one inbox. */
export function createGate(options: InboxOptions): Gate {
  const { authorize } = options;
  return async (context, request) => {
    if (authorize === undefined) {
      const access = admitLocal(request, options);
      checkSite(context, request);
      return access;
    }
    checkSite(context, request);
    const { method, url, headers, address } = request;
    const access = await authorize({ method, url, headers, cookies: cookiesOf(headers.cookie), address });
    return checkAccess(access, context);
  };
}

/** Of files that hold nothing of anybody: the page that refuses somebody is styled, too. */
export const fileGate: Gate = async () => ({ workspaces: [] });
