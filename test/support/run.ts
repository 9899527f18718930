// The test runner: `tsx test/support/run.ts FILE-OR-FOLDER...`. Called by the npm scripts `test`, `test:all` and `guards`.
// Runs each *.test.ts in its own process, POSTRIDER_TEST_JOBS processes at once (Default: 2), each for at most
// POSTRIDER_TEST_TIME_LIMIT seconds (Default: 240; a leading comment `// time-limit: 300` raises it for one file). Files
// with a raised limit run first.
// If a file fails while others run beside it, it runs again by itself at the end, POSTRIDER_TEST_RETRIES times (Default: 0). If it
// passes then, it is counted as passed and named in a line `FLAKY`, after the output of its failure.
// With `--compiled` all files are compiled first, together: faster for many files, which would otherwise each compile their imports.
// Short files of one folder share a process, POSTRIDER_TEST_GROUP files at most (Default: 8 with `--compiled`, else 1). Files with
// a raised limit or a leading comment `// own-process: why` never share one. If a file does not pass in a shared process, it runs
// again by itself, and only that run counts.
// With `--quick` files with a leading comment `// full-run: why` do not run, tests use no service even if it is available, and
// all cores but one are used. With `--changed`, which overrides it, only files that a change reaches run (runner-changes.ts).
// POSTRIDER_TEST_PASSED names a file that several runs share: a file that passed completely is counted and does not run again.
// At the end it names the ten slowest files, and on one line the tests that were left out. Its last line is always
// `N passed, N failed`. A file that executed no test never passes, unless it names the service that it misses.
import { availableParallelism } from 'node:os';
import { compiledTests } from './compiled.ts';
import { runTests } from './runner.ts';
import { killRunning } from './runner-child.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killRunning();
    process.exit(1);
  });
}

const args = process.argv.slice(2);
const [isCompiled, isChanged] = [args.includes('--compiled'), args.includes('--changed')];
const isQuick = args.includes('--quick') && !isChanged;
const ownJobs = isQuick || isChanged ? Math.max(1, availableParallelism() - 1) : 2;
const root = process.cwd();

const succeeded = await runTests({
  root,
  names: args.filter((name) => !name.startsWith('--')),
  jobs: wholeNumber('POSTRIDER_TEST_JOBS', ownJobs),
  retries: wholeNumber('POSTRIDER_TEST_RETRIES', 0, 0),
  limit: wholeNumber('POSTRIDER_TEST_TIME_LIMIT', 240),
  groupSize: wholeNumber('POSTRIDER_TEST_GROUP', isCompiled ? 8 : 1),
  isQuick,
  passedBefore: process.env.POSTRIDER_TEST_PASSED || undefined,
  ...(isChanged ? { reached: async () => (await import('./runner-changes.ts')).reachedFiles(root) } : {}),
  ...(isCompiled ? { compile: compiledTests } : {}),
  say: console.log,
});
process.exitCode = succeeded ? 0 : 1;

function wholeNumber(name: string, fallback: number, min = 1): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  console.log(`${name} must be a whole number of at least ${min}, not ${text}.\n0 passed, 1 failed`);
  process.exit(1);
}
