// The SMS adapter for development and tests: stores messages in memory and sends nothing.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type CapturedSms, type SmsAdapter, SmsError } from '../../plugins/sms/port/index.ts';
import { checkSms } from '../kit/sms-fields.ts';

/** Options of `captureSms`. */
export interface CaptureSmsOptions {
  /** The sender's number. SMS to its country are allowed by default. (Default: +12025550100) */
  readonly sender?: string;
  /** The maximum number of messages. The oldest is removed first. (Default: 500) */
  readonly limit?: number;
  /** The clock for `capturedAt`. (Default: the system's) */
  readonly now?: () => Date;
}

/** An SMS adapter that stores messages instead of sending them. */
export interface CaptureSms extends SmsAdapter {
  /** The stored messages, newest first. */
  messages(): readonly CapturedSms[];
  /** The newest message to a number; undefined if there is none. */
  lastTo(number: string): CapturedSms | undefined;
  /** Removes all messages. */
  clear(): void;
}

/** Stores messages in this process, newest first, and sends nothing. @throws TypeError if `limit` isn't above 0 */
export function captureSms(options: CaptureSmsOptions = {}): CaptureSms {
  checkOptions<CaptureSmsOptions>('captureSms', options, { sender: 'optional', limit: 'optional', now: 'optional' });
  const { sender = '+12025550100', limit = 500, now = () => new Date() } = options;
  if (!Number.isInteger(limit) || limit < 1) throw new TypeError('captureSms: `limit` must be a whole number above 0.');
  /** Oldest first. */
  let stored: CapturedSms[] = [];
  let isClosed = false;
  return {
    id: 'capture',
    capabilities: { captures: true },
    sender,
    async send(sms, { signal, workspaceId, idempotencyKey }) {
      checkSms(sms);
      if (isClosed) throw new SmsError('busy', 'This SMS adapter is closed.');
      if (signal.aborted) throw new SmsError('busy', 'The attempt was ended before it began.');
      stored.push({ ...sms, id: idempotencyKey, workspaceId, capturedAt: now() });
      if (stored.length > limit) stored.shift();
      return { providerMessageId: `captured-${idempotencyKey}`, sender: sms.from ?? sender };
    },
    async close() {
      isClosed = true;
    },
    messages: () => stored.toReversed(),
    lastTo: (number) => stored.findLast(({ to }) => to === number),
    clear() {
      stored = [];
    },
  };
}
