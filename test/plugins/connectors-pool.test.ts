// The adapters that a process keeps for connectors: a timer closes unused adapters, even if no other adapter is used.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAdapterPool } from '../../plugins/connectors/adapter-pool.ts';
import { gate } from '../support/job-bench.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const owner = { id: 'con_1', workspaceId: 'ws_1', kind: 'mail' };

const test = suite('the pool of adapters');

test('a timer closes an unused adapter, but not an adapter in use', async () => {
  let time = 0;
  const pool = createAdapterPool({ idleMs: 5, now: () => time, log: silent });
  const closed = gate();
  let isClosed = false;
  const adapter = {
    id: 'one',
    close: async () => {
      isClosed = true;
      closed.open();
    },
  };
  // The pool's timer does not keep the process alive.
  const alive = setInterval(() => undefined, 1_000);
  try {
    const work = gate();
    const using = pool.use(
      owner,
      1,
      () => adapter,
      () => work.passed,
    );
    time = 1_000;
    pool.closeIdle();
    assert.is(isClosed, false);
    work.open();
    await using;
    time = 2_000;
    await closed.passed;
  } finally {
    clearInterval(alive);
    await pool.close();
  }
});

test('adapters of removed connectors are closed; adapters of other workspaces and kinds stay', async () => {
  const pool = createAdapterPool({ idleMs: 60_000, now: () => 0, log: silent });
  const closedIds: string[] = [];
  const use = (id: string, workspaceId: string, kind: string) =>
    pool.use(
      { id, workspaceId, kind },
      1,
      () => ({ id, close: async () => void closedIds.push(id) }),
      async () => id,
    );
  await use('con_1', 'ws_1', 'mail');
  await use('con_2', 'ws_1', 'mail');
  await use('con_3', 'ws_2', 'mail');
  await use('con_4', 'ws_1', 'sms');
  pool.retireOthers({ workspaceId: 'ws_1', kind: 'mail' }, [{ id: 'con_2' }]);
  await pool.close();
  assert.equal([closedIds[0], [...closedIds].sort()], ['con_1', ['con_1', 'con_2', 'con_3', 'con_4']]);
});

test.run();
