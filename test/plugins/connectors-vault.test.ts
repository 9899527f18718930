// The vault of credentials: what lies in the database, what ever comes out, values that were moved, keys that rotate, and
// credentials that expire and are refreshed by one process at a time.
import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import type { Service } from '../../core/index.ts';
import { createService, z } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import type { ConnectorCaller } from '../../plugins/connectors/caller.ts';
import type { ConnectorProvider } from '../../plugins/connectors/port/index.ts';
import { CredentialsRefused, defineConnector } from '../../plugins/connectors/port/index.ts';
import type { Haystack } from '../core/secret-search.ts';
import { findSecrets } from '../core/secret-search.ts';
import type { ConnectorBench } from '../support/connector-bench.ts';
import { openConnectorBench, pluginsWith } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const hour = 3_600_000;
const day = 24 * hour;
const variables = { name: 'Ada' };

/** A key of the keyring, the same at each call. */
const keyOf = (id: string) => ({ id, secret: createHash('sha256').update(id).digest('base64') });

/** A provider with tokens that expire. Its script says what a refresh answers, and it notes which tokens mail was sent with. */
function tokenProvider() {
  const used: string[] = [];
  let answer: () => Promise<{ access: string; refresh: string; expiresAt: number | null }> = () =>
    Promise.reject(new Error('no answer'));
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
        used.push(access);
        return {};
      },
    }),
    expiresAt: ({ expiresAt }) => expiresAt,
    refresh() {
      refreshes += 1;
      return answer();
    },
  });
  return {
    provider: provider as ConnectorProvider,
    used,
    refreshes: () => refreshes,
    answers: (next: typeof answer) => {
      answer = next;
    },
  };
}

await twoDatabases('the vault', (test, database) => {
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
  /** A job's view of a workspace, as connectors are used from it. */
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
      read: (work) => handles.read(workspaceId, work),
      checkpoint: (work) => inWorkspace(core, workspace, work),
    };
  };
  /** Another process on the bench's tables. */
  const another = async (
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

  test('planted credentials are in no table, no log line, no answer, no error and no audit entry', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const planted = {
        password: 'PLANTED-password-58213-zebra',
        wrong: 'PLANTED-wrong-94127-yak',
        access: 'PLANTED-access-10385-walrus',
        refreshed: 'PLANTED-refreshed-77420-vole',
        thrown: 'PLANTED-thrown-36251-urchin',
        misplaced: 'PLANTED-misplaced-20946-tapir',
      };
      const { service, workspaceId } = bench;
      const account = await bench.account(planted.password);
      const smtp = { kind: 'mail', provider: 'smtp', name: 'Own', options: account.options } as const;
      const answers: Haystack[] = [];
      const note = async (name: string, call: Promise<unknown>): Promise<void> => {
        answers.push([name, await call.catch((error: unknown) => error)]);
      };
      const made = await service.connectors.create(workspaceId, { ...smtp, credentials: account.credentials });
      answers.push(['the answer to create', made]);
      await send(bench);
      await note(
        'update',
        service.connectors.update(workspaceId, made.id, { credentials: { user: 'post', pass: planted.wrong } }),
      );
      await send(bench);
      assert.is(await statusOf(bench, made.id), 'revoked');
      await note('delete', service.connectors.delete(workspaceId, made.id));
      await note(
        'a fault',
        service.connectors.create(workspaceId, { ...smtp, credentials: { user: 'post', pass: [planted.misplaced] } }),
      );
      await note('another fault', service.connectors.create(workspaceId, { ...smtp, credentials: planted.misplaced }));
      const token = await connectToken(bench, bench.now() + hour, planted.access);
      tokens.answers(async () => ({ access: planted.refreshed, refresh: planted.refreshed, expiresAt: null }));
      bench.advanceClock(2 * hour);
      await send(bench);
      assert.equal([...new Set(tokens.used)], [planted.refreshed]);
      await connectTokenAgain(bench, token.id, planted.access);
      tokens.answers(async () => {
        throw new Error(`the provider says ${planted.thrown}`);
      });
      bench.advanceClock(2 * hour);
      await send(bench);
      const domain = await service.domains.create(workspaceId, { domain: 'mail.example.org' });
      answers.push(['the answer to domains.create', domain]);
      const { core } = service;
      const db = await core.database();
      const sealed = await db.read(workspaceId, (handle) => core.services.vault.find(handle, domain.id));
      assert.ok(sealed);
      const pem = String(core.services.vault.open(workspaceId, sealed));
      const secrets = { ...planted, 'DKIM key': pem.split('\n')[9] ?? '' };
      assert.is(secrets['DKIM key'].length, 64);
      for (const path of ['/v1/connectors', '/v1/connectors/catalog', '/v1/audit?limit=100', '/v1/sends'])
        answers.push([path, (await bench.request(path)).bytes]);
      answers.push(['the log', bench.logged.join('\n')]);
      const tables: Haystack[] = [];
      for (const table of core.registry.tables.keys()) {
        const { rows } = await db.driver.read((connection) =>
          connection.query({ sql: `select * from ${db.prefix}${table}`, parameters: [] }),
        );
        for (const row of rows)
          for (const [name, value] of Object.entries(row)) tables.push([`${table}.${name}`, value]);
      }
      assert.ok(tables.some(([place]) => place === 'credentials.sealed'));
      assert.equal(findSecrets([...answers, ...tables], secrets), []);
      assert.equal(findSecrets([['a leak', `..${planted.access}`]], secrets), ['access, plain, in a leak']);
    });
  });

  test('a sealed value opens in its own place only', async () => {
    await withBench({}, async (bench) => {
      const { service, workspaceId, foreignWorkspaceId } = bench;
      const { core } = service;
      const account = await bench.account('right');
      const given = { kind: 'mail', provider: 'smtp', name: 'Own', credentials: account.credentials } as const;
      const [one, two] = [
        await service.connectors.create(workspaceId, { ...given, options: account.options }),
        await service.connectors.create(workspaceId, { ...given, options: account.options }),
      ];
      const { vault } = core.services;
      const db = await core.database();
      const sealed = await db.read(workspaceId, (handle) => vault.find(handle, one.id));
      assert.ok(sealed);
      assert.equal(vault.open(workspaceId, sealed), account.credentials);
      assert.throws(() => vault.open(workspaceId, { ...sealed, owner_id: two.id }), /belongs to another place/);
      assert.throws(() => vault.open(foreignWorkspaceId, sealed), /belongs to another place/);
      const altered = Uint8Array.from(sealed.sealed);
      altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
      assert.throws(() => vault.open(workspaceId, { ...sealed, sealed: altered }), /was altered/);
    });
  });

  test('after a new key came to the front, values are sealed with it, and the old key can go', async () => {
    await withBench({ service: { keyring: localKeyring({ keys: [keyOf('a')] }) } }, async (bench) => {
      const account = await bench.account('right');
      const { id } = await bench.service.connectors.create(bench.workspaceId, {
        kind: 'mail',
        provider: 'smtp',
        name: 'Own',
        credentials: account.credentials,
        options: account.options,
      });
      const opened = async (keys: readonly string[], between = async (_service: Pick<Service, 'drain'>) => {}) => {
        const service = await another(bench, {}, keys);
        try {
          await between(service);
          const db = await service.core.database();
          const { vault } = service.core.services;
          const sealed = await db.read(bench.workspaceId, (handle) => vault.find(handle, id));
          return sealed === undefined ? undefined : vault.open(bench.workspaceId, sealed);
        } finally {
          await service.stop();
        }
      };
      await opened(['b']).then(
        () => assert.unreachable('opened without its key'),
        (error: Error) => assert.match(error.message, /a key that is not configured/),
      );
      // A schedule waits for its first slot.
      await bench.drain();
      bench.advanceClock(day);
      assert.equal(await opened(['b', 'a'], async (service) => void (await service.drain())), account.credentials);
      assert.equal(await opened(['b']), account.credentials);
    });
  });

  test('credentials are refreshed before they expire; mail goes out with the new ones', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      await send(bench);
      assert.equal([tokens.used, tokens.refreshes()], [['first'], 0]);
      tokens.answers(async () => ({ access: 'second', refresh: 'again', expiresAt: bench.now() + day }));
      bench.advanceClock(hour - 30_000);
      await send(bench);
      await send(bench);
      assert.equal([tokens.used, tokens.refreshes()], [['first', 'second', 'second'], 1]);
      const { body } = await bench.request('/v1/audit?action=connector.refresh');
      assert.equal(
        body.data.map(({ target }: { target: { id: string } }) => target.id),
        [id],
      );
    });
  });

  test('a refresh that fails leaves credentials that are still valid, and delays mail when they are not', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      bench.advanceClock(hour - 30_000);
      await send(bench);
      assert.equal([tokens.used, tokens.refreshes(), await statusOf(bench, id)], [['first'], 1, 'connected']);
      bench.advanceClock(60_000);
      const delayed = await send(bench);
      assert.equal(
        [(await bench.readSend(delayed)).status, await statusOf(bench, id)],
        ['delivery_delayed', 'connected'],
      );
      tokens.answers(async () => ({ access: 'second', refresh: 'again', expiresAt: null }));
      bench.advanceClock(60_000);
      await bench.drain();
      assert.equal([tokens.used, (await bench.readSend(delayed)).status], [['first', 'second'], 'sent']);
    });
  });

  test('a refused refresh, and a time that is over, end the credentials until there are new ones', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      tokens.answers(async () => {
        throw new CredentialsRefused('revoked', 'invalid_grant');
      });
      bench.advanceClock(hour);
      const delayed = await send(bench);
      assert.equal([await statusOf(bench, id), tokens.refreshes()], ['revoked', 1]);
      await send(bench);
      assert.is(tokens.refreshes(), 1);
      await bench.service.connectors.update(bench.workspaceId, id, {
        credentials: { access: 'new', refresh: 'again', expiresAt: null },
      });
      bench.advanceClock(60_000);
      await bench.drain();
      assert.equal([await statusOf(bench, id), tokens.used], ['connected', ['new', 'new']]);
      assert.is((await bench.readSend(delayed)).status, 'sent');
    });
    const { refresh: _, ...forever } = tokenProvider().provider;
    await withBench({ providers: [forever] }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      bench.advanceClock(hour);
      const delayed = await send(bench);
      assert.equal(
        [await statusOf(bench, id), (await bench.readSend(delayed)).status],
        ['expired', 'delivery_delayed'],
      );
    });
  });

  test('two processes that find the same expired credentials refresh them once', async () => {
    const tokens = tokenProvider();
    const providers = [tokens.provider];
    const keys = [keyOf('a')];
    await withBench({ providers, service: { keyring: localKeyring({ keys }) } }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      bench.advanceClock(hour);
      const other = await another(bench, { providers }, ['a']);
      try {
        let begun: () => void = () => undefined;
        const hasBegun = new Promise<void>((resolve) => {
          begun = resolve;
        });
        let answer: () => void = () => undefined;
        const answered = new Promise<void>((resolve) => {
          answer = resolve;
        });
        tokens.answers(async () => {
          begun();
          await answered;
          return { access: 'second', refresh: 'again', expiresAt: null };
        });
        const ready = async (service: Pick<Service, 'core' | 'workspaces'>) =>
          service.core.services.connectors.ready(
            await callerOf(service, bench.workspaceId, (workspaceId) => service.workspaces.read(workspaceId)),
            'mail',
            id,
          );
        const first = ready(bench.service);
        await hasBegun;
        const second = ready(other);
        answer();
        const versions = (await Promise.all([first, second])).map(({ sealed }) => sealed.version);
        assert.equal([versions, tokens.refreshes()], [[2, 2], 1]);
      } finally {
        await other.stop();
      }
    });
  });
});
