// With POSTRIDER_TEST_SERVICES=required a missing service is a failure; otherwise its tests are skipped, and a line says so.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inFolders, repository, runProgram, uvu, write } from './runner-bench.ts';

const test = inFolders(suite('required services', { folder: '' }));

/** Looks for a service on a closed port, and for a missing program, as test files do. */
const testLookingFor = (source: string): string =>
  `${uvu}import { findService, mayUse } from '${repository}test/support/services.ts';\n${source}\ntest.run();\n`;
const server = testLookingFor(
  "const found = await findService('the tests on Redis', async () => { throw new Error('port 1 is closed'); });\nif (found) test('uses it', () => {});",
);
const program = testLookingFor(
  "if (mayUse('the tests in PHP', false, 'php is not installed')) test('uses it', () => {});",
);
const programTest = testLookingFor("if (mayUse('the tests in PHP', true, '')) test('uses it', () => {});");

const runAll = async (folder: string, services: string) => {
  write(folder, 'tests/server.test.ts', server);
  write(folder, 'tests/program.test.ts', program);
  write(folder, 'tests/found.test.ts', programTest);
  return runProgram(folder, ['tests'], { POSTRIDER_TEST_SERVICES: services });
};

test('with `required`, a missing service or program fails the file and is named', async ({ folder }) => {
  const { code, text, last } = await runAll(folder, 'required');
  assert.is(code, 1);
  assert.match(text, 'the tests on Redis cannot run: port 1 is closed');
  assert.match(text, 'the tests in PHP cannot run: php is not installed');
  assert.is(last, '1 passed, 2 failed');
});

test('by default, tests of missing services are skipped with the reason', async ({ folder }) => {
  const { code, text, last } = await runAll(folder, '');
  assert.is(code, 0);
  assert.match(text, 'the tests in PHP (php is not installed)');
  assert.match(text, 'the tests on Redis (port 1 is closed)');
  assert.is(last, '1 passed, 0 failed');
});

test('with `none`, tests of services are skipped even if the services are available', async ({ folder }) => {
  const { code, text, last } = await runAll(folder, 'none');
  assert.is(code, 0);
  assert.match(text, /# left out:.*the tests in PHP(;|$)/m);
  assert.match(text, /# left out:.*the tests on Redis(;|$)/m);
  assert.is(last, '0 passed, 0 failed');
});

test.run();
