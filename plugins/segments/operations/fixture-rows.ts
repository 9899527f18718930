// Segments and contacts for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

/** The id of a segment that contains every contact. */
export async function everyone(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { segmentId } = await kit.call('segments.create', { name: kit.unique('Everyone'), filter: {} }, workspaceId);
  return String(segmentId);
}

/** The id of a contact, which is in every segment of `everyone`. */
export async function contactOfSegment(kit: FixtureKit, workspaceId: string): Promise<string> {
  const email = `${kit.unique('reader')}@example.com`;
  const { id } = await kit.call('contacts.upsert', { email, attributes: { plan: 'pro' } }, workspaceId);
  return String(id);
}
