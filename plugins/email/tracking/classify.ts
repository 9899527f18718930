// Decides whether a person or a program opened a message or followed its link. Pure. A program may provide its own classifier,
// which may call this one first. Only the verdict of a hit is stored.
import { isPrefetch, programSignOf } from '../../../core/unstable.ts';
import { isScannerAddress } from './scanners.ts';

/** One open or click, as a classifier sees it. */
export interface TrackingHit {
  readonly kind: 'open' | 'click';
  readonly userAgent: string | undefined;
  /** The client's address. It is not stored or logged. */
  readonly address: string | undefined;
  /** The headers of the request, with lower-case names. Empty for provider reports. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The time since the message was handed over, in milliseconds; undefined if the hand-over is not recorded yet. */
  readonly sinceHandOverMs: number | undefined;
  /** For a click, the number of different links of the message that were clicked within three seconds, including this one. Otherwise 0. */
  readonly linksAtOnce: number;
  /** The number of different links of the message that are tracked; undefined if not known. */
  readonly links: number | undefined;
}

/** The kind of visitor, and the reason, such as `known_scanner`. */
export interface TrackingVerdict {
  readonly verdict: 'human' | 'bot' | 'unknown';
  readonly reason: string;
}

/** Classifies a hit. Must be fast and must not throw. */
export type TrackingClassifier = (hit: TrackingHit) => TrackingVerdict;

/** No person opens a message this soon after its hand-over, in milliseconds. */
const tooFastMs = 1_000;
/** No person clicks this many different links at once, whatever the total number of links. */
const manyLinks = 3;

const bot = (reason: string): TrackingVerdict => ({ verdict: 'bot', reason });

const isEveryLink = ({ linksAtOnce, links }: TrackingHit): boolean =>
  linksAtOnce >= manyLinks || (linksAtOnce > 1 && linksAtOnce === links);

/** The user agent of Apple's Mail Privacy Protection, and of some mail programs. */
const isUnnamed = (userAgent: string): boolean => userAgent.trim() === 'Mozilla/5.0';

/** The reason to call the client a program, from its user agent. A provider's report has no headers and may leave the user agent out. */
function signOf({ userAgent = '', headers }: TrackingHit): string | undefined {
  const isReport = userAgent === '' && Object.keys(headers).length === 0;
  return isReport || isUnnamed(userAgent) ? undefined : programSignOf(userAgent);
}

/**
 * The default classifier. Bots are: known scanners, libraries, previews and crawlers by user agent, requests without a user
 * agent, networks of scanners, prefetches, clicks on every link at once, hits within a second of the hand-over, and opens by
 * Apple's Mail Privacy Protection, which loads images whether or not a person reads. Unknown: a report without a user agent. Any
 * other visitor is a person.
 */
export const classifyHit: TrackingClassifier = (hit) => {
  const { userAgent = '', address, kind, sinceHandOverMs } = hit;
  const sign = signOf(hit);
  if (sign !== undefined) return bot(sign);
  if (address !== undefined && isScannerAddress(address)) return bot('scanner_network');
  if (isPrefetch(hit.headers)) return bot('prefetch');
  if (isEveryLink(hit)) return bot('every_link_at_once');
  if (sinceHandOverMs === undefined || sinceHandOverMs < tooFastMs) return bot('too_fast');
  if (userAgent === '') return { verdict: 'unknown', reason: 'no_user_agent' };
  if (!isUnnamed(userAgent)) return { verdict: 'human', reason: 'no_sign_of_a_bot' };
  return kind === 'open' ? bot('mail_privacy_proxy') : { verdict: 'unknown', reason: 'no_client_named' };
};
