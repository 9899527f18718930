// Applies the edits that people make to a strategy when they decide on it. Pure, except for `storeEdits`.
import { type OperationContext, toIsoTimeOrNull } from '../../core/index.ts';
import { errors } from './errors.ts';
import { maxItems, type StrategyEdits } from './schema.ts';
import { type CreationRow, creationRows, type ItemRow, itemRows, type StrategyTexts } from './tables.ts';

/** A strategy and its items after the edits. */
export interface EditedStrategy {
  readonly strategy: StrategyTexts;
  readonly items: readonly ItemRow[];
}

/** @throws creation_item_not_found for an item of another creation; validation_failed if a channel is left out that still has items */
export function editedStrategy(
  ctx: OperationContext,
  { id: creationId, strategy }: CreationRow,
  items: readonly ItemRow[],
  edits: StrategyEdits = {},
): EditedStrategy {
  const before = strategy ?? { summary: '', messages: [], channels: [] };
  const { summary = before.summary, messages = before.messages, channels = before.channels } = edits;
  const byId = new Map((edits.items ?? []).map((edit) => [edit.itemId, edit]));
  for (const id of byId.keys())
    if (!items.some((item) => item.id === id)) throw errors.creation_item_not_found({ id, creationId });
  const after = items.map((item): ItemRow => {
    const edit = byId.get(item.id);
    if (edit === undefined) return item;
    const { purpose = item.purpose, at = item.at, skip = false } = edit;
    return {
      ...item,
      purpose,
      at,
      ...(skip ? { status: 'skipped' as const, error: 'It was left out at the approval.' } : {}),
    };
  });
  const keptChannels = new Set(channels.map(({ channel }) => channel));
  ctx.refuse(
    after.flatMap(({ id, channel, status }) =>
      channel === null || status === 'skipped' || keptChannels.has(channel)
        ? []
        : [
            {
              path: 'edits.channels',
              code: 'channel_missing',
              message: `The item ${id} is on ${channel}, which is left out: skip it, or keep the channel.`,
            },
          ],
    ),
  );
  return { strategy: { summary, messages, channels }, items: after.slice(0, maxItems) };
}

/** The content that people decide on. */
export const decidedContent = ({ strategy, items }: EditedStrategy) => ({
  ...strategy,
  items: items
    .filter(({ status }) => status !== 'skipped')
    .map(({ id, kind, channel, purpose, at, url, price }) => ({
      itemId: id,
      ...{ kind, channel, purpose, url, price, at: toIsoTimeOrNull(at) },
    })),
});

/** Stores the edited strategy and items. */
export async function storeEdits(
  { trx, now }: OperationContext,
  creation: CreationRow,
  before: readonly ItemRow[],
  { strategy, items }: EditedStrategy,
): Promise<CreationRow> {
  for (const item of items) {
    if (before.includes(item)) continue;
    const { purpose, at, status, error } = item;
    await itemRows.update(trx, item.id, { purpose, at, status, error, updated_at: now });
  }
  return creationRows.change(trx, creation, { strategy, updated_at: now });
}
