// Rows of workspaces as the pipeline reads them. Called by authentication, jobs and in-process calls.

import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { Plan, PlanLimits, Plans, Workspace, WorkspaceSettings } from '../contract/context/workspace.ts';
import { parseAddress } from '../contract/values/addresses.ts';
import type { WorkspaceRow } from '../storage/core-tables.ts';

/** The JSON of the column `settings`: the workspace's settings, its own limits, and its content host. */
type StoredSettings = WorkspaceSettings & {
  readonly figures?: Readonly<Record<string, number | boolean | null>>;
  readonly contentHost?: string;
};

/** JSON has no Infinity: an unlimited limit is stored as null. */
export function storedSettings(
  settings: WorkspaceSettings,
  { figures, contentHost }: { readonly figures?: PlanLimits | undefined; readonly contentHost?: string | undefined },
): string {
  const stored = {
    ...settings,
    ...(figures === undefined ? {} : { figures }),
    ...(contentHost === undefined ? {} : { contentHost }),
  };
  return JSON.stringify(stored, (_name, value: unknown) => (value === Number.POSITIVE_INFINITY ? null : value));
}

/** The limits that this workspace has instead of its plan's limits. */
function figuresOf({ figures }: StoredSettings): PlanLimits | undefined {
  if (figures === undefined) return undefined;
  const entries = Object.entries(figures).map(([name, value]) => [name, value ?? Number.POSITIVE_INFINITY]);
  return Object.fromEntries(entries) as PlanLimits;
}

/** The plan with this name; the plan hobby if the configuration no longer has this plan. The workspace's own limits replace its limits. */
function planOf(name: string, figures: PlanLimits | undefined, plans: Plans): Plan {
  const plan = (Object.hasOwn(plans, name) ? plans[name] : undefined) ?? plans.hobby;
  return figures === undefined ? plan : { ...plan, ...figures };
}

/** Converts a row into a workspace. The domain of default_from is always a sending domain. */
export function toWorkspace(row: WorkspaceRow, plans: Plans): Workspace {
  const defaultFrom = JSON.parse(row.default_from) as { email: string; name: string };
  const domains = new Set(JSON.parse(row.sending_domains) as string[]);
  const defaultSender = parseAddress(defaultFrom.email);
  const stored = JSON.parse(row.settings) as StoredSettings;
  const { figures: _, contentHost, ...settings } = stored;
  if (defaultSender !== undefined) domains.add(defaultSender.domain);
  return {
    id: row.id,
    name: row.name,
    plan: planOf(row.plan, figuresOf(stored), plans),
    createdAt: row.created_at,
    defaultFrom,
    sendingDomains: [...domains],
    settings,
    ...(contentHost === undefined ? {} : { contentHost }),
    suspended: row.suspended_at !== null,
  };
}

/** A cache of workspaces, with the rows that they were made from. */
const cachedWorkspaces = new Map<
  string,
  { readonly row: WorkspaceRow; readonly plans: Plans; readonly workspace: Workspace }
>();
const maxCached = 1_000;

const isSameRow = (first: WorkspaceRow, second: WorkspaceRow): boolean =>
  first.settings === second.settings &&
  first.sending_domains === second.sending_domains &&
  first.default_from === second.default_from &&
  first.plan === second.plan &&
  first.name === second.name &&
  first.suspended_at === second.suspended_at &&
  first.created_at === second.created_at;

function freezeAll<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) freezeAll(member);
  return Object.freeze(value);
}

/** The same as `toWorkspace`, but cached until the row changes. Frozen, because calls share it. */
export function workspaceOfCall(row: WorkspaceRow, plans: Plans): Workspace {
  const cached = cachedWorkspaces.get(row.id);
  if (cached !== undefined && cached.plans === plans && isSameRow(cached.row, row)) return cached.workspace;
  const { plan, ...withoutPlan } = toWorkspace(row, plans);
  const workspace = Object.freeze({ ...freezeAll(withoutPlan), plan });
  if (cachedWorkspaces.size >= maxCached) cachedWorkspaces.clear();
  cachedWorkspaces.set(row.id, { row, plans, workspace });
  return workspace;
}

const byId = defineStatement((db, p: { workspace_id: string }) =>
  db.selectFrom('workspaces').selectAll().where('id', '=', p.workspace_id),
);

/** The workspace of the handle, or undefined. */
export async function findWorkspace(handle: WorkspaceHandle, plans: Plans): Promise<Workspace | undefined> {
  const row = await handle.one(byId, {});
  return row === undefined ? undefined : toWorkspace(row, plans);
}

/** The limits that the handle's workspace has instead of its plan's limits. */
export async function readPlanLimits(handle: WorkspaceHandle): Promise<PlanLimits | undefined> {
  const row = await handle.one(byId, {});
  return row === undefined ? undefined : figuresOf(JSON.parse(row.settings) as StoredSettings);
}

const lock = defineStatement((db, p: { workspace_id: string }) =>
  db
    .updateTable('workspaces')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', p.workspace_id),
);

/**
 * Blocks other transactions that lock the same workspace until this transaction ends. Used to check a limit on a number of
 * rows. Only rare changes of settings take this lock. In a transaction of the program, the lock lasts until that transaction
 * ends and delays only other such changes of the same workspace: calls that only read the workspace, charge or count do not
 * wait. Do not use it in an operation that runs often.
 */
export async function lockWorkspace(handle: WorkspaceHandle): Promise<void> {
  await handle.run(lock, {});
}

const domainsOf = defineStatement((db, p: { workspace_id: string }) =>
  db.selectFrom('workspaces').select('sending_domains').where('id', '=', p.workspace_id),
);

const setDomains = defineStatement((db, p: { workspace_id: string; domains: string }) =>
  db.updateTable('workspaces').set({ sending_domains: p.domains }).where('id', '=', p.workspace_id),
);

async function changeDomains(handle: WorkspaceHandle, change: (domains: Set<string>) => void): Promise<void> {
  await lockWorkspace(handle);
  const row = await handle.one(domainsOf, {});
  if (row === undefined) return;
  const domains = new Set(JSON.parse(row.sending_domains) as string[]);
  change(domains);
  await handle.run(setDomains, { domains: JSON.stringify([...domains]) });
}

/** Adds a normalised domain to the domains that may send mail. */
export const addSendingDomain = (handle: WorkspaceHandle, domain: string): Promise<void> =>
  changeDomains(handle, (domains) => domains.add(domain));

/** Removes a domain. The domain of the default sender stays. */
export const removeSendingDomain = (handle: WorkspaceHandle, domain: string): Promise<void> =>
  changeDomains(handle, (domains) => domains.delete(domain));

/** A page of all workspaces, oldest first; `after` is the last id of the previous page. The handle is not bound to a workspace. */
export async function listWorkspaces(
  handle: WorkspaceHandle,
  plans: Plans,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<Workspace[]> {
  let query = handle.db.selectFrom('workspaces').selectAll();
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map((row) => toWorkspace(row, plans));
}
