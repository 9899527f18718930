// The cost of OpenTelemetry for a whole send, from the request to the provider, on SQLite: `npx tsx test/bench/telemetry.ts
// [--rounds 15] [--sends 160]`. Processor time of three processes in turn: without the package, with the package but no SDK, and
// with an SDK that collects every span and metric.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolder } from './contestant-process.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, sends: { type: 'string', default: '160' } },
});
const kinds = ['absent', 'api', 'sdk'] as const;
type Kind = (typeof kinds)[number];
mkdirSync(dataFolder, { recursive: true });

async function start(kind: Kind) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(join(import.meta.dirname, 'telemetry-process.ts'), [kind], { env });
  const processEnd = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${kind} ended with ${code}`)));
  processEnd.catch(() => undefined);
  const message = async () => ((await Promise.race([once(child, 'message'), processEnd])) as unknown[])[0];
  await message();
  const usedTimes: number[] = [];
  let spans = 0;
  return {
    used: usedTimes,
    spans: () => spans,
    async round() {
      child.send(Number(values.sends));
      const answer = (await message()) as { readonly used: number; readonly spans: number };
      usedTimes.push(answer.used);
      spans = answer.spans;
    },
    async end() {
      child.send('end');
      await once(child, 'exit');
    },
  };
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
const processes = { absent: await start('absent'), api: await start('api'), sdk: await start('sdk') };
// Warms up until V8 has optimized frequently called functions.
for (const kind of kinds) {
  for (let round = 0; round < 4; round += 1) await processes[kind].round();
  processes[kind].used.length = 0;
}
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) await processes[kind].round();
const table = kinds.map((kind) => {
  const { used, spans } = processes[kind];
  const ratios = used.map((value, index) => value / (processes.absent.used[index] ?? Number.NaN));
  return {
    'OpenTelemetry is': kind,
    'µs a send, median': Math.round(median(used)),
    '× absent, median': Number(median(ratios).toFixed(3)),
    'spans a send': spans(),
  };
});
console.table(table);
console.log(JSON.stringify({ ...values, table }));
for (const kind of kinds) await processes[kind].end();
