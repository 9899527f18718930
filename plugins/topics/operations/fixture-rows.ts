// Topics and contacts for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

/** The body of a new topic. */
export const topicBody = (kit: FixtureKit) => ({
  key: kit.unique('news').toLowerCase(),
  name: 'Product news',
  description: 'What is new, once a month.',
  default: 'subscribed',
});

/** The key of a topic of the workspace. */
export async function someTopic(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { key } = await kit.call('topics.create', topicBody(kit), workspaceId);
  return String(key);
}

/** The key of a topic that lists show first. */
export async function firstTopic(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { key } = await kit.call('topics.create', { ...topicBody(kit), position: 0 }, workspaceId);
  return String(key);
}

/** The id of a contact of the workspace. */
export async function someContact(kit: FixtureKit, workspaceId: string): Promise<string> {
  const email = `${kit.unique('reader')}@example.com`;
  const { id } = await kit.call('contacts.upsert', { external_id: kit.unique('reader'), email }, workspaceId);
  return String(id);
}
