// Lists and contacts for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

/** The id of a list of the workspace. */
export async function someList(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { listId } = await kit.call('lists.create', { name: kit.unique('Newsletter') }, workspaceId);
  return String(listId);
}

/** The id of a contact of the workspace. */
export async function someContact(kit: FixtureKit, workspaceId: string): Promise<string> {
  const email = `${kit.unique('reader')}@example.com`;
  const { id } = await kit.call('contacts.upsert', { external_id: kit.unique('reader'), email }, workspaceId);
  return String(id);
}

/** The id of a list with some members. */
export async function listWithMembers(kit: FixtureKit, workspaceId: string): Promise<string> {
  const listId = await someList(kit, workspaceId);
  const contactIds = [await someContact(kit, workspaceId), await someContact(kit, workspaceId)];
  await kit.call('lists.members_add', { listId, contactIds }, workspaceId);
  return listId;
}
