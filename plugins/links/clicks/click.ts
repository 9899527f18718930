// A click between the redirect and its row. It contains the visitor's address until the row is written, at most as long as
// clicks wait for their write. No table and no log contains the address.
import type { PublicRequest } from '../../../core/index.ts';
import { isPrefetch, parseUrl } from '../../../core/unstable.ts';
import type { RedirectLink } from '../redirect/redirect-link.ts';
import type { LocationFinder, LocationHints } from './location.ts';
import type { ClientHeaders } from './user-agent.ts';

/** One request that was redirected. */
export interface Click {
  readonly target: RedirectLink;
  readonly at: number;
  readonly client: ClientHeaders;
  readonly location: LocationHints;
  /** The host of the referring page. The rest of the header is dropped. */
  readonly referrer: string | undefined;
  readonly qr: boolean;
  /** Whether the browser prefetched the link: the visitor did not click it. */
  readonly prefetch: boolean;
}

/** The maximum length of a stored User-Agent. It is enough to distinguish visitors and their browsers. */
const maxUserAgent = 500;

/** Copies the headers without parsing them. */
export function clickOf(
  target: RedirectLink,
  { headers, address, url }: PublicRequest,
  at: number,
  locations: LocationFinder,
): Click {
  return {
    target,
    at,
    client: {
      userAgent: headers['user-agent']?.slice(0, maxUserAgent),
      mobileHint: headers['sec-ch-ua-mobile'],
      platformHint: headers['sec-ch-ua-platform'],
    },
    location: locations.hints(headers, address),
    referrer: referrerOf(headers.referer),
    qr: isQr(url),
    prefetch: isPrefetch(headers),
  };
}

/** QR codes add `?s=qr` to the link that they encode. */
export function isQr(url: string): boolean {
  const mark = url.indexOf('?');
  return (
    mark !== -1 &&
    url
      .slice(mark + 1)
      .split('&')
      .includes('s=qr')
  );
}

/** The host of the referring page, at most 200 characters. */
export function referrerOf(referer: string | undefined): string | undefined {
  const url = referer === undefined ? undefined : parseUrl(referer);
  if (url === undefined) return undefined;
  const { protocol, hostname } = url;
  if (protocol === 'android-app:') return hostname.slice(0, 200) || undefined;
  return /^https?:$/.test(protocol) && hostname !== '' ? hostname.replace(/^www\./, '').slice(0, 200) : undefined;
}
