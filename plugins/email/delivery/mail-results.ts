// Tells other plugins about mail that left, and about hard bounces and complaints, in the transaction that records them. Called by the
// job that delivers mail and where reports are recorded. Mail of the sandbox never leaves, so it is not told about.
import type { TransactionContext } from '../../../core/index.ts';
import type { SendEventRow, SendRow } from '../tables.ts';

/** A mail that a server or a provider accepted or refused. */
export interface HandedOverMail {
  readonly sendId: string;
  readonly category: SendRow['category'];
  readonly fromEmail: string;
  /** The normalised address; a pseudonym if the recipient was erased. */
  readonly toEmail: string;
  /** In milliseconds. If a report arrives before the hand-over is recorded: when the report was recorded. */
  readonly handedOverAt: number;
}

/** What went wrong with a mail after its hand-over. */
export type DeliveryFault = 'hard_bounce' | 'complaint';

/** An entry of `email.results`: a plugin that counts what becomes of mail. Live mail only. */
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
    /** Plugins that count what becomes of live mail. */
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

/** When the mail left, from its timeline; now if the timeline does not say so yet. */
export const handedOverAtOf = (events: readonly SendEventRow[], now: number): number =>
  events.find(({ type }) => type === 'send.sent' || type === 'send.bounced')?.ts ?? now;

/** Call it once for each mail, in the transaction that records its hand-over. */
export function tellHandedOver(ctx: TransactionContext, send: SendRow): void {
  if (send.sandbox) return;
  for (const entry of ctx.ports.contributions('email.results').values()) entry.handedOver(ctx, mailOf(send, ctx.now));
}

/** Call it once for each fault of a mail, in the transaction that records it. */
export function tellFault(ctx: TransactionContext, send: SendRow, fault: DeliveryFault, handedOverAt: number): void {
  if (send.sandbox) return;
  for (const entry of ctx.ports.contributions('email.results').values())
    entry.failed(ctx, mailOf(send, handedOverAt), fault);
}
