// The suppression list, one for each side of a workspace. Checked when a send is accepted and again when it is delivered.
import { normaliseAddress, type TransactionContext, type Workspace, type WorkspaceHandle } from '../../core/index.ts';
import { findSuppression, findSuppressions, liftUnsubscribe, listSuppressed, rows } from './store.ts';
import type { SuppressionReason, SuppressionRow } from './tables.ts';

/** The purpose of a message, as set in its template. */
export type MailCategory = 'marketing' | 'transactional' | 'system';

/** The mail that an unsubscribe stops. */
export type UnsubscribeScope = 'marketing' | 'all_but_system' | 'all';

/** The reason why a message is stopped. */
export interface Suppressed {
  readonly reason: SuppressionReason;
  /** When the address was put on the list, in milliseconds. */
  readonly since: number;
  /** The send that caused it. */
  readonly sendId: string | null;
}

/** A suppression to add. */
export interface NewSuppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly scope?: 'all' | 'marketing';
  readonly sendId?: string;
  readonly note?: string | null;
  readonly expiresAt?: number | null;
  /** Whether it may weaken an existing suppression: true for API calls, false for reports of bounces and complaints. (Default: false) */
  readonly mayWeaken?: boolean;
}

/** `ctx.services.suppressions`. Each side of a workspace has its own list. The handle's side decides which list is used. */
export interface SuppressionsService {
  /**
   * The reason why mail of this category may not be sent to the address; undefined if it may. `bypass` ignores every suppression except
   * a complaint.
   */
  check(
    handle: WorkspaceHandle,
    workspace: Workspace,
    message: {
      readonly email: string;
      readonly category: MailCategory;
      readonly bypass: boolean;
      readonly now: number;
    },
  ): Promise<Suppressed | undefined>;
  /** Reads the suppression of an address without a decision, for callers that learn the category later. */
  find(handle: WorkspaceHandle, email: string, now: number): Promise<SuppressionRow | undefined>;
  /** Decides like `check`, from a suppression that `find` returned. */
  decide(
    found: SuppressionRow | undefined,
    workspace: Workspace,
    message: { readonly category: MailCategory; readonly bypass: boolean },
  ): Suppressed | undefined;
  /** The suppressions of these addresses, by normalised address. One database lookup. */
  findAmong(
    handle: WorkspaceHandle,
    emails: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, SuppressionRow>>;
  /** Returns those of these normalised addresses that get no marketing mail, for any reason and scope. One database lookup. */
  suppressedAmong(handle: WorkspaceHandle, emails: readonly string[], now: number): Promise<ReadonlySet<string>>;
  /** The mail that an unsubscribe stops, if it is made by a link in mail of this category. */
  unsubscribeScopeOf(workspace: Workspace, category: MailCategory): UnsubscribeScope;
  /** Adds an address to the list. A complaint is never weakened. */
  add(ctx: TransactionContext, added: NewSuppression): Promise<SuppressionRow>;
  /** Adds an address to the list at the person's request, by a link in mail of this category. */
  unsubscribe(
    ctx: TransactionContext,
    by: { readonly email: string; readonly category: MailCategory; readonly sendId?: string },
  ): Promise<SuppressionRow>;
  /** Reverts `unsubscribe` at the person's request. Suppressions with any other reason stay. */
  resubscribe(ctx: TransactionContext, email: string): Promise<void>;
}

const isOver = ({ expires_at: end }: SuppressionRow, now: number): boolean => end !== null && end <= now;

const latest = (firstTime: number | null, otherTime: number | null): number | null =>
  firstTime === null || otherTime === null ? null : Math.max(firstTime, otherTime);

/** How much mail a suppression stops. An unsubscribe from all mail still allows system mail. */
const strengthOf = ({ reason, scope }: SuppressionRow): number =>
  scope === 'marketing' ? 0 : reason === 'unsubscribe' ? 1 : 2;

const isLonger = ({ expires_at: end }: SuppressionRow, { expires_at: other }: SuppressionRow): boolean =>
  other !== null && (end === null || end > other);

/** Whether the first suppression stops all mail that the second stops, and also stops more mail or lasts longer. */
function isStronger(first: SuppressionRow, second: SuppressionRow): boolean {
  if (isLonger(second, first)) return false;
  return (
    strengthOf(first) > strengthOf(second) || (strengthOf(first) === strengthOf(second) && isLonger(first, second))
  );
}

/** Whether the new suppression is a pause after soft bounces, and the existing one stops more mail, though perhaps for a shorter time. */
const isWeakerPause = (before: SuppressionRow, added: SuppressionRow): boolean =>
  added.reason === 'soft_bounces' && strengthOf(before) > strengthOf(added);

/** Merges suppressions: an API call replaces the existing one, a report never weakens it, and a complaint can only be extended. */
function mergeSuppressions(before: SuppressionRow, added: SuppressionRow, replaces: boolean): SuppressionRow {
  if (before.reason !== 'complaint')
    return !replaces && (isStronger(before, added) || isWeakerPause(before, added))
      ? before
      : { ...added, created_at: before.created_at };
  return {
    ...before,
    scope: before.scope === 'all' ? 'all' : added.scope,
    expires_at: latest(before.expires_at, added.expires_at),
  };
}

/** Whether an unsubscribe with this scope stops mail of this category. */
const stopsCategory = (unsubscribeScope: UnsubscribeScope, category: MailCategory): boolean =>
  category === 'marketing' ||
  unsubscribeScope === 'all' ||
  (unsubscribeScope === 'all_but_system' && category === 'transactional');

/** Creates the service. It has no state. */
export const createSuppressionsService = (): SuppressionsService => ({
  async check(handle, workspace, { email, category, bypass, now }) {
    return this.decide(await this.find(handle, email, now), workspace, { category, bypass });
  },

  async find(handle, email, now) {
    const row = await findSuppression(handle, normaliseAddress(email));
    return row === undefined || isOver(row, now) ? undefined : row;
  },

  async findAmong(handle, emails, now) {
    const rowsByEmail = await findSuppressions(handle, emails.map(normaliseAddress));
    return new Map([...rowsByEmail].filter(([, row]) => !isOver(row, now)));
  },

  decide(row, workspace, { category, bypass }) {
    if (row === undefined || (row.reason !== 'complaint' && bypass)) return undefined;
    const isStopped =
      row.reason === 'unsubscribe'
        ? stopsCategory(
            this.unsubscribeScopeOf(workspace, row.scope === 'marketing' ? 'marketing' : 'transactional'),
            category,
          )
        : stopsCategory(row.scope, category);
    if (!isStopped) return undefined;
    return { reason: row.reason, since: row.created_at, sendId: row.send_id };
  },

  async suppressedAmong(handle, emails, now) {
    return new Set(await listSuppressed(handle, emails, now));
  },

  unsubscribeScopeOf({ settings: { unsubscribeScope } }, category) {
    return unsubscribeScope ?? (category === 'marketing' ? 'marketing' : 'all_but_system');
  },

  async add(ctx, added) {
    const email = normaliseAddress(added.email);
    const row: SuppressionRow = {
      email,
      reason: added.reason,
      scope: added.scope ?? 'all',
      send_id: added.sendId ?? null,
      note: added.note ?? null,
      created_at: ctx.now,
      expires_at: added.expiresAt ?? null,
    };
    const before = await findSuppression(ctx.trx, email);
    if (before === undefined) return rows.insert(ctx.trx, row);
    const next = isOver(before, ctx.now) ? row : mergeSuppressions(before, row, added.mayWeaken ?? false);
    // If the person was erased, no note is stored: it might contain their address.
    const note = before.email === email ? next.note : null;
    await rows.update(ctx.trx, before.email, { ...next, email: before.email, note });
    return { ...next, email };
  },

  async unsubscribe(ctx, { email, category, sendId }) {
    const scope = this.unsubscribeScopeOf(ctx.workspace, category) === 'marketing' ? 'marketing' : 'all';
    return this.add(ctx, { email, reason: 'unsubscribe', scope, ...(sendId === undefined ? {} : { sendId }) });
  },

  resubscribe: ({ trx }, email) => liftUnsubscribe(trx, normaliseAddress(email)),
});
