// The two embedded adapters that a service falls back on, both free of dependencies, and how a message looks on the
// wire. The only place where the core names adapters.
import { localKeyring } from '../../adapters/keyring/local.ts';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import type { KeyringAdapter } from '../contract/ports/keyring.ts';
import type { LimitStore } from '../contract/ports/limits.ts';
import type { OutgoingMail } from '../contract/ports/mail.ts';

/** A key file in development; refuses in production. */
export const defaultKeyring = (): KeyringAdapter => localKeyring();

/** Counters in this process's memory. */
export const defaultLimits = (): LimitStore => memoryLimits();

/** The bytes of a message; the composer is loaded when the first one is asked for. */
export const composeMailSource = async (mail: OutgoingMail): Promise<Uint8Array> =>
  (await import('../../adapters/mail/smtp-source.ts')).smtpSource(mail);
