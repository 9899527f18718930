// How long a process takes to import the built package with the standard plugins and a storage, compared with Fastify. Processes
// start, import and end in turn. Run `npm run build` first.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from '../support/bundle.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);

const programs = {
  node: '',
  fastify: "import 'fastify';",
  postrider: "import 'postrider'; import 'postrider/plugins'; import 'postrider/adapters/storage/sqlite';",
};
type Name = keyof typeof programs;
const names = Object.keys(programs) as Name[];

const printUsage =
  ' const { userCPUTime, systemCPUTime } = process.resourceUsage(); console.log(userCPUTime + systemCPUTime);';

/** Milliseconds from start to end of one process: wall-clock time and processor time. */
function runOnce(name: Name): { readonly wall: number; readonly cpu: number } {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', programs[name] + printUsage],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return { wall: performance.now() - started, cpu: Number(stdout) / 1000 };
}

const runs = new Map<Name, { readonly wall: number; readonly cpu: number }[]>(names.map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) for (const name of names) runs.get(name)?.push(runOnce(name));

function middle(name: Name, kind: 'wall' | 'cpu'): { readonly min: number; readonly median: number } {
  const sorted = (runs.get(name) ?? []).map((run) => run[kind]).sort((a, b) => a - b);
  return { min: sorted[0] ?? Number.NaN, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
}

const table = names.map((name) => ({
  program: name,
  'wall ms, least': Math.round(middle(name, 'wall').min),
  'wall ms, median': Math.round(middle(name, 'wall').median),
  'cpu ms, median': Math.round(middle(name, 'cpu').median),
  '× fastify, wall': (middle(name, 'wall').median / middle('fastify', 'wall').median).toFixed(2),
  '× fastify, cpu': (middle(name, 'cpu').median / middle('fastify', 'cpu').median).toFixed(2),
}));
console.table(table);
console.log(JSON.stringify({ rounds, table }));
