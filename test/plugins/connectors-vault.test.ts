// The vault of credentials: the contents of the database, the answers of calls, values moved to another row, key rotation, and other
// processes.
// full-run: slow
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import type { Service } from '../../core/index.ts';
import { findSecrets, type Haystack } from '../core/secret-search.ts';
import { twoDatabases } from '../support/databases.ts';
import { day, hour, keyOf, tokenProvider, vaultTools } from '../support/vault-tools.ts';

await twoDatabases('the vault', (test, database) => {
  const { withBench, send, statusOf, connectToken, connectTokenAgain, another } = vaultTools(database);

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
      const created = await service.connectors.create(workspaceId, { ...smtp, credentials: account.credentials });
      answers.push(['the answer to create', created]);
      await send(bench);
      await note(
        'update',
        service.connectors.update(workspaceId, created.id, { credentials: { user: 'post', pass: planted.wrong } }),
      );
      await send(bench);
      assert.is(await statusOf(bench, created.id), 'revoked');
      await note('delete', service.connectors.delete(workspaceId, created.id));
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
      const sealedRow = await db.read(workspaceId, (handle) => core.services.vault.find(handle, domain.id));
      assert.ok(sealedRow);
      const pem = String(core.services.vault.open(workspaceId, sealedRow));
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
      assert.ok(tables.some(([column]) => column === 'credentials.sealed'));
      assert.equal(findSecrets([...answers, ...tables], secrets), []);
      assert.equal(findSecrets([['a leak', `..${planted.access}`]], secrets), ['access, plain, in a leak']);
    });
  });

  test('a sealed value can be opened only in its own row and column', async () => {
    await withBench({}, async (bench) => {
      const { service, workspaceId, foreignWorkspaceId } = bench;
      const { core } = service;
      const account = await bench.account('right');
      const connector = { kind: 'mail', provider: 'smtp', name: 'Own', credentials: account.credentials } as const;
      const [one, two] = [
        await service.connectors.create(workspaceId, { ...connector, options: account.options }),
        await service.connectors.create(workspaceId, { ...connector, options: account.options }),
      ];
      const { vault } = core.services;
      const db = await core.database();
      const sealed = await db.read(workspaceId, (handle) => vault.find(handle, one.id));
      assert.ok(sealed);
      assert.equal(vault.open(workspaceId, sealed), account.credentials);
      assert.throws(() => vault.open(workspaceId, { ...sealed, owner_id: two.id }), /belongs to another context/);
      assert.throws(() => vault.open(foreignWorkspaceId, sealed), /belongs to another context/);
      const alteredBytes = Uint8Array.from(sealed.sealed);
      alteredBytes[alteredBytes.length - 1] = (alteredBytes.at(-1) ?? 0) ^ 1;
      assert.throws(() => vault.open(workspaceId, { ...sealed, sealed: alteredBytes }), /was altered/);
    });
  });

  test('values are sealed with the first key of the list, and then the old key can be removed', async () => {
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
        () => assert.unreachable('the value was opened without its key'),
        (error: Error) => assert.match(error.message, /a key that is not configured/),
      );
      // The schedule waits for its first time slot.
      await bench.drain();
      bench.advanceClock(day);
      assert.equal(await opened(['b', 'a'], async (service) => void (await service.drain())), account.credentials);
      assert.equal(await opened(['b']), account.credentials);
    });
  });

  test('after another process deletes a connector, this process closes its connections before the next message', async () => {
    const keys = [keyOf('a')];
    await withBench({ service: { keyring: localKeyring({ keys }) } }, async (bench) => {
      const account = await bench.account('right');
      const { id } = await bench.service.connectors.create(bench.workspaceId, {
        kind: 'mail',
        provider: 'smtp',
        name: 'Own',
        credentials: account.credentials,
        options: account.options,
      });
      await send(bench);
      assert.is(account.sink.open, 1);
      const otherProcess = await another(bench, {}, ['a']);
      try {
        await otherProcess.connectors.delete(bench.workspaceId, id);
      } finally {
        await otherProcess.stop();
      }
      await send(bench);
      await account.sink.until(({ open }) => open === 0);
      assert.equal(bench.reached(bench.sink), ['ada@example.org']);
    });
  });
});
