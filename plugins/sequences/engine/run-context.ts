// The facts about a run that the interpreter needs, read in the transaction of its step.
import type { TransactionContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { RunContext } from '../interpreter/types.ts';
import type { SequenceRunRow } from '../tables.ts';
import type { LoadedVersion } from '../versions.ts';

/** Triggers, waits and retries read no activity. For other steps, `loadActivity` replaces this function. */
const refuseActivity = (): never => {
  throw new Error('The activity of the contact was not read.');
};

/** The context of a run of this version for a contact. `run` is null if the run has not begun yet. */
export async function runContextOf(
  { services, trx, now }: TransactionContext,
  version: LoadedVersion,
  contact: KnownContact,
  run: Pick<SequenceRunRow, 'id' | 'variables'> | null,
): Promise<RunContext> {
  const { id, external_id, email, attributes } = contact;
  const members = new Set<string>();
  for (const listId of version.interpreter.lists)
    if (await services.lists.isMember(trx, listId, id)) members.add(listId);
  const suppressed =
    version.readsSubscription && email !== null
      ? await services.suppressions.suppressedAmong(trx, [email], now)
      : new Set<string>();
  return {
    now,
    runId: run?.id ?? null,
    sequenceId: version.sequenceId,
    contact: { id, external_id, email, attributes, subscribed: email === null || !suppressed.has(email) },
    isMember: (listId) => members.has(listId),
    did: refuseActivity,
    variables: run?.variables ?? {},
  };
}
