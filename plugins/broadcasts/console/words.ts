// Broadcasts in the words of the people who write them: states, pauses, reasons. Pure.
import { chip, counted, type Html, html, timeOf } from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { type BroadcastStatus, type Exclusion, exclusions, type PausedBy, type RecipientStatus } from '../schema.ts';

export const statusWords: Readonly<Record<BroadcastStatus, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  preparing: 'Preparing',
  sending: 'Sending',
  paused: 'Paused',
  canceled: 'Canceled',
  sent: 'Sent',
};

const tones: Partial<Record<BroadcastStatus, 'good' | 'slow'>> = { sending: 'good', sent: 'good', paused: 'slow' };

/** The state as a label. */
export const statusChip = (status: BroadcastStatus): Html => chip(statusWords[status], tones[status]);

const pauses: Readonly<Record<PausedBy, string>> = {
  call: 'Somebody paused it. It goes on when it is resumed.',
  ceiling:
    'Its audience has grown past the ceiling, so nothing was sent. Look at the audience, then resume it with a higher ceiling.',
  reputation:
    'Marketing mail is held, because too many mails bounced or were complained about. Release the hold, then resume it.',
  budget: 'The sends of this month are used up. Resume it when the budget is renewed or raised.',
  overdue:
    'Its next mail would leave more than 12 hours late, because the service was down. Resume it if it is still of use, or cancel it.',
  error: 'Something failed several times. The log of the service says what. Resume it once that is mended.',
};

/** Why a broadcast is paused, and what to do. */
export const pauseText = (by: PausedBy): string => pauses[by];

export const exclusionWords: Readonly<Record<Exclusion, string>> = {
  audience: 'In a list or segment that is left out',
  suppressed: 'Unsubscribed from marketing mail, bounced, or complained',
  no_consent: 'Did not agree to the topic or to a list of the audience',
  topic: 'Unsubscribed from the topic',
  no_address: 'Has no email address',
  duplicate: 'Has the address of another contact, who is written to',
  frequency_cap: 'Got enough marketing mail lately',
  holdout: 'Held out, so that the effect can be measured',
  variables_invalid: 'Lacks something that the mail shows',
  erased: 'Was erased before the mail left',
};

const isExclusion = (reason: string): reason is Exclusion => (exclusions as readonly string[]).includes(reason);

/** Why a contact was excluded, or why the mail failed. */
export function reasonText(reason: string | null): string {
  if (reason === null) return '';
  if (reason === 'expired') return 'It was too late to be of use';
  return isExclusion(reason) ? exclusionWords[reason] : reason;
}

export const recipientWords: Readonly<Record<RecipientStatus, string>> = {
  waiting: 'Waiting',
  accepted: 'Accepted',
  failed: 'Failed',
  canceled: 'Canceled',
  excluded: 'Left out',
};

/** A share of a whole: `12.5 %`. Nothing of nothing is a dash. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Number(((part / whole) * 100).toFixed(1))} %`;

/** When the first mail leaves or has left. */
export function firstMail({ startedAt, sendAt, timezone }: BroadcastResource): Html | string {
  const at = startedAt ?? sendAt;
  if (at === null) return '–';
  if (at.endsWith('Z')) return html`${timeOf(Date.parse(at))} UTC`;
  const zone = timezone === 'recipient' ? "each recipient's time" : timezone;
  return `${at.slice(0, 16).replace('T', ' ')} ${zone}`;
}

/** The audience in words: `2 lists and 1 segment, without 1 list`. */
export function audienceText({ audience }: BroadcastResource): string {
  if (audience === null) return 'no audience yet';
  const partsText = (parts: typeof audience.include): string => {
    const lists = parts.filter((part) => 'listId' in part).length;
    const segments = parts.length - lists;
    return [
      ...(lists === 0 ? [] : [counted(lists, 'list')]),
      ...(segments === 0 ? [] : [counted(segments, 'segment')]),
    ].join(' and ');
  };
  const { include, exclude } = audience;
  return `to ${partsText(include)}${exclude.length === 0 ? '' : `, without ${partsText(exclude)}`}`;
}
