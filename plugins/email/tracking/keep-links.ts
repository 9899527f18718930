// Stores the targets of a message's tracked links. Called by the delivery jobs, before a message leaves.
import type { CorePorts, TransactionContext } from '../../../core/index.ts';
import { sealLinks } from '../content.ts';
import { linkRows } from '../store.ts';
import type { SendRow } from '../tables.ts';

/** Stores the targets once, because every attempt renders the same message. */
export async function keepLinks(
  { trx }: TransactionContext,
  keyring: CorePorts['keyring'],
  { id, sandbox }: SendRow,
  links: readonly string[],
): Promise<void> {
  if (links.length > 0) await linkRows.insertUnlessTaken(trx.onSide(sandbox), sealLinks(keyring, id, links));
}
