/*
 * The cost of hard Markdown: for each text of the pathological corpus, the time until it is rendered and the longest time for which
 * the event loop was blocked meanwhile. npx tsx test/bench/markdown.ts [LENGTH]
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { lengthOf } from '../../core/pages/markdown/parts.ts';
import { createTextReader } from '../../core/pages/markdown/text.ts';
import { pathologicalTexts } from '../support/pathological-markdown.ts';

const length = Number(process.argv[2] ?? 100_000);
const readText = createTextReader();
await readText('html', '# Warm *up*');
const delay = monitorEventLoopDelay({ resolution: 1 });
const rows = [];
for (const [name, source] of pathologicalTexts(length)) {
  delay.reset();
  delay.enable();
  const before = performance.now();
  const text = await readText('html', source);
  const ms = performance.now() - before;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  const outputLength = 'fault' in text ? 'refused' : lengthOf(text.html);
  rows.push({ name, ms: Math.round(ms), 'loop blocked, ms': Math.round(delay.max / 1e5) / 10, made: outputLength });
}
rows.sort((one, other) => other.ms - one.ms);
console.table(rows.slice(0, 15));
const maxHeldMs = Math.max(...rows.map((row) => row['loop blocked, ms']));
console.log(
  `${rows.length} texts of ${length} characters: at most ${rows[0]?.ms} ms, the loop blocked for at most ${maxHeldMs} ms`,
);
