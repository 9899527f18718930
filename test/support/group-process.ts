// Runs the test files that its arguments name one after another in this process: most of a short file's time is the
// start of its process. Started by runner-child.ts, to which it tells each file that it begins.
// Standard output has each file's report between two lines, which runner-summary.ts reads.
import { pathToFileURL } from 'node:url';
import { endLine, startLine } from './runner-summary.ts';

const uvu = globalThis as typeof globalThis & { UVU_DEFER?: boolean; UVU_QUEUE?: unknown[][] };
uvu.UVU_DEFER = true;
// Imported late: uvu looks at its start whether it shall wait to be called.
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
  // A suite that is run later throws, and so ends this process: nothing would execute it.
  Object.freeze(suites);
  process.stdout.write(endLine(index, performance.now() - started));
}
// What failed stands in the report of its file.
process.exitCode = 0;
