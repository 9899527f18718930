// The words of the console for an SMS: its states and the steps of its timeline. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import { type SmsPublic, type SmsTimelineItem, smsStatus } from '../schema.ts';

const states: Readonly<Record<SmsPublic['status'], readonly [words: string, tone: PillTone]>> = {
  scheduled: ['Scheduled', 'wait'],
  queued: ['Accepted', 'info'],
  sent: ['Sent', 'info'],
  delivered: ['Delivered', 'good'],
  undelivered: ['Not delivered', 'bad'],
  failed: ['Failed', 'bad'],
  suppressed: ['Suppressed', 'bad'],
};

/** Every state with its words, for a filter. */
export const stateChoices = smsStatus.options.map((status) => [status, states[status][0]] as const);

export const statePill = (status: SmsPublic['status']): Html => pill(...states[status]);

const steps: Readonly<Record<string, readonly [words: string, tone: PillTone]>> = {
  'sms.queued': ['Accepted', 'info'],
  'sms.sent': ['Handed over to the provider', 'info'],
  'sms.delivered': ['Delivered to the phone', 'good'],
  'sms.failed': ['Failed', 'bad'],
  'sms.opted_out': ['Answered STOP', 'bad'],
  'transactional.suppressed': ['Not sent: suppressed', 'bad'],
};

/** A step of the timeline in words. */
export const stepWords = ({ type }: SmsTimelineItem): readonly [words: string, tone: PillTone] =>
  Object.hasOwn(steps, type) ? (steps[type] ?? [type, 'plain']) : [type, 'plain'];
