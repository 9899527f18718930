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
import { clickOf } from '../clicks/click.ts';
import { homeHosts, shortDomains } from '../domains.ts';
import type { LinksOptions } from '../options.ts';
import { isPassword } from '../password.ts';
import { ruleFor } from '../rules.ts';
import { isReserved } from '../slug.ts';
import { archivedPage, disabledPage, expiredPage, missingPage, passwordPage } from './pages.ts';
import type { LinkTarget } from './target.ts';
import { defaultSpace, type SlugSpace } from './targets.ts';

/** Limit of password attempts for one link from one address. */
const passwordTries = { perMinute: 5, burst: 5 };
/** Limit of slugs without a link from one address. It slows visitors who try many slugs, but not a visitor who mistypes one. */
const misses = { name: 'links.miss', perMinute: 60, burst: 60 };
/** The form has one field. */
const maxBodyBytes = 4_000;

const slugForm = /^[A-Za-z0-9_-]{1,40}$/;

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
async function targetOf(context: PublicRouteContext, space: SlugSpace, named: string): Promise<LinkTarget | null> {
  const slug = linkToken(named);
  if (!slugForm.test(slug)) return null;
  const { linkTargets } = context.services;
  const known = linkTargets.known(space, slug);
  return known === undefined ? linkTargets.find(context.readUnscoped, space, slug) : known;
}

export function redirectRoutes(options: LinksOptions): readonly PublicRoute[] {
  const { record = 'buffered', landingUrl } = options;
  const landing = landingUrl === undefined ? undefined : new URL(landingUrl).href;

  /** The response that a visitor gets in place of the destination; undefined if the link redirects. */
  function instead({ ports, now }: PublicRouteContext, target: LinkTarget, way: string): HttpResponse | undefined {
    const { name } = ports.service;
    if (target.archived) return redirect(302, landing ?? way, true);
    if (target.disabled) return disabledPage(name);
    if (target.expiresAt <= now) return expiredPage(name);
    return target.goLiveAt > now ? missingPage(name) : undefined;
  }

  function locationFor(context: PublicRouteContext, request: PublicRequest, target: LinkTarget): string {
    if (target.rules.length === 0) return target.location;
    const { places, clientOf } = context.services.linkClicks;
    const { headers, address } = request;
    const { device, platform } = clientOf({
      userAgent: headers['user-agent'],
      mobileHint: headers['sec-ch-ua-mobile'],
      platformHint: headers['sec-ch-ua-platform'],
    });
    const { country, city } = places.find(places.hints(headers, address));
    const rule = ruleFor(target.rules, { country, city, device, platform });
    return target.ruleLocations[rule] ?? target.location;
  }

  /** Redirects the visitor. A HEAD request does not count as a click. */
  async function sendOn(
    context: PublicRouteContext,
    request: PublicRequest,
    target: LinkTarget,
  ): Promise<HttpResponse> {
    const { linkClicks } = context.services;
    const status = request.method === 'POST' ? 303 : 302;
    if (target.rules.length > 0) await linkClicks.open();
    const answer = redirect(status, locationFor(context, request, target), target.sandbox);
    if (request.method === 'HEAD') return answer;
    const click = clickOf(target, request, context.now, linkClicks.places);
    if (record === 'buffered') linkClicks.add(context.transact, click);
    else
      await linkClicks.stored(context.transact, click).catch((cause: unknown) => {
        throw coreErrors.service_unavailable({ cause });
      });
    return answer;
  }

  const missing = async (context: PublicRouteContext): Promise<HttpResponse> => {
    await context.limitAddress(misses);
    return missingPage(context.ports.service.name);
  };

  /** `way` is the relative path from the link to `/l`, so that any base path is kept. */
  async function follow(context: PublicRouteContext, request: PublicRequest, space: SlugSpace | null, way: string) {
    const target = space === null ? null : await targetOf(context, space, request.params.slug ?? '');
    if (target === null) return missing(context);
    const answer = instead(context, target, way);
    if (answer !== undefined) return answer;
    return target.password === null
      ? sendOn(context, request, target)
      : passwordPage(context.ports.service.name, false);
  }

  async function unlock(context: PublicRouteContext, request: PublicRequest, space: SlugSpace | null, way: string) {
    const target = space === null ? null : await targetOf(context, space, request.params.slug ?? '');
    if (target === null) return missing(context);
    const answer = instead(context, target, way);
    if (answer !== undefined) return answer;
    if (target.password !== null) {
      const given = (await request.form()).get('password') ?? '';
      const { password } = target;
      const limit = { name: `links.password.${target.linkId}`, ...passwordTries };
      const isRight = await context.limitTries(limit, async () => given.length <= 200 && isPassword(given, password));
      if (!isRight) return passwordPage(context.ports.service.name, true);
    }
    return sendOn(context, request, target);
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
    const hosts = homeHosts(options, service);
    homes.set(service, hosts);
    return hosts;
  }

  /**
   * The slugs of `/l/{slug}`: the slugs of the default domain, or null on a host that belongs to a workspace. On such a host,
   * links of other workspaces would otherwise redirect under its name.
   */
  async function defaultSpaceOf(context: PublicRouteContext, { host = '' }: PublicRequest): Promise<SlugSpace | null> {
    const { ports, services } = context;
    if (homeOf(ports.service).includes(host)) return defaultSpace;
    if (options.customDomains === true && ports.service.publicUrl !== undefined) return null;
    const isTaken = await services.linkTargets.isTaken(
      host,
      async () =>
        (await services.linkTargets.ownerOf(context.readUnscoped, host)) !== null ||
        (await context.workspaceOfHost(host)) !== undefined,
    );
    return isTaken ? null : defaultSpace;
  }

  /** The slugs of a request to a short host; undefined if the host is not a short host or the path belongs to another page. */
  async function spaceOf(
    context: PublicRouteContext,
    { host = '', params }: PublicRequest,
  ): Promise<SlugSpace | undefined> {
    const slug = linkToken(params['slug'] ?? '');
    if (!slugForm.test(slug) || isReserved(slug)) return undefined;
    if (host === shortDomains(options, context.ports.service).shortHost) return defaultSpace;
    const owner = await context.services.linkTargets.ownerOf(context.readUnscoped, host);
    return owner === null ? undefined : { domain: host, slug_owner: owner };
  }

  return [
    definePublicRoute({
      http: 'GET /l/{slug}',
      description: 'A short link: leads to its destination and records the click.',
      handler: async (context, request) => follow(context, request, await defaultSpaceOf(context, request), '../l'),
    }),
    definePublicRoute({
      http: 'POST /l/{slug}',
      description: 'The password of a short link.',
      maxBodyBytes,
      handler: async (context, request) => unlock(context, request, await defaultSpaceOf(context, request), '../l'),
    }),
    definePublicRoute({
      http: 'GET /l',
      description: 'The landing page of archived short links.',
      handler: async (context) => archivedPage(context.ports.service.name),
    }),
    definePublicRoute({
      http: 'GET /{slug}',
      description: 'A short link on a short host.',
      hosts,
      async handler(context, request) {
        const space = await spaceOf(context, request);
        return space === undefined ? undefined : follow(context, request, space, 'l');
      },
    }),
    definePublicRoute({
      http: 'POST /{slug}',
      description: 'The password of a short link on a short host.',
      maxBodyBytes,
      hosts,
      async handler(context, request) {
        const space = await spaceOf(context, request);
        return space === undefined ? undefined : unlock(context, request, space, 'l');
      },
    }),
  ];
}
