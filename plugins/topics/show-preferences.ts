// The preferences of a contact as the API shows them: every topic, in the topics' order.
import { toIsoTimeOrNull, type WorkspaceHandle, type z } from '../../core/index.ts';
import type { preferencesResource } from './schema.ts';
import { listTopics, preferencesOf } from './store.ts';
import { subscriptionOf } from './topic-subscription.ts';

export async function showPreferences(
  handle: WorkspaceHandle,
  { id: contactId, email }: { readonly id: string; readonly email: string | null },
): Promise<z.input<typeof preferencesResource>> {
  const topics = await listTopics(handle);
  const rows = email === null ? new Map() : await preferencesOf(handle, email);
  const preferences = topics.map((topic) => {
    const { subscribed, source, at } = subscriptionOf(topic, rows.get(topic.key));
    return { topic: topic.key, subscribed, source, at: toIsoTimeOrNull(at) };
  });
  return { contactId, email, preferences };
}
