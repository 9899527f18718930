/*
 * The harness of the workloads that run in this process: measures a floor and contestants in turn (A B A B), and prints a table
 * and one JSON line. Used by render.ts and list.ts.
 */
import { parseArgs } from 'node:util';
import { dataFolder } from './contestant-process.ts';
import { describeMachine, type MachineState } from './machine.ts';

/** A floor or contestant. It is warmed up for as long as it is measured. */
export interface Runner {
  readonly name: string;
  /** Does one unit of the work. May return a promise. */
  run(): unknown;
}

/** The options of the command line. */
export interface InProcessOptions {
  readonly rounds: number;
  readonly seconds: number;
}

/** Reads `--rounds` and `--seconds`. The caller reads further options. */
export function inProcessOptions(): InProcessOptions {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '1' } },
    strict: false,
  });
  return { rounds: Number(values.rounds), seconds: Number(values.seconds) };
}

/** Units per second. */
async function measureOnce({ run }: Runner, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  let units = 0;
  while (performance.now() < end) {
    for (let index = 0; index < 20; index += 1) {
      const result = run();
      if (result instanceof Promise) await result;
    }
    units += 20;
  }
  return (units / (performance.now() - startedAt)) * 1_000;
}

const sortedValues = (values: readonly number[]): number[] => [...values].sort((left, right) => left - right);
const median = (values: readonly number[]): number => sortedValues(values)[values.length >> 1] ?? 0;
const format = (value: number): string => Math.round(value).toLocaleString('en');

/** Measures the runners in turn and prints. Returns each runner's median ratio to the first runner's rate in the same round. */
export async function compareInProcess(
  workload: string,
  runners: readonly Runner[],
  { rounds, seconds }: InProcessOptions,
): Promise<{ readonly machine: MachineState; readonly ratios: Readonly<Record<string, number>> }> {
  const machine = await describeMachine(dataFolder);
  if (machine.busyBefore > 0.1) console.log(`Something else was running (${machine.busyBefore} of all cores).`);
  for (const runner of runners) await measureOnce(runner, seconds);
  const rates = new Map<string, number[]>(runners.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const runner of runners) rates.get(runner.name)?.push(await measureOnce(runner, seconds));
  }
  const floor = rates.get(runners[0]?.name ?? '') ?? [];
  const ratios: Record<string, number> = {};
  console.log(`\n${workload}`);
  for (const [name, values] of rates) {
    const ratio = median(values.map((value, round) => value / (floor[round] ?? Number.NaN)));
    ratios[name] = Number(ratio.toFixed(3));
    const [min, max] = [sortedValues(values)[0] ?? 0, sortedValues(values).at(-1) ?? 0];
    console.log(
      `${name.padEnd(28)} ${format(median(values)).padStart(9)}/s  ${ratio.toFixed(3)} × floor  (${format(min)} to ${format(max)})`,
    );
  }
  const medians = Object.fromEntries([...rates].map(([name, values]) => [name, Math.round(median(values))]));
  console.log(JSON.stringify({ workload, machine, medians, ratios }));
  return { machine, ratios };
}
