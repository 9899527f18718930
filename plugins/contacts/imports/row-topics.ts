// The preferences for topics that the rows of a file contain: stored after the transaction that stored their contacts, because until
// then the contacts do not exist. Called by the import of the API and of the command line.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import type { RowContent, RowTopics } from '../csv/columns.ts';
import { contactRows } from '../store.ts';
import type { ContactBatchResult } from '../upsert-contacts.ts';

/** The topics of rows, by the id of the contact. */
export type TopicsByContact = Readonly<Record<string, RowTopics>>;

/** The topics of the rows that were imported. If rows have the same contact, the later row counts. */
export function rowTopicsByContact(
  rows: readonly Pick<RowContent, 'topics'>[],
  outcomes: readonly ContactBatchResult[],
): TopicsByContact {
  const byContact = new Map<string, RowTopics>();
  for (const [index, result] of outcomes.entries()) {
    const topics = rows[index]?.topics ?? {};
    if (result.outcome === 'rejected' || Object.keys(topics).length === 0) continue;
    byContact.set(result.id, { ...byContact.get(result.id), ...topics });
  }
  return Object.fromEntries(byContact);
}

/** The first of these topics that does not exist; undefined if all do. `lock` prevents their deletion until the transaction ends. */
export async function missingTopic(
  topics: TopicsService,
  handle: WorkspaceHandle,
  keys: readonly string[],
  lock?: 'share',
): Promise<string | undefined> {
  const existing = await topics.existing(handle, keys, lock);
  return keys.find((key) => !existing.has(key));
}

/** Stores the preferences. A contact without an address has none. @throws topic_not_found */
export async function setRowTopics(
  ctx: TransactionContext,
  topics: TopicsService,
  topicsByContact: TopicsByContact,
  consentNote: string | undefined,
): Promise<void> {
  const contacts = await contactRows.findIn(ctx.trx, 'id', Object.keys(topicsByContact));
  await topics.setEach(
    ctx,
    contacts.flatMap(({ id, email }) =>
      email === null
        ? []
        : [
            {
              email,
              topics: new Map(Object.entries(topicsByContact[id] ?? {})),
              source: 'import' as const,
              consentNote,
            },
          ],
    ),
  );
}
