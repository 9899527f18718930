// Runs the test runner over test files in a temporary folder. Used by the guards of the runner.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledTests } from '../support/compiled.ts';
import { type RunSettings, runTests } from '../support/runner.ts';
import { groupProgram } from '../support/runner-child.ts';

export const repository = fileURLToPath(new URL('../../', import.meta.url));
const runner = join(repository, 'test/support/run.ts');

/** The beginning of a test file. */
export const uvu = `import { suite, test } from '${import.meta.resolve('uvu')}';\nimport * as assert from '${import.meta.resolve('uvu/assert')}';\n`;
export const passingTest = `${uvu}test('holds', () => assert.is(1, 1));\ntest.run();\n`;
export const skippingTest = "console.log('# left out: Redis is not running');\n";

/** The tests of a file that fails the first time it runs. */
export const failsOnce = `import { existsSync, writeFileSync } from 'node:fs';
test('holds at the second look', () => {
  const seen = existsSync('seen');
  writeFileSync('seen', '');
  assert.ok(seen, 'looked too early');
});
test.run();
`;

const compiledGroup = await compiledTests([groupProgram]);

/** Gives each test of the suite its own folder. */
export function inFolders(test: Test<{ folder: string }>): Test<{ folder: string }> {
  test.before.each((context) => {
    context.folder = mkdtempSync(join(tmpdir(), 'postrider-runner-'));
    write(context.folder, 'package.json', '{ "type": "module" }');
  });
  test.after.each((context) => {
    rmSync(context.folder, { recursive: true, force: true });
  });
  return test;
}

export function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

export interface RunnerResult {
  code: number;
  text: string;
  lines: string[];
  last: string | undefined;
}

/** Runs the files `names` without TypeScript: `x.test.ts` is found as `x.test.js`, beside the program for groups. */
export async function runFiles(
  folder: string,
  names: string[],
  settings: Partial<RunSettings> = {},
): Promise<RunnerResult> {
  const output: string[] = [];
  const compiledFolder = join(folder, 'compiled');
  const programs = join(compiledFolder, dirname(groupProgram));
  mkdirSync(dirname(programs), { recursive: true });
  if (!existsSync(programs)) symlinkSync(join(compiledGroup, dirname(groupProgram)), programs);
  const compile = async (files: readonly string[]): Promise<string> => {
    for (const file of files.filter((name) => name.endsWith('.test.ts')))
      write(compiledFolder, file.replace(/\.ts$/, '.js'), readFileSync(join(folder, file), 'utf8'));
    return compiledFolder;
  };
  const limits = { jobs: 2, retries: 0, limit: 60, groupSize: 1 };
  const kind = { isQuick: false };
  const say = (text: string): void => void output.push(text);
  const hasSucceeded = await runTests({ root: folder, names, ...limits, ...kind, compile, say, ...settings });
  const text = output.join('\n');
  const lines = text.split('\n');
  return { code: hasSucceeded ? 0 : 1, text, lines, last: lines.at(-1) };
}

/** Runs the runner's program. */
export function runProgram(
  folder: string,
  names: string[],
  environment: Record<string, string> = {},
): Promise<RunnerResult> {
  return new Promise((resolve) => {
    const ownEnvironment = { POSTRIDER_TEST_RETRIES: '', POSTRIDER_TEST_PASSED: '' };
    const options = { cwd: folder, env: { ...process.env, ...ownEnvironment, ...environment } };
    const parameters = ['--import', import.meta.resolve('tsx'), runner, ...names];
    const child = execFile(process.execPath, parameters, options, (_error, stdout) => {
      assert.ok(stdout.endsWith('\n'));
      const lines = stdout.slice(0, -1).split('\n');
      resolve({ code: child.exitCode ?? -1, text: stdout, lines, last: lines.at(-1) });
    });
  });
}
