// Creations as the API shows them.
import { type ReadContext, toIsoTime, toIsoTimeOrNull, type WorkspaceHandle } from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { CreationDetail, CreationSummary } from './schema.ts';
import { type CreationRow, type ItemRow, type ItemStatus, itemRows } from './tables.ts';

export const strategyKindId = 'creation_strategy';

/** The items of these creations, in order. */
export async function itemsOf(
  handle: WorkspaceHandle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ItemRow[]>> {
  const byCreation = new Map<string, ItemRow[]>(ids.map((id) => [id, []]));
  for (const row of await itemRows.findIn(handle, 'creation_id', ids)) byCreation.get(row.creation_id)?.push(row);
  for (const rows of byCreation.values()) rows.sort((a, b) => a.position - b.position);
  return byCreation;
}

const countsOf = (items: readonly ItemRow[]) => {
  const count = (status: ItemStatus): number => items.filter((item) => item.status === status).length;
  return {
    planned: count('planned'),
    building: count('building'),
    built: count('built'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
};

/** The price of all items that are not skipped. The sandbox is free. */
export const priceOf = (items: readonly ItemRow[], sandbox: boolean): number =>
  sandbox ? 0 : items.reduce((sum, { status, price }) => sum + (status === 'skipped' ? 0 : price), 0);

const common = (row: CreationRow, items: readonly ItemRow[], approval: CreationSummary['approval']) => ({
  creationId: row.id,
  name: row.name,
  status: row.status,
  brief: row.brief,
  objective: row.objective,
  icpId: row.icp_id,
  startsAt: toIsoTimeOrNull(row.starts_at),
  endsAt: toIsoTimeOrNull(row.ends_at),
  credits: { price: priceOf(items, row.sandbox), charged: row.charged },
  itemCounts: countsOf(items),
  utmCampaign: row.utm_campaign,
  revision: row.revision,
  error: row.error,
  approval,
  sandbox: row.sandbox,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
});

const presentItem = (row: ItemRow): CreationDetail['items'][number] => ({
  itemId: row.id,
  kind: row.kind,
  channel: row.channel,
  purpose: row.purpose,
  at: toIsoTimeOrNull(row.at),
  status: row.status,
  target: row.target_kind === null || row.target_id === null ? null : { kind: row.target_kind, id: row.target_id },
  price: row.price,
  error: row.error,
});

function strategyOf({ strategy }: CreationRow, items: readonly ItemRow[]): CreationDetail['strategy'] {
  if (strategy === null) return null;
  const dated = items
    .flatMap(({ id: itemId, at, status }) => (at === null || status === 'skipped' ? [] : [{ at, itemId }]))
    .sort((a, b) => a.at - b.at);
  return {
    summary: strategy.summary,
    messages: [...strategy.messages],
    channels: strategy.channels.map(({ channel, purpose }) => ({
      channel,
      purpose,
      items: items.filter((item) => item.channel === channel).map(({ id }) => id),
    })),
    calendar: dated.map(({ at, itemId }) => ({ at: toIsoTime(at), itemId })),
  };
}

async function pendingOf({ services, trx }: ReadContext, ids: readonly string[]) {
  const approvals: ApprovalsService | undefined = services.approvals;
  return approvals?.pendingOf(trx, strategyKindId, ids);
}

/** Several creations, as the list shows them. */
export async function showCreations(ctx: ReadContext, rows: readonly CreationRow[]): Promise<CreationSummary[]> {
  const ids = rows.map(({ id }) => id);
  const [items, pending] = [await itemsOf(ctx.trx, ids), await pendingOf(ctx, ids)];
  return rows.map((row) => {
    const ownItems = items.get(row.id) ?? [];
    return common(row, ownItems, pending?.get(row.id) ?? null);
  });
}

/** A creation with these items, as the list shows it. */
export async function presentCreation(
  ctx: ReadContext,
  row: CreationRow,
  items: readonly ItemRow[],
): Promise<CreationSummary> {
  const approval = (await pendingOf(ctx, [row.id]))?.get(row.id) ?? null;
  return common(row, items, approval);
}

/** A creation with these items and all its details. */
export async function presentFull(
  ctx: ReadContext,
  row: CreationRow,
  items: readonly ItemRow[],
): Promise<CreationDetail> {
  const approval = (await pendingOf(ctx, [row.id]))?.get(row.id) ?? null;
  return { ...common(row, items, approval), strategy: strategyOf(row, items), items: items.map(presentItem) };
}

const ownItems = async (handle: WorkspaceHandle, { id }: CreationRow) => (await itemsOf(handle, [id])).get(id) ?? [];

/** A creation as the list and the events show it. */
export const showSummary = async (ctx: ReadContext, row: CreationRow): Promise<CreationSummary> =>
  presentCreation(ctx, row, await ownItems(ctx.trx, row));

/** A creation with all its details. */
export const showDetail = async (ctx: ReadContext, row: CreationRow): Promise<CreationDetail> =>
  presentFull(ctx, row, await ownItems(ctx.trx, row));
