// Applies the decision of a check or of the program to a link, and emits the event that reports it. Works inside a transaction.
import type { TransactionContext } from '../../../core/index.ts';
import { destinationsOf } from '../choose-rule.ts';
import { announce } from '../events.ts';
import type { BlockListEntry } from '../port/block-list.ts';
import { type LinkRow, linkRows } from '../tables.ts';
import { type AbuseColumns, clean } from './first-state.ts';

const eventOf = (before: LinkRow, after: AbuseColumns) => {
  if (after.abuse === before.abuse) return undefined;
  if (after.abuse === 'disabled') return 'link.disabled_for_abuse';
  if (after.abuse === 'flagged' || after.abuse === 'held') return 'link.abuse_flagged';
  return before.abuse === 'flagged' ? undefined : 'link.reinstated';
};

/** Writes a state on a link that the caller has locked. */
export async function setAbuse(ctx: TransactionContext, row: LinkRow, state: AbuseColumns): Promise<LinkRow> {
  const { trx, now, audit, afterCommit } = ctx;
  if (state.abuse === row.abuse && state.abuse_by === row.abuse_by && state.abuse_reason === row.abuse_reason)
    return row;
  const changedRow = await linkRows.change(trx.onSide(row.sandbox), row, { ...state, updated_at: now });
  const event = eventOf(row, state);
  if (event !== undefined) {
    await announce(ctx, event, changedRow);
    audit(event, { kind: 'link', id: row.id }, state.abuse_by === null ? {} : { by: state.abuse_by });
  }
  afterCommit(() => ctx.services.linkTargets.forget(changedRow));
  return changedRow;
}

/** The state of a link from the block list. The worst entry of its destinations counts. */
function stateOf(row: LinkRow, entries: ReadonlyMap<string, BlockListEntry>): AbuseColumns {
  const listedEntries = destinationsOf(row.destination_url, row.route_rules).flatMap((url) => entries.get(url) ?? []);
  const worst = listedEntries.find(({ verdict }) => verdict === 'malicious') ?? listedEntries[0];
  if (worst === undefined) return clean;
  const reason = worst.reason.slice(0, 500);
  return { abuse: worst.verdict === 'malicious' ? 'disabled' : 'flagged', abuse_by: 'check', abuse_reason: reason };
}

/** Applies a check. A state that the program set stays. */
export async function applyCheck(
  ctx: TransactionContext,
  row: LinkRow,
  entries: ReadonlyMap<string, BlockListEntry>,
): Promise<void> {
  if (row.abuse_by === 'program') return;
  await setAbuse(ctx, row, stateOf(row, entries));
}
