// The SQL of the addresses that contacts had. One address is remembered of the contact that had it last.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { defineStatement, filledList } from '../../../core/index.ts';
import type { ContactRow, FormerAddressRow } from '../tables.ts';

const remember = defineStatement((db, p: FormerAddressRow) => {
  const insert = db
    .insertInto('contact_former_addresses')
    .values({ workspace_id: p.workspace_id, email: p.email, contact_id: p.contact_id });
  // MySQL has no `on conflict`; it is the one without `returning`, too.
  const { supportsReturning } = db.getExecutor().adapter;
  return supportsReturning
    ? insert.onConflict((conflict) =>
        conflict.columns(['workspace_id', 'email']).doUpdateSet({ contact_id: p.contact_id }),
      )
    : insert.onDuplicateKeyUpdate({ contact_id: p.contact_id });
});

/** Remembers the address that a contact had before, where it has another one or none now. */
export async function rememberAddress(handle: WorkspaceHandle, before: ContactRow, after: ContactRow): Promise<void> {
  if (before.email !== null && before.email !== after.email)
    await handle.run(remember, { email: before.email, contact_id: before.id });
}

/** Without those that somebody has by now: they are not this person's any more. */
export async function listFormerAddresses({ db, workspaceId }: WorkspaceHandle, contactId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('contact_former_addresses')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('contact_id', '=', contactId)
    .orderBy('email')
    .execute();
  if (rows.length === 0) return [];
  const emails = rows.map(({ email }) => email);
  const taken = await db
    .selectFrom('contacts')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('email', 'in', filledList(emails))
    .execute();
  const hadBySomebody = new Set(taken.map(({ email }) => email));
  return emails.filter((email) => !hadBySomebody.has(email));
}
