// The first two steps of every call: authentication and rate limits. Used by REST and the tool endpoint.
import { isIP } from 'node:net';
import { coreErrors } from '../contract/core-errors.ts';
import { defineStatement } from '../contract/handle.ts';
import type { LimitDecision } from '../contract/ports/limits.ts';
import type { Actor, Workspace } from '../contract/workspace.ts';
import { unscoped } from '../storage/scope.ts';
import { parseApiKey, parseBearer } from './api-key.ts';
import type { Core } from './core.ts';
import { askLimitStore } from './limit-store.ts';
import type { ScopeRegistry } from './scopes.ts';
import { workspaceOfCall } from './workspaces.ts';

/** An authenticated caller within its rate limits. */
export interface Admission {
  readonly workspace: Workspace;
  readonly actor: Actor;
  /** Undefined for the embedding program, which has every scope. */
  readonly scopes: ReadonlySet<string> | undefined;
  readonly sandbox: boolean;
  /** X-RateLimit-* of this request; empty for in-process calls. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The data of a request that an interface (REST, MCP) has before it reads the body. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly kind: 'api' | 'mcp';
  readonly address: string | undefined;
  /** The MCP client's name and version, or the User-Agent. */
  readonly client: string | undefined;
}

const keyByHash = defineStatement((db, p: { hash: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select([
      'api_keys.id as key_id',
      'api_keys.sandbox as key_sandbox',
      'api_keys.mode as key_mode',
      'api_keys.scopes as key_scopes',
      'api_keys.created_by as key_created_by',
      'api_keys.members as key_members',
      'api_keys.expires_at as key_expires_at',
      'api_keys.revoked_at as key_revoked_at',
      'workspaces.id as id',
      'workspaces.name as name',
      'workspaces.plan as plan',
      'workspaces.default_from as default_from',
      'workspaces.sending_domains as sending_domains',
      'workspaces.settings as settings',
      'workspaces.suspended_at as suspended_at',
      'workspaces.created_at as created_at',
    ])
    .where('api_keys.secret_hash', '=', p.hash),
);

interface KeyHolder extends Omit<Admission, 'headers'> {
  readonly keyId: string;
}

const expanded = new WeakMap<ScopeRegistry, Map<string, ReadonlySet<string>>>();

/** The scopes of a key by their stored text, with all scopes that they imply. The result for a text never changes, so it is cached. */
export function heldScopes(registry: ScopeRegistry, scopes: string): ReadonlySet<string> {
  const known = expanded.get(registry) ?? new Map<string, ReadonlySet<string>>();
  expanded.set(registry, known);
  let held = known.get(scopes);
  if (held === undefined) {
    held = registry.expand(JSON.parse(scopes) as string[]);
    if (known.size > 1_000) known.clear();
    known.set(scopes, held);
  }
  return held;
}

/** Removes characters that a header cannot carry: a brand may contain them. */
const realmOf = (name: string): string => name.replace(/[^ -~]|["\\]/g, '');

async function authenticate(core: Core, credentials: Credentials, now: number): Promise<KeyHolder> {
  const refusal = (fault: 'missing' | 'malformed' | 'unknown'): never => {
    const headers = { 'WWW-Authenticate': `Bearer realm="${realmOf(core.ports.service.name)}"` };
    throw coreErrors.invalid_api_key({ fault }, { headers });
  };
  const { authorization } = credentials;
  if (authorization === undefined || authorization === '') return refusal('missing');
  const text = parseBearer(authorization);
  const parsed = text === undefined ? undefined : parseApiKey(core.ports.service.slug, text);
  if (parsed === undefined) return refusal('malformed');
  const database = await core.database();
  const row = await database.read(unscoped('the key says which workspace calls'), (handle) =>
    handle.one(keyByHash, { hash: parsed.hash }),
  );
  if (row === undefined || row.key_revoked_at !== null) return refusal('unknown');
  if (row.key_expires_at !== null && row.key_expires_at <= now) return refusal('unknown');
  const workspace = workspaceOfCall(row, core.plans);
  core.keyUsage.touch(row.key_id, row.id, now);
  const actor: Actor = {
    kind: credentials.kind,
    keyId: row.key_id,
    keyMode: row.key_mode,
    // A program that trusts all proxy headers may pass any text: only a valid address is kept.
    ...(credentials.address === undefined || isIP(credentials.address) === 0 ? {} : { ip: credentials.address }),
    ...(credentials.client === undefined ? {} : { client: credentials.client.slice(0, 200) }),
    ...(credentials.kind === 'mcp' && row.key_created_by !== null ? { user: row.key_created_by } : {}),
    ...(row.key_members === null ? {} : { members: JSON.parse(row.key_members) as string[] }),
  };
  const sandbox = row.key_sandbox === 1 || workspace.plan.name === 'sandbox';
  return { workspace, actor, scopes: heldScopes(core.registry.scopes, row.key_scopes), sandbox, keyId: row.key_id };
}

const sandboxDecision = (now: number): LimitDecision => ({
  allowed: true,
  scope: 'key',
  limit: 60,
  remaining: 60,
  resetAt: now,
  retryAfterSeconds: 0,
});

const unlimited = (figure: number): string =>
  String(Number.isFinite(figure) ? Math.max(0, Math.floor(figure)) : Number.MAX_SAFE_INTEGER);

function rateHeaders(decision: LimitDecision): Record<string, string> {
  return {
    'X-RateLimit-Limit': unlimited(decision.limit),
    'X-RateLimit-Remaining': unlimited(decision.remaining),
    'X-RateLimit-Reset': new Date(Math.min(decision.resetAt, 8.64e15)).toISOString(),
    'X-RateLimit-Scope': decision.scope,
  };
}

async function decide(core: Core, holder: KeyHolder, now: number): Promise<LimitDecision> {
  if (holder.sandbox) return sandboxDecision(now);
  const { keyRate, keyBurst, workspacePerMinute } = holder.workspace.plan;
  const figures = { keyRate, keyBurst, workspacePerMinute };
  const decision = await askLimitStore(core, () => core.limits.take(holder.keyId, holder.workspace.id, figures, now));
  return decision ?? sandboxDecision(now);
}

/** Authenticates and counts one request. @throws invalid_api_key, key_rate_limit, workspace_rate_limit */
export async function admit(core: Core, credentials: Credentials): Promise<Admission> {
  const now = core.ports.now();
  const holder = await authenticate(core, credentials, now);
  const decision = await decide(core, holder, now);
  const headers = rateHeaders(decision);
  if (!decision.allowed) {
    const extras = { retryAfterSeconds: decision.retryAfterSeconds, headers };
    const { name: plan, keyRate: rate, keyBurst: burst, workspacePerMinute: perMinute } = holder.workspace.plan;
    const seconds = Math.max(1, Math.ceil(decision.retryAfterSeconds));
    throw decision.scope === 'key'
      ? coreErrors.key_rate_limit({ plan, rate, burst, seconds }, extras)
      : coreErrors.workspace_rate_limit({ plan, perMinute, seconds }, extras);
  }
  return { ...holder, headers };
}
