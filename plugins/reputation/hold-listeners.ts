// Notifies other plugins in the transaction that holds the marketing mail of a workspace.
import type { TransactionContext } from '../../core/index.ts';

/** An entry of `reputation.holds`: a plugin that stops its own marketing mail. */
export interface HoldListener {
  /** Called once for each hold, on the live side of the workspace. */
  onHold(ctx: TransactionContext): Promise<void>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** Plugins that stop their marketing mail when it is held. */
    'reputation.holds': HoldListener;
  }
}

export async function notifyHoldListeners(ctx: TransactionContext): Promise<void> {
  for (const listener of ctx.ports.contributions('reputation.holds').values()) await listener.onHold(ctx);
}
