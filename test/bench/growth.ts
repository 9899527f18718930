/*
 * The growth of costs: the cost of the hot statements and of retention at 10,000 rows of everything and at many more, and with
 * 10,000 workspaces. `npx tsx test/bench/growth.ts [--storage sqlite|postgres|mariadb] [--rows 1000000]
 * [--workspaces 10000] [--rounds 8]`. A ratio of 1 means no growth.
 */
import { parseArgs } from 'node:util';
import { dataFolder } from './contestant-process.ts';
import { type GrownService, openGrown, openGrowthDatabase, type Unit } from './growth-service.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '1000000' },
    workspaces: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '8' },
  },
});
const rows = Number(values.rows);
const workspaces = Number(values.workspaces);
const rounds = Number(values.rounds);
const few = 10_000;

/** Milliseconds per unit. */
async function timeOf({ run, times }: Unit): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; count < times; count += 1) await run();
  return (performance.now() - startedAt) / times;
}

/** Each round measures the services one after another. The minimum of each service counts, because other load can only add time. */
async function compare(name: string, services: readonly GrownService[]): Promise<number[]> {
  const units = services.map(({ units: of }) => of[name] as Unit);
  for (const unit of units) await timeOf(unit);
  const times: number[][] = units.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, unit] of units.entries()) times[index]?.push(await timeOf(unit));
  }
  const min = times.map((own) => Math.min(...own));
  const ratios = min.map((time) => time / (min[0] ?? Number.NaN));
  const cells = min.map((time, index) => `${time.toFixed(3).padStart(9)} ms × ${ratios[index]?.toFixed(2)}`);
  console.log(`${name.padEnd(34)} ${cells.join('  ')}`);
  return ratios.map((ratio) => Number(ratio.toFixed(2)));
}

const machine = await describeMachine(dataFolder);
if (machine.busyBefore > 0.1) console.log(`Something else was running (${machine.busyBefore} of all cores).`);
const target = await openGrowthDatabase(values.storage);
try {
  const services = [
    await openGrown(target, 'few_', { rows: few, spread: 1 }),
    await openGrown(target, 'many_', { rows, spread: 1 }),
    await openGrown(target, 'wide_', { rows: few, spread: workspaces }),
  ];
  for (const { name, filledMs } of services) console.log(`${name} filled in ${(filledMs / 1_000).toFixed(1)} s`);
  console.log(`\n${values.storage}: ${services.map(({ name }) => name).join(' · ')}`);
  const ratios: Record<string, number[]> = {};
  for (const name of Object.keys(services[0]?.units ?? {})) ratios[name] = await compare(name, services);
  console.log(
    `\n${JSON.stringify({ workload: 'growth', storage: values.storage, rows, workspaces, rounds, machine, ratios })}`,
  );
  for (const service of services) await service.close();
} finally {
  await target.remove();
}
