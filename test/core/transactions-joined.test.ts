// time-limit: 900
// Calls that join a transaction of the embedding program, for every kind of handle: the program's rows and the
// service's rows commit together or not at all, and a failing call rolls back only itself.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError, type PostriderError } from '../../core/contract/errors/errors.ts';
import { type HostKind, type HostProgram, hostKinds, templateKey, withHost } from './transactions-hosts.ts';

class ChangedMind extends Error {}

/** Runs a transaction of the program that rolls back. */
async function rolledBack(host: HostProgram, work: Parameters<HostProgram['transaction']>[0]): Promise<void> {
  try {
    await host.transaction(async (transaction) => {
      await work(transaction);
      throw new ChangedMind();
    });
  } catch (error) {
    if (!(error instanceof ChangedMind)) throw error;
  }
}

async function refusalOf(call: Promise<unknown>): Promise<PostriderError> {
  try {
    await call;
  } catch (error) {
    if (isPostriderError(error)) return error;
    throw error;
  }
  throw new Error('The call was expected to be refused.');
}

const sendTo = (to: string) => ({ template: templateKey, to, variables: { name: 'Ada' } });

function registerTests(kind: HostKind): void {
  const test = suite(`joined: ${kind.name} (${kind.dialect})`);
  const each = (name: string, work: (host: HostProgram) => Promise<void>) => test(name, () => withHost(kind, work));

  each('a failed inner call rolls back alone', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      await host.calls.ledger.through({ name: 'e1' }, { trx: handle });
    });
    assert.equal(await host.committed(), { orders: ['o1'], entries: ['e1', 'e1 added'] });
    await rolledBack(host, async ({ handle }) => {
      await host.calls.ledger.through({ name: 'e2' }, { trx: handle });
    });
    assert.equal(await host.committed(), { orders: ['o1'], entries: ['e1', 'e1 added'] });
  });

  each('a new workspace can be used at once, and a rollback removes it', async (host) => {
    const { service } = host.test;
    const namesOf = async () => (await service.workspaces.list()).map(({ name }) => name);
    const before = await namesOf();
    const signUp = async (handle: object, name: string) => {
      const from = { email: 'hello@tenant.example', name };
      const { id } = await service.workspaces.create({ name, defaultFrom: from }, { trx: handle });
      await service.as(id).ledger.add({ name }, { trx: handle });
      return id;
    };
    await rolledBack(host, async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      await signUp(handle, 'Gone');
    });
    assert.equal([await namesOf(), await host.committed()], [before, { orders: [], entries: [] }]);
    const id = await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      return signUp(handle, 'Tenant');
    });
    assert.equal(
      [await namesOf(), await host.committed()],
      [[...before, 'Tenant'], { orders: ['o1'], entries: ['Tenant'] }],
    );
    assert.is((await service.workspaces.read(id)).name, 'Tenant');
    const refused = await refusalOf(
      service.workspaces.create({ name: 'X', defaultFrom: { email: 'a@b.example', name: 'X' } }, {
        trx: undefined,
      } as never),
    );
    assert.is(refused.code, 'validation_failed');
  });

  each("the program's rows and the service's rows commit together", async (host) => {
    const { id } = await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      const sent = await host.calls.email.send(sendTo('ada@example.net'), { trx: handle });
      await insertOrder('o2');
      await host.calls.ledger.add({ name: 'e1' }, { trx: handle });
      assert.equal(await host.committed(), { orders: [], entries: [] }, 'seen from outside before the commit');
      assert.is(await host.traces(), 0);
      return sent;
    });
    assert.equal(await host.committed(), { orders: ['o1', 'o2'], entries: ['e1'] });
    const rows = await host.ask('select id, to_address from postrider_sends');
    assert.equal(
      rows.map((row) => ({ ...row })),
      [{ id, to_address: 'ada@example.net' }],
    );
    await host.test.drain();
    assert.is(host.test.lastMailTo('ada@example.net')?.subject, 'For Ada');
  });

  each("if the program rolls back, the service's rows are rolled back too", async (host) => {
    await rolledBack(host, async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      await host.calls.email.send(sendTo('ada@example.net'), { trx: handle, idempotencyKey: 'k1' });
      await host.calls.ledger.add({ name: 'e1' }, { trx: handle });
    });
    assert.equal(await host.committed(), { orders: [], entries: [] });
    assert.is(await host.traces(), 0);
    await host.test.drain();
    assert.equal(host.test.mail.messages(), []);
  });

  each('concurrent calls on one transaction run one after another', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      const names = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
      const created = await Promise.all(names.map((name) => host.calls.ledger.add({ name }, { trx: handle })));
      assert.equal(
        created.map(({ name }) => name),
        names,
      );
    });
    assert.equal((await host.committed()).entries, ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
  });

  each('a failed call rolls back alone, and the program can continue', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      await host.calls.ledger.add({ name: 'kept' }, { trx: handle });
      const results = [
        await refusalOf(host.calls.ledger.fail({ name: 'fails' }, { trx: handle })),
        await refusalOf(host.calls.ledger.clash({ name: 'clashes' }, { trx: handle })),
        await refusalOf(host.calls.email.send({ ...sendTo('ada@example.net'), template: 'none' }, { trx: handle })),
      ];
      assert.equal(
        results.map(({ code }) => code),
        ['internal_error', 'state_conflict', 'template_not_found'],
      );
      await insertOrder('o2');
      await host.calls.ledger.add({ name: 'kept, too' }, { trx: handle });
    });
    assert.equal(await host.committed(), { orders: ['o1', 'o2'], entries: ['kept', 'kept, too'] });
    const [jobs] = await host.ask("select count(*) as count from postrider_jobs where kind = 'ledger.note'");
    assert.is(Number(jobs?.count), 2, 'a failed call left its job');
  });

  each('a failed call among concurrent calls rolls back alone', async (host) => {
    await host.transaction(async ({ handle }) => {
      const calls = ['e1', 'e2', 'e3', 'e4'].map((name, index) =>
        index % 2 === 0
          ? host.calls.ledger.add({ name }, { trx: handle })
          : host.calls.ledger.clash({ name }, { trx: handle }),
      );
      const results = await Promise.allSettled(calls);
      assert.equal(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      );
    });
    assert.equal((await host.committed()).entries, ['e1', 'e3']);
  });

  each('a call reads the earlier writes of its transaction', async (host) => {
    await host.transaction(async ({ handle }) => {
      const { id } = await host.calls.email.send(sendTo('ada@example.net'), { trx: handle });
      assert.is((await host.calls.sends.read({ id }, { trx: handle })).to, 'ada@example.net');
      const list = await host.calls.sends.list({}, { trx: handle });
      assert.equal(
        list.data.map((send) => send.id),
        [id],
      );
    });
  });

  each('a dry run leaves nothing', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      let jobs: readonly string[] = [];
      const dryRun = (report: { readonly jobs: readonly string[] }) => {
        jobs = report.jobs;
      };
      const { name } = await host.calls.ledger.add({ name: 'dry' }, { trx: handle, dryRun });
      assert.equal([name, ...jobs], ['dry', 'ledger.note']);
    });
    assert.equal(await host.committed(), { orders: ['o1'], entries: [] });
    assert.is(await host.traces(), 0);
  });

  test('aborts a call that exceeds its time and discards its later writes', async () => {
    let release: () => void = () => undefined;
    const hold = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    await withHost(
      kind,
      async (host) => {
        await host.transaction(async ({ handle, insertOrder }) => {
          await insertOrder('o1');
          const late = await refusalOf(host.calls.ledger.linger({ name: 'late' }, { trx: handle }));
          assert.is(late.code, 'request_timeout');
          release();
          await host.calls.ledger.add({ name: 'next' }, { trx: handle });
        });
        assert.equal(await host.committed(), { orders: ['o1'], entries: ['next'] });
      },
      { hooks: { hold } },
    );
  });

  each('an operation that prepares does not accept a transaction', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      // @ts-expect-error the type offers no trx either
      const refused = await refusalOf(host.calls.ledger.prepare({ name: 'p' }, { trx: handle }));
      assert.is(refused.code, 'state_conflict');
      assert.match(refused.message, /trx/);
    });
    assert.equal(await host.committed(), { orders: ['o1'], entries: [] });
  });

  each('a handle whose transaction is over is refused', async (host) => {
    let over: object = {};
    await host.transaction(async ({ handle }) => {
      over = handle;
    });
    let refused = false;
    try {
      await host.calls.ledger.add({ name: 'too late' }, { trx: over });
    } catch {
      refused = true;
    }
    assert.ok(refused, 'a call ran although no transaction was open');
    assert.equal((await host.committed()).entries, []);
  });

  test.run();
}

for (const kind of await hostKinds()) registerTests(kind);
