// The public redirect: `/l/{slug}` on the hosts of the service, `/{slug}` on short hosts. This is the most frequent request
// of the service, so it reads nothing from the database if the link was requested within the last second. In the mode
// `buffered` it never waits for the record of a click.
import {
  coreErrors,
  definePublicRoute,
  type HttpResponse,
  hostName,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type RouteHosts,
  type ServiceInfo,
} from '../../../core/index.ts';
import { linkToken } from '../../../core/unstable.ts';
import { ruleFor } from '../choose-rule.ts';
import { clickOf } from '../clicks/click.ts';
import { serviceHosts, shortDomains } from '../domains.ts';
import type { LinksOptions } from '../options.ts';
import { verifyPassword } from '../password.ts';
import { isReserved } from '../slug.ts';
import { createLinkPages, type LinkPageVisit } from './pages.ts';
import type { RedirectLink } from './redirect-link.ts';
import { defaultSpace, type SlugSpace } from './targets.ts';
import { linkTexts } from './texts.ts';

/** The limit of password attempts for one link from one address. */
const passwordLimit = { perMinute: 5, burst: 5 };
/**
 * The limit of requests from one address for slugs without a link. It slows visitors who guess slugs, but not a visitor
 * who mistypes a slug.
 */
const missLimit = { name: 'links.miss', perMinute: 60, burst: 60 };
/** The maximum size of the password form, which has one field. */
const maxBodyBytes = 4_000;

const slugPattern = /^[A-Za-z0-9_-]{1,40}$/;

const redirect = (status: 302 | 303, location: string, sandbox: boolean): HttpResponse => ({
  status,
  headers: {
    Location: location,
    'Cache-Control': 'private, no-store',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    ...(sandbox ? { 'X-Robots-Tag': 'noindex' } : {}),
  },
  body: '',
});

/** The link of a request; null if there is none. */
async function findLink(ctx: PublicRouteContext, space: SlugSpace, input: string): Promise<RedirectLink | null> {
  const slug = linkToken(input);
  if (!slugPattern.test(slug)) return null;
  const { linkTargets } = ctx.services;
  const cached = linkTargets.known(space, slug);
  return cached === undefined ? linkTargets.find(ctx.readUnscoped, space, slug) : cached;
}

export function redirectRoutes(options: LinksOptions): readonly PublicRoute[] {
  const { recordClicks = 'buffered', landingUrl } = options;
  const landing = landingUrl === undefined ? undefined : new URL(landingUrl).href;
  const pages = createLinkPages(linkTexts(options.texts));

  /** The response that a visitor gets instead of the destination; undefined if the link redirects. */
  async function blockedResponse(
    visit: LinkPageVisit,
    target: RedirectLink,
    landingPath: string,
    space: SlugSpace | null,
  ): Promise<HttpResponse | undefined> {
    const { now } = visit.ctx;
    // The landing page of the service does not know the link, so the query names the workspace whose style the page uses.
    if (target.archived) return redirect(302, landing ?? `${landingPath}?of=${target.workspaceId}`, true);
    if (target.disabled) return pages.plain(visit, 'disabled');
    if (target.expiresAt <= now) return pages.plain(visit, 'expired');
    return target.goLiveAt > now ? unknown(visit.ctx, visit.request, space) : undefined;
  }

  function locationFor(ctx: PublicRouteContext, request: PublicRequest, target: RedirectLink): string {
    if (target.rules.length === 0) return target.location;
    const { locationFinder, clientOf } = ctx.services.linkClicks;
    const { headers, address } = request;
    const { device, platform } = clientOf({
      userAgent: headers['user-agent'],
      mobileHint: headers['sec-ch-ua-mobile'],
      platformHint: headers['sec-ch-ua-platform'],
    });
    const { country, city } = locationFinder.find(locationFinder.hints(headers, address));
    const rule = ruleFor(target.rules, { country, city, device, platform });
    return target.ruleLocations[rule] ?? target.location;
  }

  /** Redirects the visitor. A HEAD request does not count as a click. */
  async function redirectVisitor(
    ctx: PublicRouteContext,
    request: PublicRequest,
    target: RedirectLink,
  ): Promise<HttpResponse> {
    const { linkClicks } = ctx.services;
    const status = request.method === 'POST' ? 303 : 302;
    if (target.rules.length > 0) await linkClicks.open();
    const response = redirect(status, locationFor(ctx, request, target), target.sandbox);
    if (request.method === 'HEAD') return response;
    const click = clickOf(target, request, ctx.now, linkClicks.locationFinder);
    if (recordClicks === 'buffered') linkClicks.add(ctx.transact, click);
    else
      await linkClicks.addAndStore(ctx.transact, click).catch((cause: unknown) => {
        throw coreErrors.service_unavailable({ cause });
      });
    return response;
  }

  /**
   * The page for a slug without a link, or with a link that is not live yet. On a host of a workspace it has the style of this
   * workspace. On other hosts it has no style of a workspace, so that nobody learns whose link it will be.
   */
  async function unknown(
    ctx: PublicRouteContext,
    request: PublicRequest,
    space: SlugSpace | null,
  ): Promise<HttpResponse> {
    const owner = space === null || space.slug_owner === '' ? undefined : space.slug_owner;
    const workspaceId = owner ?? (await ctx.workspaceOfHost(request.host))?.id;
    return pages.plain({ ctx, request, workspaceId }, 'missing');
  }

  const missing = async (
    ctx: PublicRouteContext,
    request: PublicRequest,
    space: SlugSpace | null,
  ): Promise<HttpResponse> => {
    await ctx.limitAddress(missLimit);
    return unknown(ctx, request, space);
  };

  /** `landingPath` is the relative path from the link to the landing page `/l`, so that it also works below a base path. */
  async function followLink(ctx: PublicRouteContext, request: PublicRequest, space: SlugSpace | null, way: string) {
    const target = space === null ? null : await findLink(ctx, space, request.params.slug ?? '');
    if (target === null) return missing(ctx, request, space);
    const visit = { ctx, request, workspaceId: target.workspaceId };
    const response = await blockedResponse(visit, target, way, space);
    if (response !== undefined) return response;
    return target.password === null ? redirectVisitor(ctx, request, target) : pages.password(visit, false);
  }

  async function unlockLink(ctx: PublicRouteContext, request: PublicRequest, space: SlugSpace | null, way: string) {
    const target = space === null ? null : await findLink(ctx, space, request.params.slug ?? '');
    if (target === null) return missing(ctx, request, space);
    const visit = { ctx, request, workspaceId: target.workspaceId };
    const response = await blockedResponse(visit, target, way, space);
    if (response !== undefined) return response;
    if (target.password !== null) {
      const typedPassword = (await request.form()).get('password') ?? '';
      const { password } = target;
      const limit = { name: `links.password.${target.linkId}`, ...passwordLimit };
      const isRight = await ctx.limitTries(
        limit,
        async () => typedPassword.length <= 200 && verifyPassword(typedPassword, password),
        target.workspaceId,
      );
      if (!isRight) return pages.password(visit, true);
    }
    return redirectVisitor(ctx, request, target);
  }

  /** Whether a host may be a short host. The handler looks up whether it really is a short host. */
  const hosts: RouteHosts = (host, service) => {
    const { shortHost } = shortDomains(options, service);
    if (host === shortHost) return true;
    if (options.customDomains !== true || !host.includes('.')) return false;
    return service.publicUrl === undefined || host !== hostName(new URL(service.publicUrl).host);
  };

  /** Computed once for each service. */
  const hostsByService = new WeakMap<ServiceInfo, readonly string[]>();
  function ownHostsOf(service: ServiceInfo): readonly string[] {
    const cachedHosts = hostsByService.get(service);
    if (cachedHosts !== undefined) return cachedHosts;
    const hosts = serviceHosts(options, service);
    hostsByService.set(service, hosts);
    return hosts;
  }

  /**
   * The slugs of `/l/{slug}`: the slugs of the default domain, or null on a host that belongs to a workspace. On such a host,
   * links of other workspaces would otherwise redirect under its name.
   */
  async function defaultSpaceOf(ctx: PublicRouteContext, { host = '' }: PublicRequest): Promise<SlugSpace | null> {
    const { ports, services } = ctx;
    if (ownHostsOf(ports.service).includes(host)) return defaultSpace;
    if (options.customDomains === true && ports.service.publicUrl !== undefined) return null;
    const isTaken = await services.linkTargets.isTaken(
      host,
      async () =>
        (await services.linkTargets.ownerOf(ctx.readUnscoped, host)) !== null ||
        (await ctx.workspaceOfHost(host)) !== undefined,
    );
    return isTaken ? null : defaultSpace;
  }

  /** The slugs of a request to a short host; undefined if the host is not a short host or the path belongs to another page. */
  async function spaceOf(
    ctx: PublicRouteContext,
    { host = '', params }: PublicRequest,
  ): Promise<SlugSpace | undefined> {
    const slug = linkToken(params['slug'] ?? '');
    if (!slugPattern.test(slug) || isReserved(slug)) return undefined;
    if (host === shortDomains(options, ctx.ports.service).shortHost) return defaultSpace;
    const owner = await ctx.services.linkTargets.ownerOf(ctx.readUnscoped, host);
    return owner === null ? undefined : { domain: host, slug_owner: owner };
  }

  return [
    definePublicRoute({
      http: 'GET /l/{slug}',
      description: 'A short link: leads to its destination and records the click.',
      handler: async (ctx, request) => followLink(ctx, request, await defaultSpaceOf(ctx, request), '../l'),
    }),
    definePublicRoute({
      http: 'POST /l/{slug}',
      description: 'The password of a short link.',
      maxBodyBytes,
      handler: async (ctx, request) => unlockLink(ctx, request, await defaultSpaceOf(ctx, request), '../l'),
    }),
    definePublicRoute({
      http: 'GET /l',
      description: 'The landing page of archived short links.',
      handler: (ctx, request) =>
        pages.plain({ ctx, request, workspaceId: request.query.get('of') ?? undefined }, 'archived'),
    }),
    definePublicRoute({
      http: 'GET /{slug}',
      description: 'A short link on a short host.',
      hosts,
      async handler(ctx, request) {
        const space = await spaceOf(ctx, request);
        return space === undefined ? undefined : followLink(ctx, request, space, 'l');
      },
    }),
    definePublicRoute({
      http: 'POST /{slug}',
      description: 'The password of a short link on a short host.',
      maxBodyBytes,
      hosts,
      async handler(ctx, request) {
        const space = await spaceOf(ctx, request);
        return space === undefined ? undefined : unlockLink(ctx, request, space, 'l');
      },
    }),
  ];
}
