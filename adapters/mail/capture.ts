// The mail adapter for development and tests: stores messages in memory and sends nothing. Composed by the embedding
// program and by the tests. It checks fields exactly like the adapters that send.

import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type CapturedMail,
  type MailAdapter,
  MailError,
  type MailReceipt,
  type MailSendOptions,
  type OutgoingMail,
} from '../../plugins/email/port/index.ts';
import { checkMail } from '../kit/mail-fields.ts';

/** Options of `captureMail`. */
export interface CaptureMailOptions {
  /** The maximum number of messages. The oldest is removed first. (Default: 500) */
  readonly limit?: number;
  /** The clock for `capturedAt`. (Default: the system's) */
  readonly now?: () => Date;
}

/** A mail adapter that stores messages instead of sending them. */
export interface CaptureMail extends MailAdapter {
  /** The stored messages, newest first. */
  messages(): readonly CapturedMail[];
  /** The newest message to an address, compared case-insensitively; undefined if there is none. */
  lastTo(email: string): CapturedMail | undefined;
  /** Removes all messages. */
  clear(): void;
  /**
   * Calls `listener` for every later message, after the message was stored. If the listener throws, the error becomes a process
   * warning, because the message was already accepted. @returns the function that removes the listener
   */
  onMessage(listener: (mail: CapturedMail) => void): () => void;
}

function notify(listener: (mail: CapturedMail) => void, mail: CapturedMail): void {
  try {
    listener(mail);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

/** Stores messages in this process, newest first, and sends nothing. @throws TypeError if `limit` isn't above 0 */
export function captureMail(options: CaptureMailOptions = {}): CaptureMail {
  checkOptions<CaptureMailOptions>('captureMail', options, { limit: 'optional', now: 'optional' });
  const limit = options.limit ?? 500;
  if (!Number.isInteger(limit) || limit < 1)
    throw new TypeError('captureMail: `limit` must be a whole number above 0.');
  const now = options.now ?? (() => new Date());
  const listeners = new Set<(mail: CapturedMail) => void>();
  /** Oldest first. */
  let stored: CapturedMail[] = [];
  let closed = false;

  return {
    id: 'capture',
    capabilities: { idempotent: false, captures: true },

    async send(mail: OutgoingMail, { signal, workspaceId, sandbox }: MailSendOptions): Promise<MailReceipt> {
      checkMail(mail);
      if (closed) throw new MailError('transient', 'This mail adapter is closed.');
      if (signal.aborted) throw new MailError('transient', 'The attempt was ended.', { cause: signal.reason });
      const captured: CapturedMail = { ...mail, workspaceId, sandbox, capturedAt: now() };
      stored.push(captured);
      if (stored.length > limit) stored.shift();
      for (const listener of listeners) notify(listener, captured);
      return { providerMessageId: mail.messageId, response: 'captured' };
    },

    async close(): Promise<void> {
      closed = true;
      listeners.clear();
    },

    messages: () => stored.toReversed(),

    lastTo(email: string): CapturedMail | undefined {
      const address = email.toLowerCase();
      return stored.findLast((mail) => mail.to.email.toLowerCase() === address);
    },

    clear(): void {
      stored = [];
    },

    onMessage(listener: (mail: CapturedMail) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
