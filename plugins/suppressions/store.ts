// The only SQL of the suppressions plugin.
import type { CursorPosition, WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, filledList, olderThan, pseudonymOf } from '../../core/index.ts';
import type { SuppressionRow } from './tables.ts';

interface Names {
  readonly workspace_id: string;
  readonly email: string;
  /** What stands in place of the address once its person was erased. */
  readonly pseudonym: string;
}

const byNames = defineStatement((db, p: Names) =>
  db
    .selectFrom('suppressions')
    .selectAll()
    .where('workspace_id', '=', p.workspace_id)
    .where('email', 'in', [p.email, p.pseudonym]),
);

const remove = defineStatement((db, p: Names) =>
  db.deleteFrom('suppressions').where('workspace_id', '=', p.workspace_id).where('email', 'in', [p.email, p.pseudonym]),
);

const namesOf = ({ workspaceId }: WorkspaceHandle, email: string) => ({
  email,
  pseudonym: pseudonymOf(workspaceId, email),
});

/** A complaint before all else, all mail before marketing, for ever before for a time. */
const rankOf = ({ reason, scope, expires_at: end }: SuppressionRow): number =>
  (reason === 'complaint' ? 0 : 4) + (scope === 'all' ? 0 : 2) + (end === null ? 0 : 1);

/** What holds for an address: under itself, or under the pseudonym that its person was erased to. */
export async function findSuppression(handle: WorkspaceHandle, email: string): Promise<SuppressionRow | undefined> {
  const rows = await handle.all(byNames, namesOf(handle, email));
  return rows.sort((one, other) => rankOf(one) - rankOf(other))[0];
}

export async function insertSuppression(handle: WorkspaceHandle, row: SuppressionRow): Promise<void> {
  await handle.db.insertInto('suppressions').values(row).execute();
}

export async function updateSuppression(
  handle: WorkspaceHandle,
  email: string,
  { reason, scope, send_id, note, created_at, expires_at }: SuppressionRow,
): Promise<void> {
  await handle.db
    .updateTable('suppressions')
    .set({ reason, scope, send_id, note, created_at, expires_at })
    .where('workspace_id', '=', handle.workspaceId)
    .where('email', '=', email)
    .execute();
}

/** Of these addresses, those whose suppression has the scope all and is not over. */
export async function listSuppressedForAll(
  handle: WorkspaceHandle,
  emails: readonly string[],
  now: number,
): Promise<string[]> {
  if (emails.length === 0) return [];
  const given = new Map(emails.flatMap((email) => Object.values(namesOf(handle, email)).map((name) => [name, email])));
  const rows = await handle.db
    .selectFrom('suppressions')
    .select('email')
    .where('workspace_id', '=', handle.workspaceId)
    .where('email', 'in', filledList([...given.keys()]))
    .where('scope', '=', 'all')
    .where((builder) => builder.or([builder('expires_at', 'is', null), builder('expires_at', '>', now)]))
    .execute();
  return rows.flatMap(({ email }) => given.get(email) ?? []);
}

/** Answers whether there was one. */
export async function deleteSuppression(handle: WorkspaceHandle, email: string): Promise<boolean> {
  return (await handle.run(remove, namesOf(handle, email))) > 0;
}

export async function listSuppressions(
  handle: WorkspaceHandle,
  filter: { readonly reason: SuppressionRow['reason'] | undefined; readonly now: number },
  limit: number,
  after: CursorPosition | undefined,
): Promise<SuppressionRow[]> {
  let query = handle.db
    .selectFrom('suppressions')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where((builder) => builder.or([builder('expires_at', 'is', null), builder('expires_at', '>', filter.now)]));
  if (filter.reason !== undefined) query = query.where('reason', '=', filter.reason);
  if (after !== undefined) query = query.where(olderThan('created_at', 'email', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('email', 'desc')
    .limit(limit + 1)
    .execute();
}
