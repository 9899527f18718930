// The cost of starting the built command line for commands that need no service: run `npm run build` first, then
// `npx tsx test/bench/commands.ts [--rounds 20]`. Milliseconds of processor time, compared with a process that does nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../support/bundle.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const program = join(root, 'dist/hosts/cli/main.js');
const calls: Readonly<Record<string, readonly string[]>> = {
  nothing: ['--eval', '0'],
  '--version': [program, '--version'],
  '--help': [program, '--help'],
  init: [program, 'init', '--yes'],
};
const folder = mkdtempSync(join(tmpdir(), 'postrider-commands-'));
const report = join(folder, 'report.cjs');
writeFileSync(
  report,
  `process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    require('node:fs').writeSync(2, '\\nused ' + (userCPUTime + systemCPUTime) + '\\n');
  });`,
);

function usedBy(words: readonly string[]): number {
  const cwd = mkdtempSync(join(folder, 'project-'));
  const { stderr, status } = spawnSync(process.execPath, ['--require', report, ...words], { cwd, encoding: 'utf8' });
  const usedMs = Number(/used (\d+)/.exec(stderr)?.[1]) / 1_000;
  if (status !== 0 || Number.isNaN(usedMs)) throw new Error(`${words.join(' ')}: ${stderr}`);
  return usedMs;
}

const runs = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const [name, words] of Object.entries(calls)) runs.get(name)?.push(usedBy(words));
rmSync(folder, { recursive: true });

const table = [...runs].map(([command, usedTimes]) => {
  const sortedTimes = usedTimes.sort((one, other) => one - other);
  const [min = Number.NaN] = sortedTimes;
  const median = sortedTimes[sortedTimes.length >> 1] ?? Number.NaN;
  return { command, 'cpu ms, min': Math.round(min), 'cpu ms, median': Math.round(median) };
});
console.table(table);
console.log(JSON.stringify({ rounds: Number(values.rounds), table }));
