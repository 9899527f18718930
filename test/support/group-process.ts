// Runs the test files in its arguments one after another in one process, because a short file spends most of its time on starting a
// process. Started by runner-child.ts, which gets a message when each file begins. On standard output, the report of each file is between
// two lines, which runner-summary.ts reads.
import { pathToFileURL } from 'node:url';
import { endLine, startLine } from './runner-summary.ts';

const uvu = globalThis as typeof globalThis & { UVU_DEFER?: boolean; UVU_QUEUE?: unknown[][] };
uvu.UVU_DEFER = true;
// Imported late, because uvu decides when it is loaded whether it waits for a call of `exec`.
const { exec } = await import('uvu');
const [node = '', , ...programs] = process.argv;

for (const [index, program] of programs.entries()) {
  process.send?.(index);
  process.stdout.write(startLine(index));
  const startTime = performance.now();
  const suites: unknown[] = [null];
  uvu.UVU_QUEUE = [suites];
  process.argv = [node, program];
  await import(pathToFileURL(program).href);
  await exec();
  // A suite that is registered later throws an error, which ends this process, because nothing would run that suite.
  Object.freeze(suites);
  process.stdout.write(endLine(index, performance.now() - startTime));
}
// The failures are in the report of the file.
process.exitCode = 0;
