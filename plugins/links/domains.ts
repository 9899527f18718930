// The short domains of the service, and the URLs of links. Pure. A link on the default domain is stored with the domain '', so
// that it still works if the service moves to another host.

import { hostName, type ServiceInfo } from '../../core/index.ts';
import { parseUrl } from '../../core/unstable.ts';
import type { LinksOptions } from './options.ts';
import type { LinkRow } from './tables.ts';

/** The default domain, and the URLs of links. */
export interface ShortDomains {
  /** The host of links on the default domain. */
  readonly standard: string;
  /** The host that serves `/{slug}` for every workspace; undefined if such links are below `/l/`. */
  readonly shortHost: string | undefined;
  /** The domain as callers see it. The default domain includes its port, if any, as in the URL. */
  visibleDomain(domain: string): string;
  urlOf(row: Pick<LinkRow, 'domain' | 'slug'>): string;
}

/** The host of links if the service has no public URL, as in a test. */
const fallbackOrigin = 'http://localhost';

/** @throws TypeError for a shortUrl that is not an origin */
export function shortDomains({ shortUrl }: LinksOptions, { publicUrl }: ServiceInfo): ShortDomains {
  const short = shortUrl === undefined ? undefined : originOf(shortUrl);
  const base = publicUrl ?? fallbackOrigin;
  const shortHost = short === undefined ? undefined : hostName(short.host);
  const standard = shortHost ?? hostName(new URL(base).host) ?? '';
  return {
    standard,
    shortHost,
    visibleDomain: (domain) => (domain === '' ? (short ?? new URL(base)).host : domain),
    urlOf({ domain, slug }) {
      if (domain !== '') return `https://${domain}/${slug}`;
      return short === undefined ? `${base}/l/${slug}` : `${short.origin}/${slug}`;
    },
  };
}

/** The hosts of the service itself: the hosts of `publicUrl` and `shortUrl`. */
export function serviceHosts(options: LinksOptions, service: ServiceInfo): readonly string[] {
  const { shortHost } = shortDomains(options, service);
  return [
    hostName(new URL(service.publicUrl ?? fallbackOrigin).host) ?? '',
    ...(shortHost === undefined ? [] : [shortHost]),
  ];
}

function originOf(input: string): URL {
  const url = parseUrl(input);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new TypeError(`linksPlugin: shortUrl is an origin such as https://go.example.com, not "${input}".`);
  return url;
}
