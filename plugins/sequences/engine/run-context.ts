// What the interpreter needs to know about a run, read in the transaction of its step.
import type { TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { RunContext } from '../interpreter/types.ts';
import type { RunRow } from '../tables.ts';
import type { LoadedVersion } from '../versions.ts';

/** The context of a run of this version for a contact. `run` is null if the run has not begun yet. */
export async function runContextOf(
  { services, trx, now }: TransactionContext,
  version: LoadedVersion,
  contact: KnownContact,
  run: Pick<RunRow, 'id' | 'variables'> | null,
): Promise<RunContext> {
  const { id, external_id, email, attributes } = contact;
  const members = new Set<string>();
  for (const listId of version.interpreter.lists)
    if (await services.lists.isMember(trx, listId, id)) members.add(listId);
  const suppressed =
    version.asksSubscription && email !== null
      ? await services.suppressions.suppressedAmong(trx, [email], now)
      : new Set<string>();
  return {
    now,
    runId: run?.id ?? null,
    sequenceId: version.sequenceId,
    contact: { id, external_id, email, attributes, subscribed: email === null || !suppressed.has(email) },
    isMember: (listId) => members.has(listId),
    variables: run?.variables ?? {},
  };
}
