// Credentials that expire: one process at a time refreshes them, even while the program updates them or the provider refuses them.
// full-run: slow
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import type { Service } from '../../core/index.ts';
import { markRefused } from '../../plugins/connectors/mark-refused.ts';
import { type ConnectorProvider, CredentialsRefused } from '../../plugins/connectors/port/index.ts';
import { connectorRows } from '../../plugins/connectors/tables.ts';
import type { SealedCredentials } from '../../plugins/connectors/vault/vault.ts';
import type { ConnectorBench } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { gate } from '../support/job-bench.ts';
import { day, hour, keyOf, tokenProvider, type VaultTokens, vaultTools } from '../support/vault-tools.ts';

await twoDatabases('refreshing credentials', (test, database) => {
  const { withBench, send, statusOf, connectToken, connectTokenAgain, callerOf, another } = vaultTools(database);

  test('credentials are refreshed before they expire, and mail leaves with the new credentials', async () => {
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

  test('if a refresh fails, valid credentials stay in use; once they have expired, mail is delayed', async () => {
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

  test('if a refresh is refused after the expiry, the credentials are revoked until new credentials are stored', async () => {
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
      const otherProcess = await another(bench, { providers }, ['a']);
      try {
        let markStarted: () => void = () => undefined;
        const hasBegun = new Promise<void>((resolve) => {
          markStarted = resolve;
        });
        let answer: () => void = () => undefined;
        const answered = new Promise<void>((resolve) => {
          answer = resolve;
        });
        tokens.answers(async () => {
          markStarted();
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
        const second = ready(otherProcess);
        answer();
        const versions = (await Promise.all([first, second])).map(({ sealed }) => sealed.version);
        assert.equal([versions, tokens.refreshes()], [[2, 2], 1]);
      } finally {
        await otherProcess.stop();
      }
    });
  });

  /** A refresh that returns its result only when the test calls `answer`. */
  const pausedRefresh = (tokens: ReturnType<typeof tokenProvider>, result: () => Promise<VaultTokens>) => {
    const markStarted = gate();
    const answered = gate();
    tokens.answers(async () => {
      markStarted.open();
      await answered.passed;
      return result();
    });
    return { begun: markStarted.passed, answer: () => answered.open() };
  };
  const readyOf = async (bench: ConnectorBench, id: string) => {
    const { service, workspaceId } = bench;
    const caller = await callerOf(service, workspaceId, (one) => service.workspaces.read(one));
    return { caller, ready: () => service.core.services.connectors.ready(caller, 'mail', id) };
  };
  const opened = (bench: ConnectorBench, sealed: SealedCredentials): unknown =>
    bench.service.core.services.vault.open(bench.workspaceId, sealed);

  test('no rotated token is lost if the options are updated during a refresh', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      bench.advanceClock(hour);
      const rotatedTokens = { access: 'second', refresh: 'rotated', expiresAt: null };
      const refresh = pausedRefresh(tokens, async () => rotatedTokens);
      const { ready } = await readyOf(bench, id);
      const first = ready();
      await refresh.begun;
      await bench.service.connectors.update(bench.workspaceId, id, { options: {} });
      refresh.answer();
      assert.equal(opened(bench, (await first).sealed), rotatedTokens);
      assert.equal(opened(bench, (await ready()).sealed), rotatedTokens);
      assert.is(tokens.refreshes(), 1);
    });
  });

  test('new credentials survive a refresh that ends later, and a refusal of the old credentials', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const { id } = await connectToken(bench, bench.now() + hour);
      const { ready } = await readyOf(bench, id);
      const changes: (() => Promise<VaultTokens>)[] = [
        async () => ({ access: 'rotated', refresh: 'rotated', expiresAt: null }),
        async () => {
          throw new CredentialsRefused('revoked', 'invalid_grant');
        },
      ];
      for (const change of changes) {
        bench.advanceClock(hour);
        const refresh = pausedRefresh(tokens, change);
        const first = ready();
        await refresh.begun;
        await connectTokenAgain(bench, id, 'given');
        refresh.answer();
        assert.is((opened(bench, (await first).sealed) as VaultTokens).access, 'given');
        assert.is(await statusOf(bench, id), 'connected');
      }
    });
  });

  test('a refusal applies only to the credentials that were used: unused newer credentials stay', async () => {
    const refused = new Set<string>();
    const { provider } = tokenProvider();
    const refusing = {
      ...provider,
      connect: (input: Parameters<typeof provider.connect>[0]) => ({
        ...captureMail(),
        send: async () => {
          const { access } = input.credentials as VaultTokens;
          if (refused.has(access)) throw new CredentialsRefused('revoked', 'refused');
          return {};
        },
      }),
      faultOf: (error: unknown) => (error instanceof CredentialsRefused ? error.fault : undefined),
    } as ConnectorProvider;
    await withBench({ providers: [refusing] }, async (bench) => {
      const { connectors } = bench.service.core.services;
      const { id } = await connectToken(bench, null);
      const { caller, ready } = await readyOf(bench, id);
      const use = async (one: Awaited<ReturnType<typeof ready>>) =>
        connectors.use(caller, one, (adapter) => adapter.send({} as never, {} as never)).catch((error: Error) => error);
      const old = await ready();
      await connectTokenAgain(bench, id, 'second');
      refused.add('first');
      assert.is(((await use(old)) as Error).name, 'ConnectorUnusable');
      assert.is(await statusOf(bench, id), 'connected');
      await use(await ready());
      // Now the pool has the newer adapter, and a call with the older credentials gets that adapter.
      refused.add('second');
      await use(old);
      assert.is(await statusOf(bench, id), 'revoked');
    });
  });

  test('new credentials stay connected if they are stored while a refusal of older credentials is recorded', async () => {
    const tokens = tokenProvider();
    await withBench({ providers: [tokens.provider] }, async (bench) => {
      const { service, workspaceId } = bench;
      const { core } = service;
      const { vault } = core.services;
      const { id } = await connectToken(bench, null);
      const { caller, ready } = await readyOf(bench, id);
      const { connector, sealed } = await ready();
      let marking: Promise<unknown> = Promise.resolve();
      const otherCaller = await callerOf(service, workspaceId, (one) => service.workspaces.read(one));
      await caller.checkpoint(async (ctx) => {
        assert.ok(await connectorRows.lock(ctx.trx, id));
        await vault.put(ctx, id, { access: 'new', refresh: 'again', expiresAt: null });
        marking = markRefused(otherCaller, vault, connector, { version: sealed.version }, 'revoked');
        // On a database with several connections, this gives the other transaction time to begin.
        for (let look = 0; look < 20; look += 1) await otherCaller.read(({ trx }) => vault.find(trx, id));
      });
      assert.is(await marking, false);
      assert.is(await statusOf(bench, id), 'connected');
    });
  });
});
