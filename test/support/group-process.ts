// Runs the test files that its arguments name one after another in one process: a short file spends most of its time on starting a
// process. Started by runner-child.ts, which gets a message when each file begins.
// On standard output, each file's report is between two lines, which runner-summary.ts reads.
import { pathToFileURL } from 'node:url';
import { endLine, startLine } from './runner-summary.ts';

const uvu = globalThis as typeof globalThis & { UVU_DEFER?: boolean; UVU_QUEUE?: unknown[][] };
uvu.UVU_DEFER = true;
// Imported late: when uvu is loaded, it decides whether to wait for a call of `exec`.
const { exec } = await import('uvu');
const [node = '', , ...programs] = process.argv;

for (const [index, program] of programs.entries()) {
  process.send?.(index);
  process.stdout.write(startLine(index));
  const started = performance.now();
  const suites: unknown[] = [null];
  uvu.UVU_QUEUE = [suites];
  process.argv = [node, program];
  await import(pathToFileURL(program).href);
  await exec();
  // A suite that registers later throws, which ends this process: nothing would run that suite.
  Object.freeze(suites);
  process.stdout.write(endLine(index, performance.now() - started));
}
// Failures are in the report of their file.
process.exitCode = 0;
