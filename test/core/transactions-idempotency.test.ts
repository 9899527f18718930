// time-limit: 240
// One key has one effect: inside the program's transaction, after it, and in a call outside of it, for every kind of handle.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { type HostKind, type HostProgram, hostKinds, withHost } from './transactions-hosts.ts';

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'none';
  } catch (error) {
    if (isPostriderError(error)) return error.code;
    throw error;
  }
}

const key = { idempotencyKey: 'k1' };

function registerTests(kind: HostKind): void {
  const test = suite(`idempotency in ${kind.name} (${kind.dialect})`);
  const each = (name: string, work: (host: HostProgram) => Promise<void>) => test(name, () => withHost(kind, work));

  each(
    'a call is replayed in the same transaction, in the next transaction, and without a transaction',
    async (host) => {
      const { add } = host.calls.ledger;
      const first = await host.transaction(async ({ handle }) => {
        const first = await add({ name: 'e1' }, { trx: handle, ...key });
        assert.equal(await add({ name: 'e1' }, { trx: handle, ...key }), first);
        return first;
      });
      await host.transaction(async ({ handle }) => {
        assert.equal(await add({ name: 'e1' }, { trx: handle, ...key }), first);
      });
      assert.equal(await add({ name: 'e1' }, key), first);
      assert.equal((await host.committed()).entries, ['e1']);
    },
  );

  each('after a rollback of the program, a call runs again', async (host) => {
    const { add } = host.calls.ledger;
    let forgotten = '';
    const rollback = host.transaction(async ({ handle }) => {
      forgotten = (await add({ name: 'e1' }, { trx: handle, ...key })).id;
      throw new Error('changed its mind');
    });
    assert.match(await rollback.then(String, String), /changed its mind/);
    const secondCall = await host.transaction(({ handle }) => add({ name: 'e1' }, { trx: handle, ...key }));
    assert.is.not(secondCall.id, forgotten);
    assert.equal((await host.committed()).entries, ['e1']);
  });

  each('a call with the key of another request is refused', async (host) => {
    const { add } = host.calls.ledger;
    await host.transaction(async ({ handle }) => {
      await add({ name: 'e1' }, { trx: handle, ...key });
      assert.is(await codeOf(add({ name: 'e2' }, { trx: handle, ...key })), 'idempotency_key_mismatch');
    });
    assert.equal((await host.committed()).entries, ['e1']);
  });

  each('a failed call stores nothing', async (host) => {
    const { clash } = host.calls.ledger;
    await host.transaction(async ({ handle }) => {
      assert.is(await codeOf(clash({ name: 'e1' }, { trx: handle, ...key })), 'state_conflict');
      assert.is(await codeOf(clash({ name: 'e2' }, { trx: handle, ...key })), 'state_conflict');
    });
    assert.is(await host.countServiceRows(), 0);
  });

  each('a concurrent call outside of the open transaction has no second effect', async (host) => {
    const { add } = host.calls.ledger;
    let separateCall: Promise<string> = Promise.resolve('');
    const first = await host.transaction(async ({ handle, insertOrder }) => {
      const first = await add({ name: 'e1' }, { trx: handle, ...key });
      separateCall = codeOf(add({ name: 'e1' }, key));
      // With a separate pool the service can respond at once, so it must not wait for the transaction.
      if (/pool of one/.test(kind.name)) assert.is(await separateCall, 'idempotency_key_in_progress');
      await insertOrder('o1');
      return first;
    });
    if (!/pool of one/.test(kind.name)) assert.is(await separateCall, 'none');
    assert.equal(await add({ name: 'e1' }, key), first);
    assert.equal(await host.committed(), { orders: ['o1'], entries: ['e1'] });
  });

  test.run();
}

for (const kind of await hostKinds()) registerTests(kind);
