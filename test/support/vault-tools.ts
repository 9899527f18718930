// Shared by the tests of the vault and of token refreshes: a provider with tokens that expire, and several processes on one database.
import { createHash } from 'node:crypto';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { createService, type Service, z } from '../../core/index.ts';
import { readContextOf } from '../../core/pipeline/read-context.ts';
import { inWorkspace } from '../../core/unstable.ts';
import type { ConnectorCaller } from '../../plugins/connectors/caller.ts';
import { type ConnectorProvider, defineConnector } from '../../plugins/connectors/port/index.ts';
import { type ConnectorBench, openConnectorBench, pluginsWith } from './connector-bench.ts';
import type { TestDatabase } from './databases.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
const variables = { name: 'Ada' };

/** A key of the keyring. The same id always gives the same key. */
export const keyOf = (id: string) => ({ id, secret: createHash('sha256').update(id).digest('base64') });

export interface VaultTokens {
  readonly access: string;
  readonly refresh: string;
  readonly expiresAt: number | null;
}

/** A provider with tokens that expire. The test sets what a refresh returns; the provider records the tokens used to send mail. */
export function tokenProvider() {
  const usedTokens: string[] = [];
  let answer: () => Promise<VaultTokens> = () => Promise.reject(new Error('no answer'));
  let refreshes = 0;
  const provider = defineConnector({
    kind: 'mail',
    provider: 'token',
    name: 'Token',
    credentials: z.strictObject({ access: z.string(), refresh: z.string(), expiresAt: z.number().nullable() }),
    options: z.strictObject({}),
    connect: ({ credentials: { access } }) => ({
      ...captureMail(),
      send: async () => {
        usedTokens.push(access);
        return {};
      },
    }),
    expiresAt: ({ expiresAt }) => expiresAt,
    refresh(_opened, _signal, { outgoing }) {
      // A refresh needs `outgoing.request` to call the provider.
      if (typeof outgoing.request !== 'function') throw new Error('A refresh gets the ports of a connection.');
      refreshes += 1;
      return answer();
    },
  });
  return {
    provider: provider as ConnectorProvider,
    used: usedTokens,
    refreshes: () => refreshes,
    answers: (next: typeof answer) => {
      answer = next;
    },
  };
}

/** The helpers of a suite. */
export function vaultTools(database: TestDatabase) {
  const open = async (options: Parameters<typeof openConnectorBench>[1] = {}) => openConnectorBench(database, options);
  const withBench = async (
    options: Parameters<typeof openConnectorBench>[1],
    run: (bench: ConnectorBench) => Promise<void>,
  ): Promise<void> => {
    const bench = await open(options);
    try {
      await run(bench);
    } finally {
      await bench.close();
    }
  };
  const send = async (bench: ConnectorBench): Promise<string> => {
    const { body } = await bench.send('receipt', { to: 'ada@example.org', variables });
    await bench.drain();
    return body.id;
  };
  const statusOf = async (bench: ConnectorBench, id: string): Promise<string> =>
    (await bench.request('/v1/connectors')).body.data.find((row: { id: string }) => row.id === id).status;
  const connectToken = (bench: ConnectorBench, expiresAt: number | null, access = 'first') =>
    bench.service.connectors.create(bench.workspaceId, {
      kind: 'mail',
      provider: 'token',
      name: 'Token',
      credentials: { access, refresh: 'again', expiresAt },
    });
  const connectTokenAgain = (bench: ConnectorBench, id: string, access: string) =>
    bench.service.connectors.update(bench.workspaceId, id, {
      credentials: { access, refresh: 'again', expiresAt: bench.now() + hour },
    });
  /** A job's access to a workspace, through which connectors are used. */
  const callerOf = async (
    { core }: Pick<Service, 'core'>,
    workspaceId: string,
    read: Service['workspaces']['read'],
  ): Promise<ConnectorCaller> => {
    const workspace = await read(workspaceId);
    const handles = await core.database();
    return {
      workspace,
      signal: new AbortController().signal,
      read: (work) => handles.read(workspaceId, (trx) => work(readContextOf(core, trx, core.ports.now()))),
      checkpoint: (work) => inWorkspace(core, workspace, work),
    };
  };
  /** Opens another process on the bench's tables. */
  const openAnotherProcess = async (
    bench: ConnectorBench,
    options: Parameters<typeof pluginsWith>[0],
    keys: readonly string[],
  ) => {
    const { prefix } = await bench.service.core.database();
    return createService({
      storage: database.createStorage(),
      tablePrefix: prefix,
      plugins: pluginsWith(options),
      mail: captureMail(),
      clock: { now: () => bench.now() },
      keyring: localKeyring({ keys: keys.map(keyOf) }),
    });
  };
  return { withBench, send, statusOf, connectToken, connectTokenAgain, callerOf, another: openAnotherProcess };
}
