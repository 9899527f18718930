// A click between the redirect and its row. The address is held until the row is made, at most as long as clicks wait to be
// written; no table and no log has it.
import type { PublicRequest } from '../../../core/index.ts';
import { isAskedAhead } from '../../../core/unstable.ts';
import type { LinkTarget } from '../redirect/target.ts';
import type { PlaceFinder, PlaceHints } from './place.ts';
import type { ClientHeaders } from './user-agent.ts';

/** One request that was sent on. */
export interface Click {
  readonly target: LinkTarget;
  readonly at: number;
  readonly client: ClientHeaders;
  readonly place: PlaceHints;
  /** The host of the page with the link: the rest of the header is not held. */
  readonly referrer: string | undefined;
  readonly qr: boolean;
  /** The browser asked in advance, without a click. */
  readonly prefetch: boolean;
}

/** So many characters of a User-Agent are held: they tell visitors and their browsers apart. */
const maxUserAgent = 500;

/** Reads the headers, and makes nothing of them yet. */
export function clickOf(
  target: LinkTarget,
  { headers, address, url }: PublicRequest,
  at: number,
  places: PlaceFinder,
): Click {
  return {
    target,
    at,
    client: {
      userAgent: headers['user-agent']?.slice(0, maxUserAgent),
      mobileHint: headers['sec-ch-ua-mobile'],
      platformHint: headers['sec-ch-ua-platform'],
    },
    place: places.hints(headers, address),
    referrer: referrerOf(headers.referer),
    qr: isQr(url),
    prefetch: isAskedAhead(headers),
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

/** The host of the page with the link, at most 200 characters. */
export function referrerOf(referer: string | undefined): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { protocol, hostname } = new URL(referer);
  if (protocol === 'android-app:') return hostname.slice(0, 200) || undefined;
  return /^https?:$/.test(protocol) && hostname !== '' ? hostname.replace(/^www\./, '').slice(0, 200) : undefined;
}
