// The state of a workspace and its changes: whether it may send marketing mail now.
import { coreErrors, type TransactionContext, toIsoTime, type WorkspaceHandle } from '../../core/index.ts';
import { notifyHoldListeners } from './hold-listeners.ts';
import type { ReputationRule } from './options.ts';
import type { Reputation } from './schema.ts';
import { countedSince, deleteHandOvers, findState, lockState, readMailCounts } from './store.ts';
import { historyRows, type ReputationState, type StateRow, stateRows } from './tables.ts';
import type { WindowFinding } from './windows/judge-windows.ts';
import { presentWindows } from './windows/present-windows.ts';
import { minuteMs, minuteOf } from './windows/series.ts';

const dayMs = 86_400_000;
const shownHistory = 100;
/** The interval at which the time of a warning is renewed while reports continue to show high rates. */
const renewedMs = 3_600_000;

/**
 * The state now. A warning ends a day after the last report that showed a rate above the limit. A hold never ends by
 * itself.
 */
export const stateNow = ({ state, warned_at: at }: StateRow, now: number): ReputationState =>
  state === 'warned' && (at === null || now - at >= dayMs) ? 'ok' : state;

/** The reputation as callers see it. */
export async function showReputation(
  handle: WorkspaceHandle,
  rules: readonly ReputationRule[],
  { domains, now }: { readonly domains: readonly string[]; readonly now: number },
): Promise<Reputation> {
  const row = await findState(handle);
  const until = minuteOf(now) + minuteMs;
  const span = { from: until - dayMs, until, counted_since: countedSince(row, now) };
  const mailCounts = await readMailCounts(handle, span);
  const history = await historyRows.page(handle, { limit: shownHistory });
  return {
    state: stateNow(row, now),
    windows: presentWindows(mailCounts, rules, { domains, now }),
    history: history.map(({ created_at: at, state, changed_by: by, note }) => ({ at: toIsoTime(at), state, by, note })),
  };
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;
const names = { complaints: 'Complaints', hard_bounces: 'Hard bounces' } as const;
const lengths = { '1h': '1 hour', '24h': '24 hours' } as const;

/** The rate that was reached, as a sentence for the history. */
export function findingNote({ kind, window, domain, faults, handedOver, limit }: WindowFinding): string {
  const from = domain === null ? '' : ` from ${domain}`;
  const mails = kind === 'complaints' ? 'mails to domains that report complaints' : 'mails';
  const rate = `${faults} of ${handedOver} ${mails}, ${percent(faults / handedOver)}`;
  return `${names[kind]} in ${lengths[window]}${from}: ${rate}. The limit is ${percent(limit)}.`;
}

interface StateChange {
  readonly state: ReputationState;
  readonly by: string;
  readonly note: string;
}

const addHistory = ({ trx, newId, now }: TransactionContext, { state, by, note }: StateChange) =>
  historyRows.insert(trx, { id: newId('rhi'), state, changed_by: by, note, created_at: now });

/**
 * Warns or holds. `judgedState`: the state under which the rates were found. Returns false if marketing mail was released since: the rates then
 * no longer count.
 */
export async function applyFinding(
  ctx: TransactionContext,
  finding: WindowFinding,
  judgedState: StateRow,
  rules: readonly ReputationRule[],
): Promise<boolean> {
  const { trx, now, workspace } = ctx;
  const row = await lockState(ctx);
  if (row.counted_since !== judgedState.counted_since) return false;
  const { level } = finding;
  const currentState = stateNow(row, now);
  if (currentState === 'held') return true;
  if (currentState === level) {
    if (row.warned_at === null || now - row.warned_at >= renewedMs)
      await stateRows.update(trx, 'marketing', { warned_at: now });
    return true;
  }
  const warned_at = level === 'warned' ? now : row.warned_at;
  await stateRows.update(trx, 'marketing', { state: level, warned_at, changed_at: now });
  await addHistory(ctx, { state: level, by: 'system', note: findingNote(finding) });
  if (level === 'held') await notifyHoldListeners(ctx);
  ctx.emit(`reputation.${level}`, await showReputation(trx, rules, { domains: workspace.sendingDomains, now }));
  return true;
}

/** Releases marketing mail. Mail that was sent before no longer counts. @throws state_conflict if it is not held */
export async function releaseMarketing(
  ctx: TransactionContext,
  { by, note }: Pick<StateChange, 'by' | 'note'>,
): Promise<void> {
  const { trx, now } = ctx;
  const row = await lockState(ctx);
  if (row.state !== 'held') throw coreErrors.state_conflict({ reason: 'Marketing mail is not held.' });
  const released = { state: 'ok', counted_since: now, warned_at: null, changed_at: now } as const;
  await stateRows.update(trx, 'marketing', released);
  await deleteHandOvers(trx, minuteOf(now));
  await addHistory(ctx, { state: 'ok', by, note });
}
