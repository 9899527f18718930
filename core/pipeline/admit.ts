// The first two steps of every call: authentication and rate limits. Used by REST and the MCP endpoint.
import { isIP } from 'node:net';
import { defineStatement } from '../contract/context/handle.ts';
import type { Actor, Workspace } from '../contract/context/workspace.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { HttpRequest } from '../contract/http/http.ts';
import type { LimitDecision } from '../contract/ports/limits.ts';
import type { Leash } from '../contract/values/leash.ts';
import { unscoped } from '../storage/scope.ts';
import { beginsLikeKey, parseApiKey, parseBearer } from './api-key.ts';
import { keyChallenge, toolChallenge } from './challenge.ts';
import type { Core } from './core.ts';
import { leashEnded, storedLeash } from './leash.ts';
import { takeFromLimitStore } from './limit-store.ts';
import type { ScopeRegistry } from './scopes.ts';
import { workspaceOfCall } from './workspaces.ts';

/** An authenticated caller within its rate limits. */
export interface Admission {
  readonly workspace: Workspace;
  readonly actor: Actor;
  /** Undefined for the embedding program, which has every scope. */
  readonly scopes: ReadonlySet<string> | undefined;
  readonly sandbox: boolean;
  /** The limits of the caller's key. (Default: no limits) */
  readonly leash?: Leash | undefined;
  /** The id of the counter of the leash. (Default: the id of the caller's key) */
  readonly leashCounter?: string | undefined;
  /** Whether the caller has a token of an OAuth grant and not the secret of a key. (Default: false) */
  readonly byToken?: boolean;
  /** X-RateLimit-* of this request; empty for in-process calls. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The data of a request that an interface (REST, MCP) has before it reads the body. */
export interface Credentials {
  readonly request: HttpRequest;
  readonly kind: 'api' | 'mcp';
}

/** The columns of a key and its workspace. */
const keyColumns = [
  'api_keys.id as key_id',
  'api_keys.sandbox as key_sandbox',
  'api_keys.mode as key_mode',
  'api_keys.scopes as key_scopes',
  'api_keys.created_by as key_created_by',
  'api_keys.members as key_members',
  'api_keys.client as key_client',
  'api_keys.leash as key_leash',
  'api_keys.leash_counter as key_leash_counter',
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
] as const;

const keyByHash = defineStatement((db, p: { hash: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(keyColumns)
    .where('api_keys.secret_hash', '=', p.hash),
);

const keyById = defineStatement((db, p: { id: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(keyColumns)
    .where('api_keys.id', '=', p.id),
);

interface KeyHolder extends Omit<Admission, 'headers'> {
  readonly keyId: string;
}

const expandedScopes = new WeakMap<ScopeRegistry, Map<string, ReadonlySet<string>>>();

/**
 * The scopes of a key by their stored text, with all scopes that they imply. The result for a text never changes, so it is
 * cached.
 */
export function grantedScopes(registry: ScopeRegistry, scopes: string): ReadonlySet<string> {
  const cache = expandedScopes.get(registry) ?? new Map<string, ReadonlySet<string>>();
  expandedScopes.set(registry, cache);
  let granted = cache.get(scopes);
  if (granted === undefined) {
    granted = registry.expand(JSON.parse(scopes) as string[]);
    if (cache.size > 1_000) cache.clear();
    cache.set(scopes, granted);
  }
  return granted;
}

const unscopedReason = unscoped('the key determines the workspace');

/**
 * The key that the credentials prove, with the rights of the caller: the rights of its token, or of the key.
 * @throws invalid_api_key
 */
async function findKey(core: Core, { request, kind }: Credentials, now: number) {
  const { authorization } = request.headers;
  const refusal = (fault: 'missing' | 'malformed' | 'unknown'): never => {
    const error = fault === 'missing' ? {} : ({ error: 'invalid_token' } as const);
    const headers = kind === 'mcp' ? toolChallenge(core, error) : keyChallenge(core);
    throw coreErrors.invalid_api_key({ fault }, { headers });
  };
  if (authorization === undefined || authorization === '') return refusal('missing');
  const text = parseBearer(authorization);
  if (text === undefined) return refusal('malformed');
  const { slug } = core.ports.service;
  const parsed = parseApiKey(slug, text);
  const mayBeToken = kind === 'mcp' && core.registry.bearerTokens !== undefined && !beginsLikeKey(slug, text);
  if (parsed === undefined && !mayBeToken) return refusal('malformed');
  const token = parsed === undefined ? await core.keyOfToken(text, now) : undefined;
  if (parsed === undefined && token === undefined) return refusal('unknown');
  const database = await core.database();
  const row = await database.read(
    unscopedReason,
    (handle) =>
      token === undefined
        ? handle.one(keyByHash, { hash: parsed?.hash ?? '' })
        : handle.one(keyById, { id: token.keyId }),
    { mayShare: true },
  );
  if (row === undefined || row.key_revoked_at !== null) return refusal('unknown');
  if (row.key_expires_at !== null && row.key_expires_at <= now) return refusal('unknown');
  const leash = token?.leash === undefined ? storedLeash(row.key_leash) : (token.leash ?? undefined);
  if (leashEnded(leash, now)) return refusal('unknown');
  const scopes = token?.scopes === undefined ? row.key_scopes : JSON.stringify(token.scopes);
  return { row, scopes: grantedScopes(core.registry.scopes, scopes), leash, byToken: token !== undefined };
}

/** The name of the OAuth client that a key was made for. */
const grantedClient = (stored: string | null): string | undefined =>
  stored === null ? undefined : (JSON.parse(stored) as { readonly name: string }).name;

async function authenticate(core: Core, credentials: Credentials, now: number): Promise<KeyHolder> {
  const { row, scopes, leash, byToken } = await findKey(core, credentials, now);
  const { kind, request } = credentials;
  const { address } = request;
  const client = grantedClient(row.key_client) ?? request.headers['user-agent'];
  const workspace = workspaceOfCall(row, core.plans);
  core.keyUsage.touch(row.key_id, row.id, now);
  const actor: Actor = {
    kind,
    keyId: row.key_id,
    keyMode: row.key_mode,
    // A program that trusts all proxy headers may pass any text: only a valid address is kept.
    ...(address === undefined || isIP(address) === 0 ? {} : { ip: address }),
    ...(client === undefined ? {} : { client: client.slice(0, 200) }),
    ...(byToken ? { canStepUp: true } : {}),
    ...(kind === 'mcp' && row.key_created_by !== null ? { user: row.key_created_by } : {}),
    ...(row.key_members === null ? {} : { members: JSON.parse(row.key_members) as string[] }),
  };
  const sandbox = row.key_sandbox === 1 || workspace.plan.name === 'sandbox';
  core.requestLog?.noteCaller(request, { workspaceId: workspace.id, sandbox, keyId: row.key_id });
  const leashCounter = row.key_leash_counter ?? row.key_id;
  return { workspace, actor, scopes, sandbox, leash, leashCounter, byToken, keyId: row.key_id };
}

const sandboxDecision = (now: number): LimitDecision => ({
  allowed: true,
  scope: 'key',
  limit: 60,
  remaining: 60,
  resetAt: now,
  retryAfterSeconds: 0,
});

const headerNumber = (value: number): string =>
  String(Number.isFinite(value) ? Math.max(0, Math.floor(value)) : Number.MAX_SAFE_INTEGER);

function rateHeaders(decision: LimitDecision): Record<string, string> {
  return {
    'X-RateLimit-Limit': headerNumber(decision.limit),
    'X-RateLimit-Remaining': headerNumber(decision.remaining),
    'X-RateLimit-Reset': new Date(Math.min(decision.resetAt, 8.64e15)).toISOString(),
    'X-RateLimit-Scope': decision.scope,
  };
}

async function decide(core: Core, holder: KeyHolder, now: number): Promise<LimitDecision> {
  if (holder.sandbox) return sandboxDecision(now);
  const { keyRate, keyBurst, workspacePerMinute } = holder.workspace.plan;
  const limits = { keyRate, keyBurst, workspacePerMinute };
  const decision = await takeFromLimitStore(core, () =>
    core.limits.take(holder.keyId, holder.workspace.id, limits, now),
  );
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
