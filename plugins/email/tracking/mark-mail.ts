// Prepares a rendered message for tracking and unsubscribing: numbered links, the pixel, the unsubscribe link and the
// headers of marketing mail. Called when a message is rendered for delivery. Produces the same message at every attempt.
import type { CorePorts } from '../../../core/index.ts';
import { escapeHtml, htmlBodyBounds, parseUrl } from '../../../core/unstable.ts';
import type { SendRow } from '../tables.ts';
import { type LinkParameters, withParameters } from './link-parameters.ts';
import type { PreferencesLink } from './mail-preferences.ts';
import { escapeAttribute, replaceLinks } from './replace-links.ts';
import { makeToken, type TokenUse } from './tokens.ts';

/** The placeholder for the URL where a recipient unsubscribes. */
export const unsubscribeMark = '%unsubscribe_url%';
/** The placeholder for the URL where a recipient chooses which mail they get. */
export const preferencesMark = '%preferences_url%';

/** The placeholder for the postal address of the sender. */
export const postalAddressMark = '%postal_address%';

/** The tracking of a send: the template's setting at the time when the send was accepted. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** A message with tracking and unsubscribe links. */
export interface MarkedMail {
  readonly html: string;
  readonly text: string;
  /** Headers in addition to the caller's. */
  readonly headers: Readonly<Record<string, string>>;
  /** The targets of the tracked links, by number. */
  readonly links: readonly string[];
}

/** The parts that are added to a message besides its unsubscribe link. */
export interface MailMarks {
  /** Undefined for a send that was accepted before this setting was stored with sends. */
  readonly tracking?: Tracking | undefined;
  /** The page where the recipient of a marketing mail chooses which mail they get. (Default: the unsubscribe link instead) */
  readonly preferences?: PreferencesLink | undefined;
  /** The postal address of the sender of a marketing mail, in lines. (Default: the mail shows no address) */
  readonly postalAddress?: string | undefined;
  /** Parameters that the links of the message get. (Default: none) */
  readonly utm?: LinkParameters | undefined;
}

/** The fields of a send, or of a preview, that are needed for marking. */
export type MarkedSend = Pick<SendRow, 'id' | 'from_email' | 'category' | 'template_key' | 'template_id'> &
  Partial<Pick<SendRow, 'broadcast_id'>>;

const noTracking: Tracking = { opens: false, clicks: false };

/** Whether a link can be tracked. Other links open a program, or lead to a place in the message. */
const isWebLink = (url: string): boolean => /^https?:\/\//i.test(url) && parseUrl(url) !== undefined;

/** Numbers the distinct targets and replaces each link with a tracked link. */
function trackLinks(html: string, urlOf: (link: number) => string, isOwn: (url: string) => boolean) {
  const numbers = new Map<string, number>();
  const tracked = replaceLinks(html, (url) => {
    if (!isWebLink(url) || isOwn(url)) return undefined;
    const number = numbers.get(url) ?? numbers.size;
    numbers.set(url, number);
    return urlOf(number);
  });
  return { html: tracked, links: [...numbers.keys()] };
}

/** The tracking pixel for opens. */
const pixelOf = (url: string): string =>
  `<img src="${escapeAttribute(url)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;

/** The line with the preferences link. Used if the author of a marketing mail did not write such a link. */
const preferencesLine = ({ url, label }: PreferencesLink): string =>
  `<p style="margin:24px 16px;font-family:sans-serif;font-size:13px;text-align:center"><a href="${escapeAttribute(url)}">${escapeHtml(label)}</a></p>`;

/** The address as HTML, in the direction of its script. */
const addressHtml = (address: string): string => address.split('\n').map(escapeHtml).join('<br>');

/** The lines with the postal address. Used if the author of a marketing mail did not place it. */
const addressLines = (address: string): string =>
  `<p dir="auto" style="margin:24px 16px;font-family:sans-serif;font-size:13px;line-height:1.5;text-align:center">${addressHtml(address)}</p>`;

/** Inserts parts at the end of the body. */
async function atBodyEnd(html: string, parts: readonly string[]): Promise<string> {
  if (parts.length === 0) return html;
  const { end } = await htmlBodyBounds(html);
  return html.slice(0, end) + parts.join('') + html.slice(end);
}

/** Gmail accepts 5 to 15 characters (support.google.com/mail/answer/6254652). */
const senderIdOf = (slug: string): string =>
  slug
    .replace(/[^\w-]/g, '')
    .padEnd(5, '-')
    .slice(0, 15);

/** Headers of RFC 2369, RFC 8058 and Gmail's feedback loop. The first field of Feedback-ID is the most specific one. */
function headersOf(send: MarkedSend, slug: string, unsubscribeUrl: string, byClick: boolean): Record<string, string> {
  if (send.category !== 'marketing') return {};
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    ...(byClick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
    'Feedback-ID': `${send.broadcast_id ?? send.template_key}:${send.category}:${send.template_id}:${senderIdOf(slug)}`,
  };
}

/**
 * Adds tracking and unsubscribe links to a message. Without a `publicUrl`, nothing is tracked, and recipients unsubscribe by mail to
 * the sender.
 */
export async function markMail(
  { service, keyring }: Pick<CorePorts, 'service' | 'keyring'>,
  send: MarkedSend,
  rendered: { readonly html: string; readonly text: string },
  { tracking = noTracking, preferences, postalAddress, utm }: MailMarks = {},
): Promise<MarkedMail> {
  const { publicUrl, slug } = service;
  const urlOf = (path: string, use: TokenUse, link = 0): string =>
    `${publicUrl}/${path}/${makeToken(keyring, use, { sendId: send.id, link })}`;
  const unsubscribeUrl =
    publicUrl === undefined ? `mailto:${send.from_email}?subject=unsubscribe` : urlOf('u', 'unsubscribe');
  const headers = headersOf(send, slug, unsubscribeUrl, publicUrl !== undefined);
  const preferencesUrl = preferences?.url ?? unsubscribeUrl;
  const fillPlaceholders = (text: string, linkText: (url: string) => string, address: string): string =>
    text
      .replaceAll(unsubscribeMark, linkText(unsubscribeUrl))
      .replaceAll(preferencesMark, linkText(preferencesUrl))
      // A function returns the text, because patterns such as $& have a meaning in a replacement text.
      .replaceAll(postalAddressMark, () => address);
  const addedPreferences = rendered.html.includes(preferencesMark) ? undefined : preferences;
  const ownAddress = send.category === 'marketing' ? postalAddress : undefined;
  const addressForHtml = rendered.html.includes(postalAddressMark) ? undefined : ownAddress;
  const ownText = fillPlaceholders(rendered.text, (url) => url, postalAddress ?? '');
  const addressForText = rendered.text.includes(postalAddressMark) ? undefined : ownAddress;
  const text = [
    ownText,
    ...(addedPreferences === undefined ? [] : [`${addedPreferences.label}: ${addedPreferences.url}\n`]),
    ...(addressForText === undefined ? [] : [`${addressForText}\n`]),
  ].join('\n\n');
  const isTracked = publicUrl !== undefined;
  const isOwn = (url: string): boolean => url === unsubscribeUrl || url === preferencesUrl;
  const htmlWithLinks = fillPlaceholders(
    rendered.html,
    escapeAttribute,
    postalAddress === undefined ? '' : addressHtml(postalAddress),
  );
  const ownHtml =
    utm === undefined
      ? htmlWithLinks
      : replaceLinks(htmlWithLinks, (url) => (isWebLink(url) && !isOwn(url) ? withParameters(url, utm) : undefined));
  const { html, links } =
    isTracked && tracking.clicks
      ? trackLinks(ownHtml, (link) => urlOf('t/c', 'click', link), isOwn)
      : { html: ownHtml, links: [] };
  const parts = [
    ...(addedPreferences === undefined ? [] : [preferencesLine(addedPreferences)]),
    ...(addressForHtml === undefined ? [] : [addressLines(addressForHtml)]),
    ...(isTracked && tracking.opens ? [pixelOf(urlOf('t/o', 'open'))] : []),
  ];
  return { html: await atBodyEnd(html, parts), text, headers, links };
}
