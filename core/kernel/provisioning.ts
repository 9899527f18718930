// Typed calls for the embedding program that the API does not offer: workspaces and keys. Audited like operations.
import type { OpenTransaction } from '../contract/context/api.ts';
import type { TransactionContext } from '../contract/context/context.ts';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { PlanLimits, PlanName, Workspace, WorkspaceSettings } from '../contract/context/workspace.ts';
import type { Preset } from '../contract/declaration/scopes.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { suggestionFor } from '../contract/errors/suggestion.ts';
import type { Leash } from '../contract/values/leash.ts';
import { createApiKey } from '../pipeline/api-key.ts';
import { moveContentHost } from '../pipeline/content-hosts.ts';
import type { Core } from '../pipeline/core.ts';
import { grantCredits } from '../pipeline/credits.ts';
import { defaultPlan } from '../pipeline/plans.ts';
import {
  findWorkspace,
  listWorkspaces,
  lockWorkspace,
  readPlanLimits,
  storedSettings,
  toWorkspace,
} from '../pipeline/workspaces.ts';
import type { ApiKeyRow, WorkspaceRow } from '../storage/core-tables.ts';
import { unscoped } from '../storage/scope.ts';
import { checkOptions, transactionSynonyms } from './call-options.ts';
import { checkedContentHost } from './content-host.ts';
import { byRequirement } from './lifecycle.ts';
import { joinProgramTransaction, readInProgramTransaction } from './program-transaction.ts';
import {
  canonicalDomains,
  checkedLeash,
  checkKey,
  checkPage,
  checkRevocation,
  checkWorkspace,
  workspaceSchemas,
} from './provisioning-input.ts';
import { removeWorkspace } from './workspace-removal.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** A new workspace. */
export interface NewWorkspace {
  readonly name: string;
  /** Unmetered with every feature, unless you name another plan. (Default: embedded) */
  readonly plan?: PlanName;
  /** Limits of this workspace instead of its plan's limits, such as `{ monthlyCredits: 5_000 }`. (Default: none) */
  readonly figures?: PlanLimits;
  readonly defaultFrom: { readonly email: string; readonly name: string };
  /** Domains that are allowed in From in addition to the domain of `defaultFrom`. (Default: none) */
  readonly sendingDomains?: readonly string[];
  readonly settings?: WorkspaceSettings;
  /** Credits that do not expire with the month. (Default: 0) */
  readonly credits?: number;
}

/** Changes of a workspace; missing fields stay as they are. */
export interface WorkspaceChanges extends Partial<Omit<NewWorkspace, 'credits' | 'figures'>> {
  /** Limits to set; limits that were set before stay. null removes all of them, so that the plan's limits apply. */
  readonly figures?: PlanLimits | null;
  /**
   * The host of the workspace's public pages and forms, such as news.example.com; null for none. The program routes it
   * to the root of the service. With a path, such as www.example.com/news, the pages are below this path of a site: its
   * server passes these requests on without the path. No other workspace may have the host.
   */
  readonly contentHost?: string | null;
  /** Credits to add. */
  readonly grantCredits?: number;
}

/** A new key: with the scopes of a preset, or with scopes of its own. */
export type NewKey = NewKeyFields & NewKeyScopes;

/** The scopes of a new key: the scopes of a preset, or a list. */
export type NewKeyScopes =
  | { readonly preset: Preset; readonly scopes?: never }
  | { readonly scopes: readonly string[]; readonly preset?: never };

/** The fields of every new key, whatever its scopes. */
export interface NewKeyFields {
  readonly workspaceId: string;
  readonly name: string;
  /** (Default: live) */
  readonly mode?: 'live' | 'test' | 'mcp';
  /** For mcp keys: makes a sandbox key. Test keys are always sandbox keys. (Default: false) */
  readonly sandbox?: boolean;
  readonly expiresAt?: Date;
  /** The person who installs the key, for the audit. */
  readonly createdBy?: string;
  /**
   * The uids of the members in whose names the key may ask for decisions and decide on them, 50 at most. If there is only one,
   * the key acts as that member by default. A key without members can ask but not decide. (Default: none)
   */
  readonly members?: readonly string[];
  /** For mcp keys: the limits of an agent that uses the key. (Default: no limits) */
  readonly leash?: Leash | null;
}

/** The issued key; the only result that contains its secret. */
export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
  readonly prefix: string;
  readonly mode: 'live' | 'test' | 'mcp';
  readonly sandbox: boolean;
  readonly scopes: readonly string[];
  readonly members: readonly string[];
  /** Null for no limits. */
  readonly leash: Leash | null;
}

/** `service.workspaces`. */
export interface WorkspaceProvisioning {
  /**
   * Makes another workspace with each call. With `trx`, the workspace is made in that transaction of the program: calls with
   * the same `trx` can use it at once, and a rollback removes it.
   */
  create(workspace: NewWorkspace, options?: { readonly trx?: OpenTransaction }): Promise<Workspace>;
  read(id: string): Promise<Workspace>;
  /** All workspaces, oldest first, a page at a time. `limit` is 1 to 500. (Default: 100) */
  list(page?: { readonly limit?: number; readonly after?: string }): Promise<readonly Workspace[]>;
  update(id: string, changes: WorkspaceChanges): Promise<Workspace>;
  /** Reads still work; everything else is refused with workspace_suspended. */
  suspend(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  /** Suspends the workspace, then deletes it with all rows of every composed plugin, including its audit. Cannot be undone. */
  delete(id: string): Promise<void>;
}

/** Why a key is revoked. */
export interface RevokeOptions {
  /**
   * Whether a stranger may have the secret. If true, the content that the key published is paused, and its pending requests are
   * withdrawn. (Default: false)
   */
  readonly compromised?: boolean;
}

/** `service.keys`. */
export interface KeyProvisioning {
  create(key: NewKey): Promise<IssuedKey>;
  /**
   * Takes effect with the next call, in every process. A repeated call is harmless. Content that the key published stays active,
   * because keys are rotated. With `compromised`, it is paused, because the stranger with the secret may have published it, and
   * the key's pending requests for a decision are withdrawn.
   * @throws key_not_found
   */
  revoke(workspaceId: string, keyId: string, options?: RevokeOptions): Promise<void>;
  /** Gives a key that was made from a preset the preset's present scopes. Returns them. @throws key_not_found */
  refreshPreset(workspaceId: string, keyId: string): Promise<readonly string[]>;
  /**
   * Gives a key of mode mcp another leash, or null for no limits. Takes effect with the next call. Amounts that the key has used
   * up still count. Returns the leash. @throws key_not_found, state_conflict for a key of another mode
   */
  setLeash(workspaceId: string, keyId: string, leash: Leash | null): Promise<Leash | null>;
}

const createWorkspaceOptions = {
  argument: 'The second argument',
  names: { trx: true } as const,
  synonyms: transactionSynonyms,
};

/** The workspace calls of the embedding program. */
export function createWorkspaceProvisioning(core: Core): WorkspaceProvisioning {
  const schemas = workspaceSchemas(core.plans, core.registry.workspaceSettings);
  const setSuspended = async (id: string, suspend: boolean) => {
    const workspace = await readWorkspace(core, id);
    await inWorkspace(core, workspace, async (ctx) => {
      await ctx.trx.db
        .updateTable('workspaces')
        .set({ suspended_at: suspend ? ctx.now : null })
        .where('id', '=', id)
        .execute();
      ctx.audit(suspend ? 'workspace.suspend' : 'workspace.resume', { kind: 'workspace', id: id });
    });
  };
  return {
    async create(input, options = {}) {
      checkOptions(createWorkspaceOptions, options);
      checkWorkspace(schemas.created, input, core.registry.planLimits);
      const row: WorkspaceRow = {
        id: core.ports.ids.create('ws'),
        name: input.name,
        plan: input.plan ?? defaultPlan,
        default_from: JSON.stringify({ email: input.defaultFrom.email, name: input.defaultFrom.name }),
        sending_domains: JSON.stringify(canonicalDomains(input.sendingDomains ?? [])),
        settings: storedSettings(input.settings ?? {}, { figures: input.figures }),
        suspended_at: null,
        created_at: core.ports.now(),
      };
      const workspace = toWorkspace(row, core.plans);
      const insert = async (ctx: TransactionContext) => {
        await ctx.trx.db.insertInto('workspaces').values(row).execute();
        await ctx.trx.db.insertInto('budget_locks').values({ workspace_id: row.id, seen: '{}' }).execute();
        if (input.credits !== undefined) {
          await grantCredits(ctx.trx, input.credits, { ...ctx, reason: 'granted at creation' });
        }
        const { ordered } = byRequirement(core.registry.plugins);
        for (const plugin of ordered) await plugin.workspaceCreated?.(ctx);
        ctx.audit('workspace.create', { kind: 'workspace', id: row.id });
      };
      const database = await core.database();
      const programTransaction = joinProgramTransaction(database, options);
      if (programTransaction !== undefined) await readInProgramTransaction(core, database, programTransaction, row.id);
      await inWorkspace(core, workspace, insert, { programTransaction });
      return workspace;
    },
    read: (id) => readWorkspace(core, id),
    async list(page = {}) {
      checkPage(page);
      const { limit = 100, after } = page;
      const database = await core.database();
      return database.read(unscoped('the program lists every workspace'), (handle) =>
        listWorkspaces(handle, core.plans, { limit, after }),
      );
    },
    async update(id, changes) {
      const workspace = await readWorkspace(core, id);
      checkWorkspace(schemas.changed, changes, core.registry.planLimits);
      const contentHost = await checkedContentHost(core, id, changes.contentHost);
      const { defaultFrom, grantCredits: credits } = changes;
      const set: Partial<WorkspaceRow> = {
        ...(changes.name === undefined ? {} : { name: changes.name }),
        ...(changes.plan === undefined ? {} : { plan: changes.plan }),
        ...(defaultFrom === undefined
          ? {}
          : { default_from: JSON.stringify({ email: defaultFrom.email, name: defaultFrom.name }) }),
        ...(changes.sendingDomains === undefined
          ? {}
          : { sending_domains: JSON.stringify(canonicalDomains(changes.sendingDomains)) }),
      };
      await inWorkspace(core, workspace, async (ctx) => {
        if (changes.settings !== undefined || changes.figures !== undefined || contentHost !== undefined) {
          if (contentHost !== undefined) await lockWorkspace(ctx.trx);
          // Merged with the settings that are stored now, not with those from the start of the call.
          const current = await findWorkspace(ctx.trx, core.plans);
          const currentSettings = current?.settings;
          const host = contentHost === undefined ? current?.contentHost : (contentHost ?? undefined);
          if (contentHost !== undefined) await moveContentHost(ctx, contentHost);
          const figures =
            changes.figures === null ? undefined : { ...(await readPlanLimits(ctx.trx)), ...changes.figures };
          set.settings = storedSettings({ ...currentSettings, ...changes.settings }, { figures, contentHost: host });
        }
        if (Object.keys(set).length > 0)
          await ctx.trx.db.updateTable('workspaces').set(set).where('id', '=', id).execute();
        if (credits !== undefined) {
          await grantCredits(ctx.trx, credits, { ...ctx, reason: 'granted' });
        }
        ctx.audit('workspace.update', { kind: 'workspace', id: id });
      });
      return readWorkspace(core, id);
    },
    suspend: (id) => setSuspended(id, true),
    resume: (id) => setSuspended(id, false),
    async delete(id) {
      await setSuspended(id, true);
      await removeWorkspace(core, id);
    },
  };
}

function scopesOf(core: Core, input: NewKey): string[] {
  if (input.preset !== undefined) return core.registry.scopes.preset(input.preset);
  const scopes = [...new Set(input.scopes)];
  const unknownScopes = scopes.filter((scope) => !core.registry.scopes.has(scope));
  if (unknownScopes.length > 0) {
    const declared = core.registry.scopes.preset('full');
    const similarScopes = [...new Set(unknownScopes.flatMap((scope) => suggestionFor(scope, declared) ?? []))];
    const hint = similarScopes.length > 0 ? ` Did you mean ${similarScopes.join(', ')}?` : '';
    const message = `Unknown scopes: ${unknownScopes.join(', ')}.${hint} Composed plugins declare ${declared.join(', ')}.`;
    throw coreErrors.validation_failed(
      { summary: message },
      { details: [{ path: 'scopes', code: 'unknown_scope', message }] },
    );
  }
  return scopes;
}

async function readKey(
  handle: WorkspaceHandle,
  id: string,
): Promise<Pick<ApiKeyRow, 'mode' | 'preset' | 'revoked_at'>> {
  const row = await handle.db
    .selectFrom('api_keys')
    .select(['mode', 'preset', 'revoked_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw coreErrors.key_not_found({ id });
  return row;
}

/** The key calls of the embedding program. */
export function createKeyProvisioning(core: Core): KeyProvisioning {
  return {
    async create(input) {
      checkKey(input);
      const leash = input.leash === undefined ? null : checkedLeash(input.leash, core.registry.tools.keys(), 'leash');
      const workspace = await readWorkspace(core, input.workspaceId);
      const mode = input.mode ?? 'live';
      const sandbox = mode === 'test' || (mode === 'mcp' && input.sandbox === true);
      const scopes = scopesOf(core, input);
      const { secret, prefix, hash } = createApiKey(core.ports.service.slug, mode, core.randomness);
      const id = core.ports.ids.create('key');
      const members = [...new Set(input.members ?? [])];
      await inWorkspace(core, workspace, async (ctx) => {
        await ctx.trx.db
          .insertInto('api_keys')
          .values({
            id,
            workspace_id: workspace.id,
            name: input.name,
            mode,
            sandbox: sandbox ? 1 : 0,
            prefix,
            secret_hash: hash,
            scopes: JSON.stringify(scopes),
            preset: input.preset ?? null,
            members: members.length === 0 ? null : JSON.stringify(members),
            leash: leash === null ? null : JSON.stringify(leash),
            leash_counter: null,
            created_by: input.createdBy ?? null,
            created_at: ctx.now,
            last_used_at: null,
            expires_at: input.expiresAt?.getTime() ?? null,
            revoked_at: null,
          })
          .execute();
        ctx.audit('key.create', { kind: 'key', id: id });
      });
      return { id, secret, prefix, mode, sandbox, scopes, members, leash };
    },
    async revoke(workspaceId, keyId, options = {}) {
      checkRevocation(options);
      const { compromised = false } = options;
      const workspace = await readWorkspace(core, workspaceId);
      await inWorkspace(core, workspace, async (ctx) => {
        const { revoked_at: revokedBefore } = await readKey(ctx.trx, keyId);
        if (revokedBefore === null) {
          const revoked = { revoked_at: ctx.now };
          await ctx.trx.db.updateTable('api_keys').set(revoked).where('id', '=', keyId).execute();
          ctx.audit('key.revoke', { kind: 'key', id: keyId }, compromised ? { compromised } : {});
        }
        // Done for a key that was revoked before, too: its leak may become known only after its revocation.
        if (compromised) for (const plugin of core.registry.plugins) await plugin.keyCompromised?.(ctx, keyId);
      });
    },
    async refreshPreset(workspaceId, keyId) {
      const workspace = await readWorkspace(core, workspaceId);
      return inWorkspace(core, workspace, async (ctx) => {
        const { preset } = await readKey(ctx.trx, keyId);
        if (preset === null) {
          throw coreErrors.state_conflict({ reason: `The key ${keyId} was not made from a preset.` });
        }
        const scopes = core.registry.scopes.preset(preset as Preset);
        await ctx.trx.db
          .updateTable('api_keys')
          .set({ scopes: JSON.stringify(scopes) })
          .where('id', '=', keyId)
          .execute();
        ctx.audit('key.refresh_preset', { kind: 'key', id: keyId });
        return scopes;
      });
    },
    async setLeash(workspaceId, keyId, input) {
      const leash = checkedLeash(input, core.registry.tools.keys(), 'leash');
      const workspace = await readWorkspace(core, workspaceId);
      await inWorkspace(core, workspace, async (ctx) => {
        const { mode } = await readKey(ctx.trx, keyId);
        if (mode !== 'mcp')
          throw coreErrors.state_conflict({
            reason: `The key ${keyId} has the mode ${mode}. Only keys of mode mcp have a leash.`,
          });
        const stored = { leash: leash === null ? null : JSON.stringify(leash) };
        await ctx.trx.db.updateTable('api_keys').set(stored).where('id', '=', keyId).execute();
        ctx.audit('key.set_leash', { kind: 'key', id: keyId }, leash === null ? {} : { leash: stored.leash ?? '' });
      });
      return leash;
    },
  };
}
