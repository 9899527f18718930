// The cost of the log of requests for a small read and for a send: the same calls with the log and without it, in turn, in process.
// `npx tsx test/bench/request-log.ts [--storage sqlite|postgres|mariadb] [--rounds 20] [--calls 400]`. Prints the processor time of a
// call, which contains its share of writing the rows, and the median of the ratios of each round's pair.
import { parseArgs } from 'node:util';
import { type DatabaseKind, withDatabase } from '../faults/databases.ts';
import { createMailService, post, seed, storageOf } from '../faults/mail-service.ts';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '20' },
    calls: { type: 'string', default: '400' },
  },
});
const [rounds, calls] = [Number(values.rounds), Number(values.calls)];
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const roundThousandths = (number: number): number => Math.round(number * 1_000) / 1_000;
const atOnce = 16;

await withDatabase(values.storage as DatabaseKind, async (location) => {
  const open = (requestLog: boolean) => createMailService({ storage: storageOf(location), requestLog });
  const services = { without: open(false), with: open(true) };
  const { workspaceId } = await seed(services.without);
  const { secret: key } = await services.without.keys.create({ workspaceId, name: 'bench', preset: 'full' });
  let sentCount = 0;
  const work = {
    read: async (service: (typeof services)['with']) => {
      const headers = { authorization: `Bearer ${key}` };
      const { status } = await service.dispatch({ method: 'GET', url: '/v1/workspace', headers, body: undefined });
      if (status !== 200) throw new Error(`A read was answered ${status}.`);
    },
    send: async (service: (typeof services)['with']) => {
      sentCount += 1;
      const body = { to: `bench-${sentCount}@example.net`, variables: { name: 'Ada' } };
      const { status } = await post(service, key, '/v1/templates/fault-receipt/send', body, `log-${sentCount}`);
      if (status !== 202) throw new Error(`A send was answered ${status}.`);
    },
  };
  /** Microseconds of processor time of a call, with what it leaves to be written. */
  const measure = async (variant: keyof typeof services, kind: keyof typeof work): Promise<number> => {
    const service = services[variant];
    const before = process.cpuUsage();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let doneCount = 0; doneCount < calls / atOnce; doneCount += 1) await work[kind](service);
      }),
    );
    await service.settle({ budgetMs: 0 });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  };
  const table = [];
  for (const kind of Object.keys(work) as (keyof typeof work)[]) {
    for (let warm = 0; warm < 3; warm += 1)
      for (const variant of ['without', 'with'] as const) await measure(variant, kind);
    const pairs: Record<keyof typeof services, number>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const pair = { without: 0, with: 0 };
      for (const variant of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const))
        pair[variant] = await measure(variant, kind);
      pairs.push(pair);
    }
    table.push({
      call: kind,
      'without the log, µs': Math.round(median(pairs.map((pair) => pair.without))),
      'with the log, µs': Math.round(median(pairs.map((pair) => pair.with))),
      'with / without': roundThousandths(median(pairs.map((pair) => pair.with / pair.without))),
    });
  }
  for (const service of Object.values(services)) await service.stop();
  console.table(table);
  console.log(JSON.stringify({ ...values, table }));
});
