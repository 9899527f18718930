// Notifies other plugins of mail that was handed over, and of hard bounces and complaints, in the transaction that records them. Called by
// the job that delivers mail and where reports are recorded. Mail of the sandbox never leaves, so they are not notified of it.
import type { TransactionContext } from '../../../core/index.ts';
import type { SendEventRow, SendRow } from '../tables.ts';

/** A mail that a server or a provider accepted or refused. */
export interface HandedOverMail {
  readonly sendId: string;
  readonly category: SendRow['category'];
  readonly fromEmail: string;
  /** The normalised address; a pseudonym if the recipient was erased. */
  readonly toEmail: string;
  /**
   * The time of the hand-over, in milliseconds. If a report arrived before the hand-over was recorded, the time at which the report was recorded.
   */
  readonly handedOverAt: number;
}

/** A fault of a mail after its hand-over. */
export type DeliveryFault = 'hard_bounce' | 'complaint';

/** An entry of `email.results`: a plugin that counts the results of mail. Live mail only. */
export interface MailResults {
  /**
   * Called once for each mail, when its server or provider has accepted or refused it. Many mails may share the transaction, so this
   * must not read: it only defers writes.
   */
  handedOver(ctx: TransactionContext, mail: HandedOverMail): void;
  /** Called at most once for each mail and fault, after `handedOver`, in the same transaction or a later one. */
  failed(ctx: TransactionContext, mail: HandedOverMail, fault: DeliveryFault): void;
}

declare module '../../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** Plugins that count the results of live mail. */
    'email.results': MailResults;
  }
}

const mailOf = (send: SendRow, handedOverAt: number): HandedOverMail => ({
  sendId: send.id,
  category: send.category,
  fromEmail: send.from_email,
  toEmail: send.to_normalised,
  handedOverAt,
});

/** The time of the hand-over, from the timeline; now if the timeline does not contain it yet. */
export const handedOverAtOf = (events: readonly SendEventRow[], now: number): number =>
  events.find(({ type }) => type === 'send.sent' || type === 'send.bounced')?.ts ?? now;

/** Tells the plugins that a mail was handed over. To be called once for each mail, in the transaction that records its hand-over. */
export function notifyHandedOver(ctx: TransactionContext, send: SendRow): void {
  if (send.sandbox) return;
  for (const entry of ctx.ports.contributions('email.results').values()) entry.handedOver(ctx, mailOf(send, ctx.now));
}

/** Tells the plugins of a fault of a mail. To be called once for each fault, in the transaction that records it. */
export function notifyFault(ctx: TransactionContext, send: SendRow, fault: DeliveryFault, handedOverAt: number): void {
  if (send.sandbox) return;
  for (const entry of ctx.ports.contributions('email.results').values())
    entry.failed(ctx, mailOf(send, handedOverAt), fault);
}
