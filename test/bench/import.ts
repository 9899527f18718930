// The time that a process takes to import the built package with the standard plugins and a storage, compared with Fastify, and its
// memory afterwards. Processes start, import and end in turn. `--before FOLDER` adds the built package of another checkout. With
// `--plugins`, each plugin alone, beyond the core. Run `npm run build` first.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../support/bundle.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    before: { type: 'string' },
    plugins: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

const parts = ['core/index', 'plugins/index', 'adapters/storage/sqlite'];
const filesIn = (folder: string, names: readonly string[]): string[] =>
  names.map((name) => join(resolve(folder), 'dist', `${name}.js`));
const importing = (files: readonly string[]): string =>
  files.map((file) => `import ${JSON.stringify(file)};`).join(' ');

const programs: Readonly<Record<string, string>> = {
  node: '',
  fastify: "import 'fastify';",
  ...(values.before === undefined ? {} : { before: importing(filesIn(values.before, parts)) }),
  postrider: importing(filesIn(root, parts)),
};
const folders = readdirSync(join(root, 'dist/plugins'), { withFileTypes: true });
const plugins = folders.filter((entry) => entry.isDirectory() && entry.name !== 'kit').map(({ name }) => name);
const filesOfPlugin = (name: string): string[] => filesIn(root, ['core/index', `plugins/${name}/index`]);
const pluginPrograms: Readonly<Record<string, string>> = {
  core: importing(filesIn(root, ['core/index'])),
  ...Object.fromEntries(plugins.map((name) => [name, importing(filesOfPlugin(name))])),
};

const printUsage =
  ' const { userCPUTime, systemCPUTime } = process.resourceUsage(); console.log(userCPUTime + systemCPUTime, process.memoryUsage().rss);';

/** Milliseconds from start to end of one process, its processor time, and its memory in MB. */
function runOnce(program: string): { readonly wall: number; readonly cpu: number; readonly memory: number } {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program + printUsage],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  const [cpu = Number.NaN, memory = Number.NaN] = stdout.trim().split(' ').map(Number);
  return { wall: performance.now() - started, cpu: cpu / 1000, memory: memory / 1_000_000 };
}

type Run = ReturnType<typeof runOnce>;

/** Runs all programs in each round, in the opposite order in every second one. */
function runAll(sources: Readonly<Record<string, string>>): ReadonlyMap<string, readonly Run[]> {
  const names = Object.keys(sources);
  const runs = new Map<string, Run[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) runs.get(name)?.push(runOnce(sources[name] ?? ''));
  return runs;
}

function minAndMedian(runs: readonly Run[] = [], kind: keyof Run): { readonly min: number; readonly median: number } {
  const sorted = runs.map((run) => run[kind]).sort((a, b) => a - b);
  return { min: sorted[0] ?? Number.NaN, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
}

/** The files that an import of these files reads, without packages. */
function readFiles(files: readonly string[]): ReadonlySet<string> {
  const all = new Set(files);
  for (const file of all)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*"(\.[^"]+\.js)"/g))
      all.add(join(dirname(file), target));
  return all;
}

const sizeOf = (files: ReadonlySet<string>): number =>
  Math.round([...files].reduce((sum, file) => sum + readFileSync(file).length, 0) / 1000);

function comparedWithFastify(): object[] {
  const runs = runAll(programs);
  const fastify = runs.get('fastify');
  const table = [...runs].map(([program, list]) => ({
    program,
    'wall ms, min': Math.round(minAndMedian(list, 'wall').min),
    'wall ms, median': Math.round(minAndMedian(list, 'wall').median),
    'cpu ms, min': Math.round(minAndMedian(list, 'cpu').min),
    'cpu ms, median': Math.round(minAndMedian(list, 'cpu').median),
    '× fastify, wall': (minAndMedian(list, 'wall').median / minAndMedian(fastify, 'wall').median).toFixed(2),
    '× fastify, cpu': (minAndMedian(list, 'cpu').median / minAndMedian(fastify, 'cpu').median).toFixed(2),
    'MB, median': Math.round(minAndMedian(list, 'memory').median),
  }));
  const files = readFiles(filesIn(root, parts));
  console.log(`Postrider: ${files.size} files, ${sizeOf(files)} kB`);
  return table;
}

/** The processor time and the code of each plugin beyond the core. A plugin that imports another one includes both. */
function costOfPlugins(): object[] {
  const runs = runAll(pluginPrograms);
  const core = minAndMedian(runs.get('core'), 'cpu');
  const coreFiles = readFiles(filesIn(root, ['core/index']));
  const rows = [...runs].map(([plugin, list]) => {
    const files =
      plugin === 'core'
        ? coreFiles
        : new Set([...readFiles(filesOfPlugin(plugin))].filter((file) => !coreFiles.has(file)));
    return {
      plugin,
      'cpu ms beyond the core, min': Math.round(minAndMedian(list, 'cpu').min - core.min),
      'cpu ms beyond the core, median': Math.round(minAndMedian(list, 'cpu').median - core.median),
      kB: sizeOf(files),
    };
  });
  return rows.sort((a, b) => b.kB - a.kB);
}

const table = values.plugins ? costOfPlugins() : comparedWithFastify();
console.table(table);
console.log(JSON.stringify({ rounds, table }));
