// The suppression list, one for each side of a workspace. Checked when a send is accepted and again when it is delivered.
import type { Effects, Workspace, WorkspaceHandle } from '../../core/index.ts';
import { normaliseAddress } from '../../core/index.ts';
import { findSuppression, findSuppressions, listSuppressedForAll, rows } from './store.ts';
import type { SuppressionReason, SuppressionRow } from './tables.ts';

/** What stops a message. */
export interface Suppressed {
  readonly reason: SuppressionReason;
  /** When the address was put on the list, in milliseconds. */
  readonly since: number;
  /** The send that caused it. */
  readonly sendId: string | null;
}

/** A suppression to be added. */
export interface NewSuppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly scope?: 'all' | 'marketing';
  readonly sendId?: string;
  readonly note?: string | null;
  readonly expiresAt?: number | null;
}

/** `ctx.services.suppressions`. Each side of a workspace has its own list; the handle's side decides which one. */
export interface SuppressionsService {
  /**
   * Why mail of this category may not go to the address, or undefined. `bypass` ignores every suppression but a complaint.
   */
  check(
    handle: WorkspaceHandle,
    workspace: Workspace,
    message: {
      readonly email: string;
      readonly category: 'marketing' | 'transactional' | 'system';
      readonly bypass: boolean;
      readonly now: number;
    },
  ): Promise<Suppressed | undefined>;
  /** Reads the suppression of an address without deciding: for callers that know the category only later. */
  find(handle: WorkspaceHandle, email: string, now: number): Promise<SuppressionRow | undefined>;
  /** The decision of `check` on a result of `find`. */
  stops(
    found: SuppressionRow | undefined,
    workspace: Workspace,
    message: { readonly category: 'marketing' | 'transactional' | 'system'; readonly bypass: boolean },
  ): Suppressed | undefined;
  /** The suppressions of these addresses, by normalised address. One look-up. */
  findAmong(
    handle: WorkspaceHandle,
    emails: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, SuppressionRow>>;
  /** The addresses among these (normalised) that get no mail at all: scope all, for any reason. One look-up. */
  suppressedAmong(handle: WorkspaceHandle, emails: readonly string[], now: number): Promise<ReadonlySet<string>>;
  /** Puts an address on the list. A complaint is never weakened. */
  add(effects: Effects, added: NewSuppression): Promise<SuppressionRow>;
}

const isOver = ({ expires_at: end }: SuppressionRow, now: number): boolean => end !== null && end <= now;

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);

/** A new suppression replaces an old one. A complaint can only be widened. */
function merged(before: SuppressionRow, added: SuppressionRow): SuppressionRow {
  if (before.reason !== 'complaint') return { ...added, created_at: before.created_at };
  return {
    ...before,
    scope: before.scope === 'all' ? 'all' : added.scope,
    expires_at: latest(before.expires_at, added.expires_at),
  };
}

/** Makes the service, which has no state. */
export const createSuppressionsService = (): SuppressionsService => ({
  async check(handle, workspace, { email, category, bypass, now }) {
    return this.stops(await this.find(handle, email, now), workspace, { category, bypass });
  },

  async find(handle, email, now) {
    const row = await findSuppression(handle, normaliseAddress(email));
    return row === undefined || isOver(row, now) ? undefined : row;
  },

  async findAmong(handle, emails, now) {
    const found = await findSuppressions(handle, emails.map(normaliseAddress));
    return new Map([...found].filter(([, row]) => !isOver(row, now)));
  },

  stops(row, workspace, { category, bypass }) {
    if (row === undefined || (row.reason !== 'complaint' && bypass)) return undefined;
    const unsubscribed = row.reason === 'unsubscribe' && workspace.settings.unsubscribeScope === 'marketing';
    if ((row.scope === 'marketing' || unsubscribed) && category !== 'marketing') return undefined;
    return { reason: row.reason, since: row.created_at, sendId: row.send_id };
  },

  async suppressedAmong(handle, emails, now) {
    return new Set(await listSuppressedForAll(handle, emails, now));
  },

  async add(effects, added) {
    const email = normaliseAddress(added.email);
    const row: SuppressionRow = {
      email,
      reason: added.reason,
      scope: added.scope ?? 'all',
      send_id: added.sendId ?? null,
      note: added.note ?? null,
      created_at: effects.now,
      expires_at: added.expiresAt ?? null,
    };
    const before = await findSuppression(effects.trx, email);
    if (before === undefined) return rows.insert(effects.trx, row);
    const next = isOver(before, effects.now) ? row : merged(before, row);
    // No text about an erased person is stored: it might contain their address.
    const note = before.email === email ? next.note : null;
    await rows.update(effects.trx, before.email, { ...next, email: before.email, note });
    return { ...next, email };
  },
});
