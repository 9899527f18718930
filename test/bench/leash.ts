// The cost of a leash for a send: the same sends with a leashed key and with a key without a leash, in turn, in process.
// `npx tsx test/bench/leash.ts [--storage sqlite|postgres|mariadb] [--rounds 20] [--sends 100]`. Prints the time of a send for
// each key, the median of the ratios of each round's pair, and the number of statements of a call of each key.
import { parseArgs } from 'node:util';
import { type DatabaseKind, withDatabase } from '../faults/databases.ts';
import { createMailService, post, seed, storageOf } from '../faults/mail-service.ts';
import { recordStatements } from '../support/recorded-statements.ts';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '20' },
    sends: { type: 'string', default: '100' },
  },
});
const [rounds, sends] = [Number(values.rounds), Number(values.sends)];
const leash = { sendsPerHour: 1_000_000, recipientsPerDay: 1_000_000 };
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const roundThousandths = (number: number): number => Math.round(number * 1_000) / 1_000;

await withDatabase(values.storage as DatabaseKind, async (location) => {
  const { storage, statements: recordedStatements } = recordStatements(storageOf(location));
  const service = createMailService({ storage });
  const { workspaceId } = await seed(service);
  const fields = { workspaceId, name: 'agent', mode: 'mcp', preset: 'send' } as const;
  const keys = {
    plain: (await service.keys.create(fields)).secret,
    leashed: (await service.keys.create({ ...fields, leash })).secret,
  };
  let calls = 0;
  const send = async (key: string): Promise<void> => {
    calls += 1;
    const body = { to: `bench-${calls}@example.net`, variables: { name: 'Ada' } };
    const { status } = await post(service, key, '/v1/templates/fault-receipt/send', body, `bench-${calls}`);
    if (status !== 202) throw new Error(`A send was answered ${status}.`);
  };
  /** Milliseconds of a send. */
  const measure = async (key: string, atOnce: number): Promise<number> => {
    const began = performance.now();
    const callers = Array.from({ length: atOnce }, async () => {
      for (let sentCount = 0; sentCount < sends / atOnce; sentCount += 1) await send(key);
    });
    await Promise.all(callers);
    return (performance.now() - began) / sends;
  };
  const table = [];
  for (const atOnce of [1, 16]) {
    for (const key of Object.values(keys)) await measure(key, atOnce);
    const pairs: { readonly plain: number; readonly leashed: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (['plain', 'leashed'] as const) : (['leashed', 'plain'] as const);
      const pair = { plain: 0, leashed: 0 };
      for (const kind of order) pair[kind] = await measure(keys[kind], atOnce);
      pairs.push(pair);
    }
    table.push({
      'at once': atOnce,
      'without a leash, ms': roundThousandths(median(pairs.map(({ plain }) => plain))),
      'with a leash, ms': roundThousandths(median(pairs.map(({ leashed }) => leashed))),
      'leashed / plain': roundThousandths(median(pairs.map(({ plain, leashed }) => leashed / plain))),
    });
  }
  const statements: Record<string, number> = {};
  for (const [name, key] of Object.entries(keys)) {
    recordedStatements.clear();
    await send(key);
    statements[name] = recordedStatements.size;
  }
  await service.stop();
  console.table(table);
  console.log(JSON.stringify({ storage: values.storage, rounds, sends, table, statements }));
});
