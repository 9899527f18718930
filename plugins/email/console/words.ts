// The words of the console for a send: its states and the steps of its timeline.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import type { SendPublic, SendTimelineItem } from '../schema.ts';

const states: Readonly<Record<SendPublic['status'], readonly [words: string, tone: PillTone]>> = {
  scheduled: ['Scheduled', 'wait'],
  sent: ['Sent', 'info'],
  delivered: ['Delivered', 'good'],
  delivery_delayed: ['Delayed', 'wait'],
  bounced: ['Bounced', 'bad'],
  complained: ['Complained', 'bad'],
  failed: ['Failed', 'bad'],
  suppressed: ['Suppressed', 'bad'],
  canceled: ['Canceled', 'plain'],
};

/** Every state with its words, for a filter. */
export const stateChoices = Object.entries(states).map(([status, [words]]) => [status, words] as const);

export const isSendStatus = (text: string): text is SendPublic['status'] => Object.hasOwn(states, text);

export const statePill = (status: SendPublic['status']): Html => pill(...states[status]);

/** The tone of a state. */
export const toneOf = (status: SendPublic['status']): PillTone => states[status][1];

const steps: Readonly<Record<string, readonly [words: string, tone: PillTone]>> = {
  'send.queued': ['Accepted', 'info'],
  'send.sent': ['Handed over to the provider', 'info'],
  'send.delivered': ['Delivered to the mailbox', 'good'],
  'send.delivery_delayed': ['Delayed', 'wait'],
  'send.bounced': ['Bounced', 'bad'],
  'send.complained': ['Reported as spam', 'bad'],
  'send.opened': ['Opened', 'good'],
  'send.clicked': ['Clicked', 'good'],
  'send.failed': ['Failed', 'bad'],
  'send.canceled': ['Canceled', 'plain'],
  'transactional.suppressed': ['Not sent: suppressed', 'bad'],
};

/** A step of the timeline in words. */
export const stepWords = ({ type }: SendTimelineItem): readonly [words: string, tone: PillTone] =>
  Object.hasOwn(steps, type) ? (steps[type] ?? [type, 'plain']) : [type, 'plain'];
