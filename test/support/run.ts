// The test runner: `tsx test/support/run.ts FILE-OR-FOLDER...`. Called by the npm scripts `test` and `guards`.
// Runs each *.test.ts in its own process, POSTRIDER_TEST_JOBS at once (Default: 2), each for at most
// POSTRIDER_TEST_TIME_LIMIT seconds (Default: 240; a leading comment `// time-limit: 300` raises it for one file). Files
// with a raised limit run first.
// A file that fails while others run beside it runs again by itself at the end, POSTRIDER_TEST_RETRIES times (Default: 0):
// one that passes then is counted as passed and named in a line `FLAKY`, with what it printed when it failed.
// With `--compiled` they are compiled first, all at once: for many files, which would each compile what they import.
// Short files of one folder share a process, POSTRIDER_TEST_GROUP of them (Default: 8 with `--compiled`, else 1), but for
// those with a raised limit or a leading comment `// own-process: why`. One that does not pass there runs by itself, and
// that alone counts.
// Before its end it names the ten files that took longest, and in one line what this machine left out. Its last line is
// always `N passed, N failed`, and it never passes a file that executed no test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledTests } from './compiled.ts';
import { groupProgram, killRunning, runTestFile, runTestGroup } from './runner-child.ts';
import { type FileNeeds, inProcesses, selectTestFiles, timeLimitOf, wantsOwnProcess } from './runner-files.ts';
import { judge, passedInGroup, slowest, type Verdict, whyAgain } from './runner-summary.ts';

const root = process.cwd();
const jobs = wholeNumber('POSTRIDER_TEST_JOBS', 2);
const retries = wholeNumber('POSTRIDER_TEST_RETRIES', 0, 0);
const defaultLimit = wholeNumber('POSTRIDER_TEST_TIME_LIMIT', 240);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killRunning();
    process.exit(1);
  });
}

const names = process.argv.slice(2);
const { files, complaints } = selectTestFiles(
  names.filter((name) => name !== '--compiled'),
  root,
);
const compiled = names.includes('--compiled') ? await compile() : undefined;
const groupSize = wholeNumber('POSTRIDER_TEST_GROUP', compiled === undefined ? 1 : 8);
const place = { root, compiled };
for (const complaint of complaints) console.log(`FAIL  ${complaint}`);

const totals = { passed: 0, failed: complaints.length, skipped: 0 };
const notes = new Set<string>();
const again: string[] = [];
const flaky: string[] = [];
const secondsOf = new Map<string, number>();
const waiting = inProcesses(files, needsOf, groupSize).values();
await Promise.all(Array.from({ length: jobs }, runWaiting));
for (const file of again) await runAgain(file);
for (const file of flaky) console.log(`FLAKY ${file}: failed, and passed when it ran again by itself`);

for (const line of slowest(secondsOf)) console.log(line);
if (notes.size > 0)
  console.log(`# left out: ${[...notes].map((line) => line.replace(/^# left out: */, '')).join('; ')}`);
console.log(
  `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
);
process.exitCode = totals.failed > 0 ? 1 : 0;

/** A file that cannot be compiled runs from its source, which shows the cause. */
async function compile(): Promise<string | undefined> {
  try {
    return await compiledTests([...files, groupProgram]);
  } catch (error) {
    console.log(`# not compiled: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** A limit that cannot be read fails its file, when it runs. */
function needsOf(file: string): FileNeeds {
  const source = readFileSync(join(root, file), 'utf8');
  try {
    const limit = timeLimitOf(source, defaultLimit);
    return { limit, alone: limit > defaultLimit || wantsOwnProcess(source) };
  } catch {
    return { limit: defaultLimit, alone: true };
  }
}

function limitOf(file: string): number {
  return timeLimitOf(readFileSync(join(root, file), 'utf8'), defaultLimit);
}

async function runWaiting(): Promise<void> {
  for (const together of waiting) {
    const left = together.length > 1 ? await runTogether(together) : together;
    for (const file of left) await runAlone(file);
  }
}

/** Reports those that passed, and gives the others, which run by themselves. */
async function runTogether(group: readonly string[]): Promise<string[]> {
  const outcome = await runTestGroup(group, place, defaultLimit);
  const passed = passedInGroup(outcome);
  for (const [index, { verdict, seconds }] of passed) report(group[index] ?? '', verdict, '', seconds, true);
  const left = group.filter((_, index) => !passed.has(index));
  if (left.length > 0)
    console.log(
      `# run again by themselves: ${left.join(', ')}. The process that ran ${group.length} files ${whyAgain(outcome)}:\n${outcome.output.trimEnd()}\n# end of that process`,
    );
  return left;
}

async function runAlone(file: string): Promise<void> {
  const started = performance.now();
  const { verdict, output } = await runAndJudge(file);
  const mayRunAgain = retries > 0 && verdict.complaint !== null;
  if (mayRunAgain) again.push(file);
  report(file, verdict, output, (performance.now() - started) / 1000, !mayRunAgain);
}

async function runAgain(file: string): Promise<void> {
  for (let retry = 1; retry <= retries; retry += 1) {
    const started = performance.now();
    const { verdict, output } = await runAndJudge(file);
    if (verdict.complaint === null) flaky.push(file);
    const last = verdict.complaint === null || retry === retries;
    report(file, verdict, output, (performance.now() - started) / 1000, last);
    if (last) return;
  }
}

async function runAndJudge(file: string): Promise<{ verdict: Verdict; output: string }> {
  try {
    const outcome = await runTestFile(file, place, limitOf(file));
    return { verdict: judge(outcome), output: outcome.output };
  } catch (error) {
    const complaint = `could not be run: ${error instanceof Error ? error.message : String(error)}`;
    return { verdict: { passed: 0, failed: 1, skipped: 0, complaint, notes: [] }, output: '' };
  }
}

function report(file: string, verdict: Verdict, output: string, seconds: number, counts: boolean): void {
  if (counts) {
    totals.passed += verdict.passed;
    totals.failed += verdict.failed;
    totals.skipped += verdict.skipped;
  }
  for (const line of verdict.notes) notes.add(line);
  secondsOf.set(file, (secondsOf.get(file) ?? 0) + seconds);
  const took = `(${seconds.toFixed(1)} s)`;
  if (verdict.complaint === null) {
    const skipped = verdict.skipped > 0 ? `, ${verdict.skipped} skipped` : '';
    console.log(`ok    ${file}: ${verdict.passed} passed${skipped} ${took}`);
  } else {
    console.log(`FAIL  ${file}: ${verdict.complaint} ${took}\n${output.trimEnd()}\n      end of ${file}`);
  }
}

function wholeNumber(name: string, fallback: number, min = 1): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  console.log(`${name} must be a whole number of at least ${min}, not ${text}.\n0 passed, 1 failed`);
  process.exit(1);
}
