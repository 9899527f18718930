// Which addresses get no mail: asked when a send is accepted and again when it is delivered.
import type { Effects, Workspace, WorkspaceHandle } from '../../core/index.ts';
import { normaliseAddress } from '../../core/index.ts';
import { findSuppression, insertSuppression, updateSuppression } from './store.ts';
import type { SuppressionReason, SuppressionRow } from './tables.ts';

/** What stops a message. */
export interface Suppressed {
  readonly reason: SuppressionReason;
}

/** A fact that suppresses. */
export interface SuppressionFact {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly scope?: 'all' | 'marketing';
  readonly sendId?: string;
  readonly note?: string | null;
  readonly expiresAt?: number | null;
}

/** `ctx.services.suppressions`. */
export interface SuppressionsService {
  /**
   * Why mail of this category may not go to the address, or undefined. `bypass` passes everything but a complaint.
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
  /** Puts an address on the list. A complaint is never weakened. */
  add(effects: Effects, fact: SuppressionFact): Promise<SuppressionRow>;
}

/** The service; it keeps nothing. */
export const createSuppressionsService = (): SuppressionsService => ({
  async check(handle, workspace, { email, category, bypass, now }) {
    const row = await findSuppression(handle, normaliseAddress(email));
    if (row === undefined || (row.expires_at !== null && row.expires_at <= now)) return undefined;
    if (row.reason !== 'complaint' && bypass) return undefined;
    const unsubscribed = row.reason === 'unsubscribe' && workspace.settings.unsubscribeScope === 'marketing';
    if ((row.scope === 'marketing' || unsubscribed) && category !== 'marketing') return undefined;
    return { reason: row.reason };
  },

  async add(effects, fact) {
    const email = normaliseAddress(fact.email);
    const row: SuppressionRow = {
      workspace_id: effects.workspace.id,
      email,
      reason: fact.reason,
      scope: fact.scope ?? 'all',
      send_id: fact.sendId ?? null,
      note: fact.note ?? null,
      created_at: effects.now,
      expires_at: fact.expiresAt ?? null,
    };
    const before = await findSuppression(effects.trx, email);
    if (before === undefined) {
      await insertSuppression(effects.trx, row);
      return row;
    }
    if (before.reason === 'complaint') return before;
    const { workspace_id: _, email: __, created_at: ___, ...changes } = row;
    await updateSuppression(effects.trx, email, changes);
    return { ...before, ...changes };
  },
});
