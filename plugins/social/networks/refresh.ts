// Refreshes the accounts: asks the networks of all connectors at the same time, outside of any transaction, then stores the answers
// together. If a network does not answer, its accounts stay as they are.
import { setTimeout as wait } from 'node:timers/promises';
import type { TransactionContext } from '../../../core/index.ts';
import { beginning, lockWorkspace, parseUrl } from '../../../core/unstable.ts';
import type { ConnectorRow } from '../../connectors/service.ts';
import {
  isSocialError,
  isSocialNetwork,
  type NetworkAccount,
  type SocialConnectorOptions,
  SocialError,
  type SocialNetwork,
} from '../port/index.ts';
import { showNetwork } from '../present.ts';
import { type AccountRow, accountRows, type RefreshFailure, type RefreshRow, refreshRows } from '../tables.ts';
import { type NetworkCaller, withNetwork } from './call-network.ts';
import { listAccounts, maxAccounts } from './disconnect.ts';

/** The time limit of a network's answer, in milliseconds. */
const askMs = 20_000;

/** The answer of a connector's network. */
export interface NetworkReply {
  readonly connector: ConnectorRow;
  readonly network: SocialNetwork;
  readonly accounts: readonly NetworkAccount[] | SocialError;
}

/** The answers of all networks. */
export interface NetworkReplies {
  readonly replies: readonly NetworkReply[];
  /** All connectors, including those of unknown providers. */
  readonly connectorIds: readonly string[];
}

const codes: Partial<Record<SocialError['fault'], string>> = {
  disconnected: 'account_disconnected',
  limited: 'provider_limited',
};

/** The code of an exceeded time limit. */
const lateCode = 'provider_timeout';

async function askOne(caller: NetworkCaller, id: string): Promise<readonly NetworkAccount[] | SocialError> {
  const limit = new AbortController();
  const signal = AbortSignal.any([caller.signal, limit.signal]);
  const timeout = wait(askMs, undefined, { signal: limit.signal, ref: false }).then(() => {
    throw new SocialError('transient', 'The network did not answer within 20 seconds.', { code: lateCode });
  });
  const request = withNetwork(caller, id, (adapter) => adapter.accounts({ signal, now: caller.ports.now() }));
  try {
    return await Promise.race([request, timeout]);
  } catch (error) {
    return isSocialError(error)
      ? error
      : new SocialError('uncertain', 'The network could not be asked.', { cause: error });
  } finally {
    limit.abort(new Error('The time for the question is over.'));
    for (const promise of [request, timeout]) promise.catch(() => undefined);
  }
}

/** Asks all networks of a workspace. */
export async function queryNetworks(caller: NetworkCaller): Promise<NetworkReplies> {
  const { connectors } = caller.services;
  const rows = await caller.read(({ trx }) => connectors.list(trx, 'social'));
  const connectorsWithNetwork = rows.flatMap((connector) => {
    const network = connectors.providers.find('social', connector.provider);
    return network === undefined || !isSocialNetwork(network) ? [] : [{ connector, network }];
  });
  const replies = await Promise.all(
    connectorsWithNetwork.map(async (each) => ({ ...each, accounts: await askOne(caller, each.connector.id) })),
  );
  return { replies, connectorIds: rows.map(({ id }) => id) };
}

const isUsable = (externalId: string): boolean => externalId !== '' && externalId.length <= 200;

/**
 * The company accounts with a usable id. If the network does not say whether an account is a company's, the connector's option `company`
 * decides.
 */
function companiesOf({ connector, accounts }: NetworkReply): readonly NetworkAccount[] {
  if (isSocialError(accounts)) return [];
  const { company = false } = (connector.options ?? {}) as SocialConnectorOptions;
  return accounts.filter(({ isCompany, externalId }) => (isCompany ?? company) && isUsable(externalId));
}

function failureOf(reply: NetworkReply, stored: readonly AccountRow[]): RefreshFailure[] {
  const { accounts, connector, network } = reply;
  if (!isSocialError(accounts)) return [];
  const ownAccounts = stored.filter(({ connector_id: id }) => id === connector.id);
  const code = accounts.code === lateCode ? lateCode : (codes[accounts.fault] ?? 'provider_error');
  const accountRef = ownAccounts.length === 1 ? (ownAccounts[0]?.id ?? null) : null;
  return [{ channelId: network.rules.channelId, accountRef, code, message: beginning(accounts.message, 500) }];
}

/** The avatar URL if it is an https URL of at most 2,048 characters; otherwise null. */
function avatarOf({ avatarUrl }: NetworkAccount): string | null {
  if (avatarUrl === null || avatarUrl.length > 2_048) return null;
  return parseUrl(avatarUrl)?.protocol === 'https:' ? avatarUrl : null;
}

async function storeAccount(
  { trx, newId, now }: TransactionContext,
  { connector, network }: NetworkReply,
  found: NetworkAccount,
  stored: AccountRow | undefined,
): Promise<void> {
  const present = {
    connector_id: connector.id,
    transport: network.transport,
    display_name: beginning(found.displayName, 200),
    handle: found.handle.slice(0, 200),
    avatar_url: avatarOf(found),
    status: 'connected',
    options: found.options ?? {},
    last_synced_at: now,
  } as const;
  if (stored !== undefined) {
    await accountRows.change(trx, stored, present);
    return;
  }
  const key = { channel_id: network.rules.channelId, external_id: found.externalId };
  await accountRows.insert(trx, { id: newId('soa'), ...key, ...present, connected_at: now });
}

/** Revokes accounts that no connector reaches any more. */
async function revoke(ctx: TransactionContext, rows: readonly AccountRow[]): Promise<void> {
  for (const row of rows) {
    if (row.status !== 'connected') continue;
    const revoked = await accountRows.change(ctx.trx, row, { status: 'revoked', last_synced_at: ctx.now });
    ctx.emit('social.network.disconnected', showNetwork(ctx, revoked));
  }
}

/** Stores the answers of the networks. */
export async function storeReplies(
  ctx: TransactionContext,
  { replies, connectorIds }: NetworkReplies,
): Promise<RefreshRow> {
  const { trx, newId, now } = ctx;
  await lockWorkspace(trx);
  const stored = await listAccounts(trx);
  const seen = new Set<string>();
  /** Channel and external id of stored accounts: two connectors may reach the same account. */
  const taken = new Set<string>();
  let room = maxAccounts - stored.length;
  for (const answer of replies)
    for (const found of companiesOf(answer)) {
      const { channelId } = answer.network.rules;
      const key = `${channelId} ${found.externalId}`;
      const same = stored.find((row) => row.channel_id === channelId && row.external_id === found.externalId);
      if (taken.has(key) || (same === undefined && room <= 0)) continue;
      taken.add(key);
      if (same === undefined) room -= 1;
      else seen.add(same.id);
      await storeAccount(ctx, answer, found, same);
    }
  const answered = new Set(
    replies.flatMap(({ accounts, connector }) => (isSocialError(accounts) ? [] : [connector.id])),
  );
  const existing = new Set(connectorIds);
  const isLost = ({ id, connector_id: owner }: AccountRow) =>
    !seen.has(id) && (answered.has(owner) || !existing.has(owner));
  await revoke(ctx, stored.filter(isLost));
  const failures = replies.flatMap((answer) => failureOf(answer, stored));
  const last = await refreshRows.findBy(trx, {}, 'update');
  if (last !== undefined) return refreshRows.change(trx, last, { failures, synced_at: now });
  return refreshRows.insert(trx, { id: newId('srf'), failures, synced_at: now });
}
