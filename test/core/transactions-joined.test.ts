// time-limit: 900
// Calls that join a transaction of the embedding program, for every kind of handle: the rows of the program and of the service are
// committed together or not at all, and a failing call rolls back only itself.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError, type PostriderError } from '../../core/contract/errors/errors.ts';
import { type HostKind, type HostProgram, hostKinds, templateKey, withHost } from './transactions-hosts.ts';

class RollbackRequested extends Error {}

/** Runs a transaction of the program, and rolls it back. */
async function rollBack(host: HostProgram, work: Parameters<HostProgram['transaction']>[0]): Promise<void> {
  try {
    await host.transaction(async (transaction) => {
      await work(transaction);
      throw new RollbackRequested();
    });
  } catch (error) {
    if (!(error instanceof RollbackRequested)) throw error;
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

  each('a failed inner call rolls back only itself', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      await host.calls.ledger.through({ name: 'e1' }, { trx: handle });
    });
    assert.equal(await host.committed(), { orders: ['o1'], entries: ['e1', 'e1 added'] });
    await rollBack(host, async ({ handle }) => {
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
    await rollBack(host, async ({ handle, insertOrder }) => {
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
    const refusalCode = await refusalOf(
      service.workspaces.create({ name: 'X', defaultFrom: { email: 'a@b.example', name: 'X' } }, {
        trx: undefined,
      } as never),
    );
    assert.is(refusalCode.code, 'validation_failed');
  });

  each('the rows of the program and of the service are committed together', async (host) => {
    const { id } = await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      const send = await host.calls.email.send(sendTo('ada@example.net'), { trx: handle });
      await insertOrder('o2');
      await host.calls.ledger.add({ name: 'e1' }, { trx: handle });
      assert.equal(
        await host.committed(),
        { orders: [], entries: [] },
        'the send is visible outside before the commit',
      );
      assert.is(await host.countServiceRows(), 0);
      return send;
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

  each('if the program rolls back, the rows of the service are rolled back, too', async (host) => {
    await rollBack(host, async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      await host.calls.email.send(sendTo('ada@example.net'), { trx: handle, idempotencyKey: 'k1' });
      await host.calls.ledger.add({ name: 'e1' }, { trx: handle });
    });
    assert.equal(await host.committed(), { orders: [], entries: [] });
    assert.is(await host.countServiceRows(), 0);
    await host.test.drain();
    assert.equal(host.test.mail.messages(), []);
  });

  each('simultaneous calls in one transaction run one after another', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      const names = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
      const entries = await Promise.all(names.map((name) => host.calls.ledger.add({ name }, { trx: handle })));
      assert.equal(
        entries.map(({ name }) => name),
        names,
      );
    });
    assert.equal((await host.committed()).entries, ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
  });

  each('a failed call rolls back only itself, and the program can continue', async (host) => {
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
    assert.is(Number(jobs?.count), 2, 'a job of a failed call was stored');
  });

  each('a failed call among simultaneous calls rolls back only itself', async (host) => {
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

  each('a dry run stores nothing', async (host) => {
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
    assert.is(await host.countServiceRows(), 0);
  });

  test('a call that exceeds its time is aborted, and its later writes are discarded', async () => {
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
          const failure = await refusalOf(host.calls.ledger.linger({ name: 'late' }, { trx: handle }));
          assert.is(failure.code, 'request_timeout');
          release();
          await host.calls.ledger.add({ name: 'next' }, { trx: handle });
        });
        assert.equal(await host.committed(), { orders: ['o1'], entries: ['next'] });
      },
      { hooks: { hold } },
    );
  });

  each('an operation with a preparation does not accept a transaction', async (host) => {
    await host.transaction(async ({ handle, insertOrder }) => {
      await insertOrder('o1');
      // @ts-expect-error the type offers no trx either
      const failure = await refusalOf(host.calls.ledger.prepare({ name: 'p' }, { trx: handle }));
      assert.is(failure.code, 'state_conflict');
      assert.match(failure.message, /trx/);
    });
    assert.equal(await host.committed(), { orders: ['o1'], entries: [] });
  });

  each('a handle is refused if its transaction has ended', async (host) => {
    let endedHandle: object = {};
    await host.transaction(async ({ handle }) => {
      endedHandle = handle;
    });
    let wasRefused = false;
    try {
      await host.calls.ledger.add({ name: 'too late' }, { trx: endedHandle });
    } catch {
      wasRefused = true;
    }
    assert.ok(wasRefused, 'a call ran although no transaction was open');
    assert.equal((await host.committed()).entries, []);
  });

  test.run();
}

for (const kind of await hostKinds()) registerTests(kind);
