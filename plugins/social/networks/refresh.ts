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
const maxReplyMs = 20_000;

/** The answer of a connector's network. */
export interface NetworkReply {
  readonly connector: ConnectorRow;
  readonly network: SocialNetwork;
  readonly accounts: readonly NetworkAccount[] | SocialError;
}

/** The answers of all networks. */
export interface NetworkReplies {
  readonly replies: readonly NetworkReply[];
  /** All connectors, including connectors of unknown providers. */
  readonly connectorIds: readonly string[];
}

const codeByFault: Partial<Record<SocialError['fault'], string>> = {
  disconnected: 'account_disconnected',
  limited: 'provider_limited',
};

/** The error code if a network exceeds the time limit. */
const timeoutCode = 'provider_timeout';

async function queryNetwork(caller: NetworkCaller, id: string): Promise<readonly NetworkAccount[] | SocialError> {
  const timeLimit = new AbortController();
  const signal = AbortSignal.any([caller.signal, timeLimit.signal]);
  const timeout = wait(maxReplyMs, undefined, { signal: timeLimit.signal, ref: false }).then(() => {
    throw new SocialError('transient', 'The network did not answer within 20 seconds.', { code: timeoutCode });
  });
  const request = withNetwork(caller, id, (adapter) => adapter.accounts({ signal, now: caller.ports.now() }));
  try {
    return await Promise.race([request, timeout]);
  } catch (error) {
    return isSocialError(error)
      ? error
      : new SocialError('uncertain', 'The accounts could not be read from the network.', { cause: error });
  } finally {
    timeLimit.abort(new Error('The request for the accounts has ended.'));
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
    connectorsWithNetwork.map(async (each) => ({ ...each, accounts: await queryNetwork(caller, each.connector.id) })),
  );
  return { replies, connectorIds: rows.map(({ id }) => id) };
}

const isUsable = (externalId: string): boolean => externalId !== '' && externalId.length <= 200;

/**
 * The company accounts with a usable id. If the network does not say whether an account is a company's, the connector's option `company`
 * decides.
 */
function companyAccountsOf({ connector, accounts }: NetworkReply): readonly NetworkAccount[] {
  if (isSocialError(accounts)) return [];
  const { company = false } = (connector.options ?? {}) as SocialConnectorOptions;
  return accounts.filter(({ isCompany, externalId }) => (isCompany ?? company) && isUsable(externalId));
}

function failureOf(reply: NetworkReply, stored: readonly AccountRow[]): RefreshFailure[] {
  const { accounts, connector, network } = reply;
  if (!isSocialError(accounts)) return [];
  const ownAccounts = stored.filter(({ connector_id: id }) => id === connector.id);
  const code = accounts.code === timeoutCode ? timeoutCode : (codeByFault[accounts.fault] ?? 'provider_error');
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
  const currentFields = {
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
    await accountRows.change(trx, stored, currentFields);
    return;
  }
  const key = { channel_id: network.rules.channelId, external_id: found.externalId };
  await accountRows.insert(trx, { id: newId('soa'), ...key, ...currentFields, connected_at: now });
}

/** Marks accounts that no connector reaches any more as revoked. */
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
  const storedAccounts = await listAccounts(trx);
  const seenIds = new Set<string>();
  /** Channel and external id of the accounts stored so far, because two connectors may reach the same account. */
  const storedKeys = new Set<string>();
  let remainingAccounts = maxAccounts - storedAccounts.length;
  for (const reply of replies)
    for (const networkAccount of companyAccountsOf(reply)) {
      const { channelId } = reply.network.rules;
      const key = `${channelId} ${networkAccount.externalId}`;
      const knownAccount = storedAccounts.find(
        (row) => row.channel_id === channelId && row.external_id === networkAccount.externalId,
      );
      if (storedKeys.has(key) || (knownAccount === undefined && remainingAccounts <= 0)) continue;
      storedKeys.add(key);
      if (knownAccount === undefined) remainingAccounts -= 1;
      else seenIds.add(knownAccount.id);
      await storeAccount(ctx, reply, networkAccount, knownAccount);
    }
  const answeringConnectors = new Set(
    replies.flatMap(({ accounts, connector }) => (isSocialError(accounts) ? [] : [connector.id])),
  );
  const existingConnectors = new Set(connectorIds);
  const isLost = ({ id, connector_id: owner }: AccountRow) =>
    !seenIds.has(id) && (answeringConnectors.has(owner) || !existingConnectors.has(owner));
  await revoke(ctx, storedAccounts.filter(isLost));
  const failures = replies.flatMap((reply) => failureOf(reply, storedAccounts));
  const lastRefresh = await refreshRows.findBy(trx, {}, 'update');
  if (lastRefresh !== undefined) return refreshRows.change(trx, lastRefresh, { failures, synced_at: now });
  return refreshRows.insert(trx, { id: newId('srf'), failures, synced_at: now });
}
