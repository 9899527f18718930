// Creations in the states that the fixtures of this plugin need. They are inserted directly, because no job runs in generated tests.
import type { FixtureKit } from '../../../core/index.ts';
import {
  type CreationRow,
  type CreationStatus,
  creationRows,
  type ItemRow,
  type ItemStatus,
  itemRows,
} from '../tables.ts';

export const someBrief = {
  brief:
    'Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.',
  objective: '40 bookings',
  channels: ['email'],
};

/** Inserts a creation with one link as its item. */
async function write(
  kit: FixtureKit,
  workspaceId: string,
  status: CreationStatus,
  itemStatus: ItemStatus,
): Promise<{ creationId: string; itemId: string }> {
  const name = kit.unique('Course');
  return kit.write(async ({ trx, now, newId, sandbox }) => {
    const [creationId, itemId] = [newId('cre'), newId('itm')];
    const { brief, objective, channels } = someBrief;
    const isDrafted = status !== 'drafting_strategy';
    const texts = { summary: brief, messages: ['Six evenings.'], channels: [] };
    const creation: CreationRow = {
      ...{ id: creationId, sandbox, name, status, brief, objective, channels, icp_id: null },
      ...{ starts_at: null, ends_at: null, strategy: isDrafted ? texts : null },
      ...{ utm_campaign: name.toLowerCase(), revision: 0, comment: null, error: null, charged: 0 },
      ...{ spawned_by: { kind: 'service' }, may_link: true, completes_at: null },
      ...{ ended_at: status === 'rejected' ? now : null, created_at: now, updated_at: now },
    };
    const item: ItemRow = {
      ...{ id: itemId, sandbox, creation_id: creationId, position: 0, kind: 'link', channel: null },
      ...{ purpose: 'The link of the campaign.', url: 'https://example.com/course', at: null, status: itemStatus },
      ...{ target_kind: null, target_id: null, price: sandbox ? 0 : 1, hold_id: null, depends_on: [] },
      ...{ error: itemStatus === 'failed' ? 'It failed.' : null, created_at: now, updated_at: now },
    };
    await creationRows.insert(trx, creation);
    if (isDrafted) await itemRows.insert(trx, item);
    return { creationId, itemId };
  }, workspaceId);
}

/** The id of a creation that is ready. */
export const someCreation = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await write(kit, workspaceId, 'ready', 'skipped')).creationId;

/** The id of a creation whose strategy waits for a decision. */
export const draftedCreation = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await write(kit, workspaceId, 'awaiting_approval', 'planned')).creationId;

/** The id of a rejected creation. */
export const rejectedCreation = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await write(kit, workspaceId, 'rejected', 'planned')).creationId;

/** The ids of a creation whose only item failed, and of that item. */
export const brokenCreation = (kit: FixtureKit, workspaceId: string) => write(kit, workspaceId, 'failed', 'failed');

/** The ids of a creation that is ready, and of its item. */
export const readyCreation = (kit: FixtureKit, workspaceId: string) => write(kit, workspaceId, 'ready', 'skipped');

/** Cancels creations that are drafted or built, because their number is limited. */
export const makeRoom = (kit: FixtureKit): Promise<void> =>
  kit.write(async ({ trx, now }) => {
    for (const { id } of await creationRows.page(trx, { where: { status: 'drafting_strategy' }, limit: 20 }))
      await creationRows.update(trx, id, { status: 'canceled', ended_at: now });
    for (const { id } of await creationRows.page(trx, { where: { status: 'building' }, limit: 20 }))
      await creationRows.update(trx, id, { status: 'canceled', ended_at: now });
  });
