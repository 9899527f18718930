// Times, sizes and states in words.

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const clockWithSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const timeOf = (iso: string): string => clock.format(new Date(iso));
export const secondOf = (iso: string): string => clockWithSeconds.format(new Date(iso));
export const wholeTimeOf = (iso: string): string => whole.format(new Date(iso));

/** A day in words: today, yesterday, or its date. */
export function dayOf(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return 'Today';
  return date.toDateString() === yesterday.toDateString() ? 'Yesterday' : day.format(date);
}

/** The reason why an address is suppressed, in words. */
const causes: Readonly<Record<string, string>> = {
  hard_bounce: 'a hard bounce',
  complaint: 'a complaint',
  unsubscribe: 'an unsubscription',
  manual: 'an entry made by hand',
};

/** A sentence of the service, with its times and the reason of a suppression in readable form. */
export const readable = (sentence: string): string =>
  sentence
    .replace(/(?<= is suppressed: )\w+/, (cause) => causes[cause] ?? cause)
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, wholeTimeOf);

/** Bytes in a readable unit. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The colour of a state. The word beside it has the same meaning. */
export type Tone = 'good' | 'bad' | 'slow' | 'plain';

const statuses: Readonly<Record<string, readonly [string, Tone]>> = {
  scheduled: ['Scheduled', 'slow'],
  sent: ['Sent', 'plain'],
  delivered: ['Delivered', 'good'],
  delivery_delayed: ['Delayed', 'slow'],
  bounced: ['Bounced', 'bad'],
  complained: ['Complaint', 'bad'],
  failed: ['Failed', 'bad'],
  suppressed: ['Suppressed', 'bad'],
  canceled: ['Canceled', 'plain'],
};

/** A send's status. */
export function statusOf(status: string | null): { readonly text: string; readonly tone: Tone } {
  const [text, tone] = statuses[status ?? ''] ?? [status ?? 'Send is gone', 'plain'];
  return { text, tone };
}

const events: Readonly<Record<string, readonly [string, Tone]>> = {
  'send.queued': ['Accepted', 'plain'],
  'send.scheduled': ['Scheduled', 'plain'],
  'send.sent': ['Handed over', 'plain'],
  'send.delivered': ['Delivered', 'good'],
  'send.delivery_delayed': ['Delayed', 'slow'],
  'send.bounced': ['Bounced', 'bad'],
  'send.complained': ['Marked as spam', 'bad'],
  'send.opened': ['Opened', 'good'],
  'send.clicked': ['Link clicked', 'good'],
  'send.failed': ['Failed', 'bad'],
  'transactional.suppressed': ['Suppressed', 'bad'],
};

/** An entry of the timeline. */
export function eventOf(type: string): { readonly text: string; readonly tone: Tone } {
  const [text, tone] = events[type] ?? [type, 'plain'];
  return { text, tone };
}

/** `1 message`, `2 messages`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;
