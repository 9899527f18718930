// Prepares a rendered message for tracking and unsubscribing: numbered links, the pixel, the unsubscribe link and the
// headers of marketing mail. Called when a message is rendered for delivery. Makes the same message at every try.
import type { CorePorts } from '../../../core/index.ts';
import { escapeHtml } from '../../../core/unstable.ts';
import type { PreferencesLink } from '../mail-preferences.ts';
import type { SendRow } from '../tables.ts';
import { escapeAttribute, replaceLinks } from './links.ts';
import type { TokenUse } from './tokens.ts';
import { makeToken } from './tokens.ts';

/** What an author writes in place of the address where a recipient unsubscribes. */
export const unsubscribeMark = '%unsubscribe_url%';
/** What an author writes in place of the address where a recipient chooses what they get. */
export const preferencesMark = '%preferences_url%';

/** What is tracked of a send: the template's setting when it was accepted. */
export interface Tracking {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** A message that is ready to leave. */
export interface MarkedMail {
  readonly html: string;
  readonly text: string;
  /** Headers beside the caller's. */
  readonly headers: Readonly<Record<string, string>>;
  /** The targets of the tracked links, by number. */
  readonly links: readonly string[];
}

/** What a message is marked with beside its unsubscribe link. */
export interface MailMarks {
  /** Undefined for a send that was accepted before the template's setting was stored with it. */
  readonly tracking?: Tracking | undefined;
  /** Where the recipient of a marketing mail chooses what they get. (Default: the unsubscribe link takes its place) */
  readonly preferences?: PreferencesLink | undefined;
}

const noTracking: Tracking = { opens: false, clicks: false };

/** Whether a link can be tracked: the others open a program, or lead to a place in the message. */
const isTracked = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/** Numbers the distinct targets and replaces each link with one that leads there. */
function trackLinks(html: string, urlOf: (link: number) => string, isOwn: (url: string) => boolean) {
  const numbers = new Map<string, number>();
  const tracked = replaceLinks(html, (url) => {
    if (!isTracked(url) || isOwn(url)) return undefined;
    const number = numbers.get(url) ?? numbers.size;
    numbers.set(url, number);
    return urlOf(number);
  });
  return { html: tracked, links: [...numbers.keys()] };
}

/** Puts the pixel at the end of the body. */
function addPixel(html: string, url: string): string {
  const pixel = `<img src="${escapeAttribute(url)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
  return beforeEnd(html, pixel);
}

/** Puts a part at the end of the body. */
function beforeEnd(html: string, part: string): string {
  const end = html.toLowerCase().lastIndexOf('</body>');
  return end < 0 ? html + part : html.slice(0, end) + part + html.slice(end);
}

/** Text above a line that leads to the preferences, where the author of a marketing mail wrote no such link. */
function addPreferences(
  { html, text }: { readonly html: string; readonly text: string },
  { url, label }: PreferencesLink,
): { html: string; text: string } {
  const line = `<p style="margin:24px 16px;font-family:sans-serif;font-size:13px;text-align:center"><a href="${escapeAttribute(url)}">${escapeHtml(label)}</a></p>`;
  return { html: beforeEnd(html, line), text: `${text}\n\n${label}: ${url}\n` };
}

/** Gmail takes 5 to 15 characters (support.google.com/mail/answer/6254652). */
const senderIdOf = (slug: string): string =>
  slug
    .replace(/[^\w-]/g, '')
    .padEnd(5, '-')
    .slice(0, 15);

/** RFC 2369 and RFC 8058, and the feedback loop of Gmail. The first field of Feedback-ID is the most specific one. */
function headersOf(send: SendRow, slug: string, unsubscribeUrl: string, byClick: boolean): Record<string, string> {
  if (send.category !== 'marketing') return {};
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    ...(byClick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
    'Feedback-ID': `${send.template_key}:${send.category}:${send.template_id}:${senderIdOf(slug)}`,
  };
}

/**
 * Marks a message. Without a `publicUrl` nothing is tracked, and recipients unsubscribe by mail to the sender.
 */
export function markMail(
  { service, keyring }: Pick<CorePorts, 'service' | 'keyring'>,
  send: SendRow,
  rendered: { readonly html: string; readonly text: string },
  { tracking = noTracking, preferences }: MailMarks = {},
): MarkedMail {
  const { publicUrl, slug } = service;
  const urlOf = (path: string, use: TokenUse, link = 0): string =>
    `${publicUrl}/${path}/${makeToken(keyring, use, { sendId: send.id, link })}`;
  const unsubscribeUrl =
    publicUrl === undefined ? `mailto:${send.from_email}?subject=unsubscribe` : urlOf('u', 'unsubscribe');
  const headers = headersOf(send, slug, unsubscribeUrl, publicUrl !== undefined);
  const isLinked = rendered.html.includes(preferencesMark);
  const own = preferences === undefined || isLinked ? rendered : addPreferences(rendered, preferences);
  const choice = preferences?.url ?? unsubscribeUrl;
  const text = own.text.replaceAll(unsubscribeMark, unsubscribeUrl).replaceAll(preferencesMark, choice);
  const withUnsubscribe = own.html
    .replaceAll(unsubscribeMark, escapeAttribute(unsubscribeUrl))
    .replaceAll(preferencesMark, escapeAttribute(choice));
  if (publicUrl === undefined) return { html: withUnsubscribe, text, headers, links: [] };
  const { html, links } = tracking.clicks
    ? trackLinks(
        withUnsubscribe,
        (link) => urlOf('t/c', 'click', link),
        (url) => url === unsubscribeUrl || url === choice,
      )
    : { html: withUnsubscribe, links: [] };
  return { html: tracking.opens ? addPixel(html, urlOf('t/o', 'open')) : html, text, headers, links };
}
