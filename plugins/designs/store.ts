// The statements of compositions, in addition to the statements of its tables.
import type { Handle } from '../../core/index.ts';

/** The workspace and the side of a composition. */
export async function findOwner(
  { db }: Handle,
  id: string,
): Promise<{ readonly workspaceId: string; readonly sandbox: boolean } | undefined> {
  const owner = await db
    .selectFrom('compositions')
    .select(['workspace_id', 'sandbox'])
    .where('id', '=', id)
    .executeTakeFirst();
  return owner === undefined ? undefined : { workspaceId: owner.workspace_id, sandbox: Boolean(Number(owner.sandbox)) };
}
