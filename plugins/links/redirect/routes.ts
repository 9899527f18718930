// The public redirect: `/l/{slug}` on the hosts of the service, `/{slug}` on short hosts. This is the hottest path of the
// service. If the link was requested within the last second, a redirect reads nothing from the database. In the mode `buffered`
// it never waits for the record of a click.
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
import { isPassword } from '../password.ts';
import { isReserved } from '../slug.ts';
import { archivedPage, disabledPage, expiredPage, missingPage, passwordPage } from './pages.ts';
import type { RedirectLink } from './redirect-link.ts';
import { defaultSpace, type SlugSpace } from './targets.ts';

/** The limit of password attempts for one link from one address. */
const passwordTries = { perMinute: 5, burst: 5 };
/**
 * The limit of requests from one address for slugs without a link. It slows visitors who try many slugs, but not a visitor who
 * mistypes one.
 */
const misses = { name: 'links.miss', perMinute: 60, burst: 60 };
/** The form has one field. */
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
async function findLink(ctx: PublicRouteContext, space: SlugSpace, named: string): Promise<RedirectLink | null> {
  const slug = linkToken(named);
  if (!slugPattern.test(slug)) return null;
  const { linkTargets } = ctx.services;
  const cached = linkTargets.known(space, slug);
  return cached === undefined ? linkTargets.find(ctx.readUnscoped, space, slug) : cached;
}

export function redirectRoutes(options: LinksOptions): readonly PublicRoute[] {
  const { recordClicks = 'buffered', landingUrl } = options;
  const landing = landingUrl === undefined ? undefined : new URL(landingUrl).href;

  /** The response that a visitor gets instead of the destination; undefined if the link redirects. */
  function instead({ ports, now }: PublicRouteContext, target: RedirectLink, way: string): HttpResponse | undefined {
    const { name } = ports.service;
    if (target.archived) return redirect(302, landing ?? way, true);
    if (target.disabled) return disabledPage(name);
    if (target.expiresAt <= now) return expiredPage(name);
    return target.goLiveAt > now ? missingPage(name) : undefined;
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
  async function sendOn(ctx: PublicRouteContext, request: PublicRequest, target: RedirectLink): Promise<HttpResponse> {
    const { linkClicks } = ctx.services;
    const status = request.method === 'POST' ? 303 : 302;
    if (target.rules.length > 0) await linkClicks.open();
    const response = redirect(status, locationFor(ctx, request, target), target.sandbox);
    if (request.method === 'HEAD') return response;
    const click = clickOf(target, request, ctx.now, linkClicks.locationFinder);
    if (recordClicks === 'buffered') linkClicks.add(ctx.transact, click);
    else
      await linkClicks.stored(ctx.transact, click).catch((cause: unknown) => {
        throw coreErrors.service_unavailable({ cause });
      });
    return response;
  }

  const missing = async (ctx: PublicRouteContext): Promise<HttpResponse> => {
    await ctx.limitAddress(misses);
    return missingPage(ctx.ports.service.name);
  };

  /** `way` is the relative path from the link to `/l`, so that any base path is kept. */
  async function follow(ctx: PublicRouteContext, request: PublicRequest, space: SlugSpace | null, way: string) {
    const target = space === null ? null : await findLink(ctx, space, request.params.slug ?? '');
    if (target === null) return missing(ctx);
    const response = instead(ctx, target, way);
    if (response !== undefined) return response;
    return target.password === null ? sendOn(ctx, request, target) : passwordPage(ctx.ports.service.name, false);
  }

  async function unlock(ctx: PublicRouteContext, request: PublicRequest, space: SlugSpace | null, way: string) {
    const target = space === null ? null : await findLink(ctx, space, request.params.slug ?? '');
    if (target === null) return missing(ctx);
    const response = instead(ctx, target, way);
    if (response !== undefined) return response;
    if (target.password !== null) {
      const typedPassword = (await request.form()).get('password') ?? '';
      const { password } = target;
      const limit = { name: `links.password.${target.linkId}`, ...passwordTries };
      const isRight = await ctx.limitTries(
        limit,
        async () => typedPassword.length <= 200 && isPassword(typedPassword, password),
      );
      if (!isRight) return passwordPage(ctx.ports.service.name, true);
    }
    return sendOn(ctx, request, target);
  }

  /** Whether a host may be a short host. The handler looks up whether it is one. */
  const hosts: RouteHosts = (host, service) => {
    const { shortHost } = shortDomains(options, service);
    if (host === shortHost) return true;
    if (options.customDomains !== true || !host.includes('.')) return false;
    return service.publicUrl === undefined || host !== hostName(new URL(service.publicUrl).host);
  };

  /** Parsed once for each service. */
  const homes = new WeakMap<ServiceInfo, readonly string[]>();
  function homeOf(service: ServiceInfo): readonly string[] {
    const known = homes.get(service);
    if (known !== undefined) return known;
    const hosts = serviceHosts(options, service);
    homes.set(service, hosts);
    return hosts;
  }

  /**
   * The slugs of `/l/{slug}`: the slugs of the default domain, or null on a host that belongs to a workspace. On such a host,
   * links of other workspaces would otherwise redirect under its name.
   */
  async function defaultSpaceOf(ctx: PublicRouteContext, { host = '' }: PublicRequest): Promise<SlugSpace | null> {
    const { ports, services } = ctx;
    if (homeOf(ports.service).includes(host)) return defaultSpace;
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
      handler: async (ctx, request) => follow(ctx, request, await defaultSpaceOf(ctx, request), '../l'),
    }),
    definePublicRoute({
      http: 'POST /l/{slug}',
      description: 'The password of a short link.',
      maxBodyBytes,
      handler: async (ctx, request) => unlock(ctx, request, await defaultSpaceOf(ctx, request), '../l'),
    }),
    definePublicRoute({
      http: 'GET /l',
      description: 'The landing page of archived short links.',
      handler: async (ctx) => archivedPage(ctx.ports.service.name),
    }),
    definePublicRoute({
      http: 'GET /{slug}',
      description: 'A short link on a short host.',
      hosts,
      async handler(ctx, request) {
        const space = await spaceOf(ctx, request);
        return space === undefined ? undefined : follow(ctx, request, space, 'l');
      },
    }),
    definePublicRoute({
      http: 'POST /{slug}',
      description: 'The password of a short link on a short host.',
      maxBodyBytes,
      hosts,
      async handler(ctx, request) {
        const space = await spaceOf(ctx, request);
        return space === undefined ? undefined : unlock(ctx, request, space, 'l');
      },
    }),
  ];
}
