// Stores the targets of a message's tracked links. Called by the delivery jobs, before a message leaves.
import type { CorePorts, TransactionContext } from '../../../core/index.ts';
import { type LinkTarget, sealLinks } from '../delivery/send-content.ts';
import { linkRows } from '../store.ts';
import type { SendRow } from '../tables.ts';

/** Stores the targets once, because every attempt renders the same message. */
export async function storeLinks(
  { trx }: TransactionContext,
  keyring: CorePorts['keyring'],
  { id, sandbox }: SendRow,
  links: readonly LinkTarget[],
): Promise<void> {
  if (links.length > 0) await linkRows.insertUnlessTaken(trx.onSide(sandbox), sealLinks(keyring, id, links));
}
