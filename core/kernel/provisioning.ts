// Typed calls for the embedding program that the API does not offer: workspaces and keys. Audited like operations.
import { coreErrors } from '../contract/core-errors.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { Preset } from '../contract/scopes.ts';
import type { PlanFigures, PlanName, Workspace, WorkspaceSettings } from '../contract/workspace.ts';
import { createApiKey } from '../pipeline/api-key.ts';
import type { Core } from '../pipeline/core.ts';
import { grantCredits } from '../pipeline/credits.ts';
import { defaultPlan } from '../pipeline/plans.ts';
import { findWorkspace, listWorkspaces, readFigures, storedSettings, toWorkspace } from '../pipeline/workspaces.ts';
import type { ApiKeyRow, WorkspaceRow } from '../storage/core-tables.ts';
import { unscoped } from '../storage/scope.ts';
import { canonicalDomains, checkKey, checkWorkspace } from './provisioning-input.ts';
import { removeWorkspace } from './workspace-removal.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** A new workspace. */
export interface NewWorkspace {
  readonly name: string;
  /** Unmetered with every feature, unless you name another. (Default: embedded) */
  readonly plan?: PlanName;
  /** Figures of this workspace in place of its plan's, such as `{ monthlySendBudget: 5_000 }`. (Default: none) */
  readonly figures?: PlanFigures;
  readonly defaultFrom: { readonly email: string; readonly name: string };
  /** Domains that may stand in From beside that of `defaultFrom`. (Default: none) */
  readonly sendingDomains?: readonly string[];
  readonly settings?: WorkspaceSettings;
  /** Credits that do not expire with the month. (Default: 0) */
  readonly credits?: number;
}

/** Changes of a workspace; missing fields stay as they are. */
export interface WorkspaceChanges extends Partial<Omit<NewWorkspace, 'credits' | 'figures'>> {
  /** Figures to set beside those that are set; null removes them all, so that the plan's own count. */
  readonly figures?: PlanFigures | null;
  /** Credits to add. */
  readonly grantCredits?: number;
}

/** A new key. Give scopes or a preset. */
export interface NewKey {
  readonly workspaceId: string;
  readonly name: string;
  /** (Default: live) */
  readonly mode?: 'live' | 'test' | 'mcp';
  /** For mcp keys: makes a sandbox key. Test keys always are. (Default: false) */
  readonly sandbox?: boolean;
  readonly preset?: Preset;
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
  /** The person who installs it, for the audit. */
  readonly createdBy?: string;
}

/** The issued key; the only answer that contains its secret. */
export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
  readonly prefix: string;
  readonly mode: 'live' | 'test' | 'mcp';
  readonly sandbox: boolean;
  readonly scopes: readonly string[];
}

/** `service.workspaces`. */
export interface WorkspaceProvisioning {
  create(workspace: NewWorkspace): Promise<Workspace>;
  read(id: string): Promise<Workspace>;
  /** All workspaces, oldest first, a page at a time. `limit` is 1 to 500. (Default: 100) */
  list(page?: { readonly limit?: number; readonly after?: string }): Promise<readonly Workspace[]>;
  update(id: string, changes: WorkspaceChanges): Promise<Workspace>;
  /** Reads still work; everything else is refused with workspace_suspended. */
  suspend(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  /**
   * Suspends the workspace, then deletes it with all rows of every composed plugin, its audit too. Cannot be undone.
   */
  delete(id: string): Promise<void>;
}

/** `service.keys`. */
export interface KeyProvisioning {
  create(key: NewKey): Promise<IssuedKey>;
  /** Takes effect with the next call, in every process. A repeated call is harmless. @throws key_not_found */
  revoke(workspaceId: string, keyId: string): Promise<void>;
  /** Gives a key made from a preset the preset's present scopes and answers them. @throws key_not_found */
  refreshPreset(workspaceId: string, keyId: string): Promise<readonly string[]>;
}

/** Workspaces, as the embedding program makes them. */
export function createWorkspaceProvisioning(core: Core): WorkspaceProvisioning {
  const setSuspended = async (id: string, suspend: boolean) => {
    const workspace = await readWorkspace(core, id);
    await inWorkspace(core, workspace, async (effects) => {
      await effects.trx.db
        .updateTable('workspaces')
        .set({ suspended_at: suspend ? effects.now : null })
        .where('id', '=', id)
        .execute();
      effects.audit(suspend ? 'workspace.suspend' : 'workspace.resume', { kind: 'workspace', id: id });
    });
  };
  return {
    async create(given) {
      checkWorkspace(given, core.plans);
      const row: WorkspaceRow = {
        id: core.ports.ids.create('ws'),
        name: given.name,
        plan: given.plan ?? defaultPlan,
        default_from: JSON.stringify({ email: given.defaultFrom.email, name: given.defaultFrom.name }),
        sending_domains: JSON.stringify(canonicalDomains(given.sendingDomains ?? [])),
        settings: storedSettings(given.settings ?? {}, given.figures),
        suspended_at: null,
        created_at: core.ports.now(),
      };
      const workspace = toWorkspace(row, core.plans);
      await inWorkspace(core, workspace, async (effects) => {
        await effects.trx.db.insertInto('workspaces').values(row).execute();
        if (given.credits !== undefined) {
          await grantCredits(effects.trx, given.credits, { ...effects, reason: 'granted at creation' });
        }
        for (const plugin of core.registry.plugins) await plugin.workspaceCreated?.(effects, core);
        effects.audit('workspace.create', { kind: 'workspace', id: row.id });
      });
      return workspace;
    },
    read: (id) => readWorkspace(core, id),
    async list({ limit = 100, after } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > 500)
        throw coreErrors.validation_failed({ summary: 'limit: a whole number from 1 to 500.' });
      const database = await core.database();
      return database.read(unscoped('the program sees every workspace'), (handle) =>
        listWorkspaces(handle, core.plans, { limit, after }),
      );
    },
    async update(id, changes) {
      const workspace = await readWorkspace(core, id);
      const { grantCredits: credits, ...rest } = changes;
      checkWorkspace({ ...rest, credits }, core.plans);
      const { defaultFrom } = changes;
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
      await inWorkspace(core, workspace, async (effects) => {
        if (changes.settings !== undefined || changes.figures !== undefined) {
          // Merged with what is stored now, not with what was at the start of the call.
          const present = (await findWorkspace(effects.trx, core.plans))?.settings;
          const figures =
            changes.figures === null ? undefined : { ...(await readFigures(effects.trx)), ...changes.figures };
          set.settings = storedSettings({ ...present, ...changes.settings }, figures);
        }
        if (Object.keys(set).length > 0)
          await effects.trx.db.updateTable('workspaces').set(set).where('id', '=', id).execute();
        if (credits !== undefined) {
          await grantCredits(effects.trx, credits, { ...effects, reason: 'granted' });
        }
        effects.audit('workspace.update', { kind: 'workspace', id: id });
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

function scopesOf(core: Core, given: NewKey): string[] {
  if (given.preset !== undefined && given.scopes === undefined) return core.registry.scopes.preset(given.preset);
  const scopes = [...new Set(given.scopes ?? [])];
  const unknown = scopes.filter((scope) => !core.registry.scopes.has(scope));
  if (unknown.length > 0)
    throw coreErrors.validation_failed({
      summary: `Unknown scopes: ${unknown.join(', ')}. Composed plugins declare ${core.registry.scopes.preset('full').join(', ')}.`,
    });
  if (scopes.length === 0) throw coreErrors.validation_failed({ summary: 'A key needs scopes or a preset.' });
  return scopes;
}

async function readKey(handle: WorkspaceHandle, id: string): Promise<Pick<ApiKeyRow, 'preset' | 'revoked_at'>> {
  const row = await handle.db
    .selectFrom('api_keys')
    .select(['preset', 'revoked_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw coreErrors.key_not_found({ id });
  return row;
}

/** Keys, as the embedding program issues them. */
export function createKeyProvisioning(core: Core): KeyProvisioning {
  return {
    async create(given) {
      checkKey(given);
      const workspace = await readWorkspace(core, given.workspaceId);
      const mode = given.mode ?? 'live';
      const sandbox = mode === 'test' || (mode === 'mcp' && given.sandbox === true);
      const scopes = scopesOf(core, given);
      const { secret, prefix, hash } = createApiKey(core.ports.service.slug, mode, core.randomness);
      const id = core.ports.ids.create('key');
      await inWorkspace(core, workspace, async (effects) => {
        await effects.trx.db
          .insertInto('api_keys')
          .values({
            id,
            workspace_id: workspace.id,
            name: given.name,
            mode,
            sandbox: sandbox ? 1 : 0,
            prefix,
            secret_hash: hash,
            scopes: JSON.stringify(scopes),
            preset: given.scopes === undefined ? (given.preset ?? null) : null,
            created_by: given.createdBy ?? null,
            created_at: effects.now,
            last_used_at: null,
            expires_at: given.expiresAt?.getTime() ?? null,
            revoked_at: null,
          })
          .execute();
        effects.audit('key.create', { kind: 'key', id: id });
      });
      return { id, secret, prefix, mode, sandbox, scopes };
    },
    async revoke(workspaceId, keyId) {
      const workspace = await readWorkspace(core, workspaceId);
      await inWorkspace(core, workspace, async (effects) => {
        const { revoked_at: before } = await readKey(effects.trx, keyId);
        if (before !== null) return;
        await effects.trx.db.updateTable('api_keys').set({ revoked_at: effects.now }).where('id', '=', keyId).execute();
        effects.audit('key.revoke', { kind: 'key', id: keyId });
      });
    },
    async refreshPreset(workspaceId, keyId) {
      const workspace = await readWorkspace(core, workspaceId);
      return inWorkspace(core, workspace, async (effects) => {
        const { preset } = await readKey(effects.trx, keyId);
        if (preset === null) {
          throw coreErrors.state_conflict({ reason: `The key ${keyId} was not made from a preset.` });
        }
        const scopes = core.registry.scopes.preset(preset as Preset);
        await effects.trx.db
          .updateTable('api_keys')
          .set({ scopes: JSON.stringify(scopes) })
          .where('id', '=', keyId)
          .execute();
        effects.audit('key.refresh_preset', { kind: 'key', id: keyId });
        return scopes;
      });
    },
  };
}
