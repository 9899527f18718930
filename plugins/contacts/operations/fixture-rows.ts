// Contacts for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

/** The id of a contact of the workspace. */
export async function someContact(kit: FixtureKit, workspaceId: string): Promise<string> {
  const external_id = kit.unique('user');
  const email = `${kit.unique('person')}@example.com`;
  const { id } = await kit.call('contacts.upsert', { external_id, email, attributes: { plan: 'pro' } }, workspaceId);
  return String(id);
}
