// The extension point `contacts.imports`: lets other plugins act after an import.
import type { TransactionContext } from '../../../core/index.ts';

/** An entry of `contacts.imports`. */
export interface ImportListener {
  /**
   * Called once, in a transaction after the one that stored the last rows of an import. Contacts that changed one by one are not
   * announced here. Enqueue a job for longer work.
   */
  imported(ctx: TransactionContext): Promise<void>;
}

declare module '../../../core/contract/open.ts' {
  interface ExtensionPoints {
    'contacts.imports': ImportListener;
  }
}

/** Calls all entries, for the effects' side of the workspace. */
export async function announceImport(ctx: TransactionContext): Promise<void> {
  for (const listener of ctx.ports.contributions('contacts.imports').values()) await listener.imported(ctx);
}
