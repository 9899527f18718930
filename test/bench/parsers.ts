// The cost of the worst inputs in parser-corpus.ts: how long each input blocks the event loop, how this time grows
// from half of the size to the full size, the memory, and the output per byte of input.
// Run: npx tsx test/bench/parsers.ts [part of a parser's name]
import { setImmediate as turn } from 'node:timers/promises';
import { type ParserCases, parserCases } from './parser-corpus.ts';

/** The cost of one input. */
interface Cost {
  readonly blockedMs: number;
  readonly megabytes: number;
  readonly outPerByte: number;
}

const attempts = 5;
const enoughMs = 2_000;

/** The length of a result as JSON; 0 if it is nested too deeply for JSON. */
function sizeOf(result: unknown): number {
  try {
    return JSON.stringify(result ?? '')?.length ?? 0;
  } catch {
    return 0;
  }
}

/** Measures the longest time for which the event loop was blocked. */
function watchLoop(): () => number {
  let [last, longest, isOver] = [performance.now(), 0, false];
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  return () => {
    isOver = true;
    return longest;
  };
}

async function measureOnce({ read }: ParserCases, input: Buffer): Promise<Cost> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  await turn();
  const longest = watchLoop();
  await turn();
  let result: unknown;
  try {
    result = await read(input);
  } catch {
    // Most inputs are refused, which is also a valid result.
    result = undefined;
  }
  const after = process.memoryUsage();
  await turn();
  await turn();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  const outPerByte = sizeOf(result) / Math.max(1, input.length);
  return { blockedMs: longest(), megabytes: Math.max(0, grown) / 1_048_576, outPerByte };
}

/** The minimum of several attempts, because other programs on the machine can only add time. */
async function costOf(cases: ParserCases, input: Buffer): Promise<Cost> {
  let best = await measureOnce(cases, input);
  for (let doneCount = 1; doneCount < attempts && best.blockedMs < enoughMs; doneCount += 1) {
    const nextCost = await measureOnce(cases, input);
    if (nextCost.blockedMs < best.blockedMs) best = nextCost;
  }
  return best;
}

const wantedName = process.argv[2] ?? '';
console.log('| parser | worst input | bytes | blocked ms | growth | MB | out per byte |');
console.log('|---|---|---|---|---|---|---|');
for (const cases of parserCases.filter(({ parser }) => parser.includes(wantedName)))
  for (const [description, make] of Object.entries(cases.inputs)) {
    const [half, full] = [Buffer.from(make(cases.bytes / 2)), Buffer.from(make(cases.bytes))];
    const smaller = await costOf(cases, half);
    const cost = smaller.blockedMs > enoughMs ? smaller : await costOf(cases, full);
    const growth = cost.blockedMs / Math.max(0.1, smaller.blockedMs);
    const marks = cost.blockedMs > 50 ? ' !' : '';
    console.log(
      `| ${cases.parser} | ${description} | ${full.length} | ${cost.blockedMs.toFixed(1)}${marks} | ${growth.toFixed(1)} | ${cost.megabytes.toFixed(0)} | ${cost.outPerByte.toFixed(2)} |`,
    );
  }
