// Simultaneous sends give the same answers and rows as consecutive sends, in any mixture of calls. On PostgreSQL, simultaneous sends
// share transactions.
// full-run: slow
import { strict as assert } from 'node:assert';
import { createSeededRandomness } from '../../hosts/testing/seeded-randomness.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const seed = process.env.POSTRIDER_TEST_SEED ?? String(Date.now());
const rounds = 4;
const callsPerRound = 40;
/** The budget of the workspace whose budget is used up in the middle of the plan. */
const budget = 9;

/** A call of the plan. */
interface PlannedCall {
  readonly kind: string;
  readonly template: string;
  readonly key: string;
  readonly caller: 'live' | 'sandbox' | 'foreign';
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const names = ['Ada', '', 'İbrahim ß', '漢字 😀', '"quoted" \\ {a,b}', 'NULL', "O'Brien"];

/** A round may contain every kind of call that accepting a send can meet. */
function planCalls(): PlannedCall[][] {
  const random = createSeededRandomness(seed);
  const below = (limit: number): number => (random.bytes(1)[0] ?? 0) % limit;
  const answeredCalls: PlannedCall[] = [];
  const ordinary = (number: string): PlannedCall => ({
    kind: 'ordinary',
    template: 'receipt',
    key: `key ${number} ${names[below(names.length)]}`,
    caller: 'live',
    body: { to: `n${number}@example.org`, variables: { name: names[below(names.length)] } },
  });
  const kinds: ((call: PlannedCall) => PlannedCall)[] = [
    (call) => call,
    (call) => ({
      ...call,
      kind: 'with tags',
      body: { ...call.body, tags: ['a', 'b "c"'], metadata: { order: names[below(names.length)] } },
    }),
    (call) => ({ ...call, kind: 'scheduled', body: { ...call.body, send_at: '2026-01-02T00:00:00.000Z' } }),
    (call) => ({
      ...call,
      kind: 'attachment',
      body: { ...call.body, attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'aGVsbG8=' }] },
    }),
    (call) => ({ ...call, kind: 'sandbox', caller: 'sandbox' }),
    (call) => ({ ...call, kind: 'foreign', caller: 'foreign' }),
    (call) => ({ ...call, kind: 'suppressed', body: { ...call.body, to: 'gone@example.org' } }),
    (call) => ({ ...call, kind: 'marketing', template: 'news' }),
    (call) => ({ ...call, kind: 'missing template', template: 'nothing' }),
    (call) => ({ ...call, kind: 'draft', template: 'draft' }),
    (call) => ({
      ...call,
      kind: 'wrong sender',
      body: { ...call.body, from: { email: 'ada@elsewhere.example', name: 'Ada' } },
    }),
    (call) => ({ ...call, kind: 'missing variable', body: { ...call.body, variables: {} } }),
    (call) => ({ ...call, kind: 'dry run', headers: { 'dry-run': 'true' } }),
    (call) => ({ ...(answeredCalls[below(Math.max(1, answeredCalls.length))] ?? call), kind: 'replay' }),
    (call) => ({
      ...(answeredCalls[below(Math.max(1, answeredCalls.length))] ?? call),
      kind: 'mismatch',
      body: { to: 'other@example.org', variables: { name: 'Ada' } },
    }),
  ];
  return Array.from({ length: rounds }, (_, round) => {
    const calls = Array.from({ length: callsPerRound }, (_call, index) => {
      // Each kind comes once, and the other calls are random. Two calls of one round never have the same key, because either of them may
      // run.
      const call = ordinary(`${round}-${index}`);
      return (kinds[index < kinds.length ? index : below(kinds.length)] ?? ((same) => same))(call);
    });
    const distinct = [...new Map(calls.map((call) => [`${call.caller} ${call.template} ${call.key}`, call])).values()];
    answeredCalls.push(
      ...distinct.filter(({ kind, caller }) => caller === 'live' && kind !== 'replay' && kind !== 'mismatch'),
    );
    return distinct;
  });
}

const masked = (text: string): string =>
  // An id, a unique id, and the hash of a person in a workspace
  text
    .replace(/"@[\w-]{32}"/g, '"@…"')
    .replace(/\b([a-z]+_)[0-9A-HJKMNP-TV-Za-z]{16,}\b/g, '$1…')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');

/** Secrets, random values, and values that depend on the process. */
const unequal = new Set(['sealed', 'lease', 'secret', 'fingerprint', 'message_id', 'content', 'nonce']);

async function rowsOf(bench: MailBench): Promise<Record<string, string[]>> {
  const { driver, prefix } = await bench.service.core.database();
  const tables = [
    'sends',
    'send_tags',
    'send_attachments',
    'send_events',
    'outbox',
    'jobs',
    'audit',
    'idempotency',
    'budgets',
  ];
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows } = await driver.read((connection) =>
      connection.query({ sql: `select * from ${prefix}${table}`, parameters: [] }),
    );
    found[table] = rows
      .map((row) => masked(JSON.stringify(Object.entries(row).filter(([name]) => !unequal.has(name)))))
      .sort();
  }
  return found;
}

/** The number of transactions that wrote audit entries of accepted sends. PostgreSQL only. */
async function transactionsOf(bench: MailBench): Promise<{ readonly transactions: number; readonly entries: number }> {
  const { driver, prefix } = await bench.service.core.database();
  const sql = `select count(distinct xmin::text) as transactions, count(*) as entries from ${prefix}audit where action = 'transactional.send'`;
  const { rows } = await driver.read((connection) => connection.query({ sql, parameters: [] }));
  return rows[0] as { transactions: number; entries: number };
}

interface Result {
  readonly answers: readonly string[];
  readonly rows: Record<string, string[]>;
  readonly shared: { readonly transactions: number; readonly entries: number } | undefined;
}

/** Runs the plan on new tables. */
async function run(database: TestDatabase, together: boolean): Promise<Result> {
  const bench = await openMailBench(database, { plans: { hobby: { monthlySendBudget: budget } } });
  try {
    await bench.publish('receipt', {
      variables: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    await bench.publish('news', { category: 'marketing' });
    await bench.request('/v1/templates', {
      body: { key: 'draft', mode: 'html', subject: 'Draft', body: '<p>Draft</p>' },
    });
    await bench.request('/v1/suppressions', { body: { email: 'gone@example.org' } });
    const { foreignWorkspaceId } = bench;
    const foreign = bench.service.as(foreignWorkspaceId);
    await foreign.templates.create({ key: 'receipt', mode: 'html', subject: 'Other', body: '<p>Other</p>' });
    await foreign.templates.publish({ key: 'receipt' });
    await bench.service.workspaces.update(foreignWorkspaceId, { plan: 'hobby' });
    const scopes = ['templates:send'];
    const otherKey = await bench.service.keys.create({ workspaceId: foreignWorkspaceId, name: 'foreign', scopes });
    const keys = {
      live: bench.liveKey,
      sandbox: bench.testKey,
      foreign: otherKey.secret,
    };
    const call = async ({ kind, template, key, caller, body, headers }: PlannedCall): Promise<string> => {
      const {
        status,
        headers: answered,
        body: answer,
      }: TestResponse = await bench.send(template, body, {
        key: keys[caller],
        headers: { 'idempotency-key': key, ...headers },
      });
      // Only the number of calls that use up a budget is fixed, not which calls do.
      const who = caller === 'foreign' ? '' : `${template} ${key}`;
      const outcome = who === '' ? (answer.error?.code ?? 'accepted') : JSON.stringify(answer);
      return masked(`${caller} ${kind} ${who} ${status} ${answered['idempotent-replayed'] ?? ''} ${outcome}`);
    };
    const answers: string[] = [];
    for (const calls of planCalls()) {
      if (together) answers.push(...(await Promise.all(calls.map(call))));
      else for (const one of calls) answers.push(await call(one));
      bench.advanceClock(1_000);
    }
    const shared = database.name === 'postgres' ? await transactionsOf(bench) : undefined;
    return { answers: answers.sort(), rows: await rowsOf(bench), shared };
  } finally {
    await bench.close();
  }
}

/** The rows without the values that identify a call, because only some calls of a group are accepted. */
const withoutCallIds = (rows: readonly string[]): string[] =>
  rows.map((row) => row.replace(/n\d+-\d+@example\.org|key \d+-\d+ [^"]*/g, '…')).sort();

await eachDatabase('sends that begin together', (test, database) => {
  test(`simultaneous sends give the same answers and rows as consecutive sends (seed ${seed})`, async () => {
    const alone = await run(database, false);
    const together = await run(database, true);
    assert.deepEqual(together.answers, alone.answers);
    for (const [table, rows] of Object.entries(alone.rows))
      assert.deepEqual(withoutCallIds(together.rows[table] ?? []), withoutCallIds(rows), table);
    // This checks the test: the plan was carried out, and calls shared transactions.
    assert.ok((alone.rows['sends'] ?? []).length > rounds * 10);
    if (alone.shared === undefined || together.shared === undefined) return;
    assert.equal(alone.shared.transactions, alone.shared.entries);
    assert.ok(together.shared.transactions < together.shared.entries / 2, JSON.stringify(together.shared));
  });

  test('simultaneous sends with one key run once', async () => {
    const bench = await openMailBench(database);
    try {
      await bench.publish('receipt');
      for (const round of [0, 1, 2]) {
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            bench.send(
              'receipt',
              { to: `k${index % 3}@example.org`, variables: { name: 'Ada' } },
              { headers: { 'idempotency-key': `same-${round}-${index % 3}` } },
            ),
          ),
        );
        for (const key of [0, 1, 2]) {
          const ofKey = answers.filter((_, index) => index % 3 === key);
          const ids = new Set(ofKey.filter(({ status }) => status === 202).map(({ body }) => body.id));
          assert.equal(ids.size, 1);
          for (const { status, body } of ofKey)
            assert.ok(status === 202 || body.error.code === 'idempotency_key_in_progress', JSON.stringify(body));
        }
      }
      assert.equal((await bench.request('/v1/sends?limit=100')).body.data.length, 9);
    } finally {
      await bench.close();
    }
  });
});
