// The runner over test files in a temporary folder: each way in which a test could pass by accident must fail.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { slowest } from '../support/runner-summary.ts';
import {
  failsOnce,
  inFolders,
  passingTest,
  repository,
  runFiles,
  runProgram,
  skippingTest,
  uvu,
  write,
} from './runner-bench.ts';

const test = inFolders(suite('runner', { folder: '' }));

test('the runner counts the tests of all files and ends with the summary line', async ({ folder }) => {
  write(folder, 'tests/one.test.ts', passingTest);
  const two = "const a = suite('a');\na('x', () => {});\na('y', () => {});\na.run();\n";
  write(folder, 'tests/deep/two.test.ts', `${uvu}${two}const b = suite('b');\nb('z', () => {});\nb.run();\n`);
  const { code, lines, last } = await runFiles(folder, ['tests']);
  assert.is(code, 0);
  assert.is(last, '4 passed, 0 failed');
  assert.ok(lines.some((line) => line.startsWith('ok    tests/one.test.ts: 1 passed')));
  assert.ok(lines.some((line) => line.startsWith('ok    tests/deep/two.test.ts: 3 passed')));
});

test('a file that is named twice runs once', async ({ folder }) => {
  write(folder, 'tests/one.test.ts', passingTest);
  assert.is((await runFiles(folder, ['tests', 'tests/one.test.ts', './tests/one.test.ts'])).last, '1 passed, 0 failed');
});

test('a file that forgot .run() fails', async ({ folder }) => {
  write(folder, 'forgotten.test.ts', `${uvu}test('never executed', () => assert.unreachable());\n`);
  const { code, text, last } = await runFiles(folder, ['forgotten.test.ts']);
  assert.is(code, 1);
  assert.match(text, 'no test was executed: does it end with .run()?');
  assert.is(last, '0 passed, 1 failed');
});

test('a file whose tests are all skipped fails', async ({ folder }) => {
  write(folder, 'skipped.test.ts', `${uvu}test.skip('not today', () => {});\ntest.run();\n`);
  const { code, last } = await runFiles(folder, ['skipped.test.ts']);
  assert.is(code, 1);
  assert.is(last, '0 passed, 1 failed, 1 skipped');
});

test('skipped tests of a passing file are named', async ({ folder }) => {
  write(folder, 'partly.test.ts', `${uvu}test('runs', () => {});\ntest.skip('not today', () => {});\ntest.run();\n`);
  const { code, last } = await runFiles(folder, ['partly.test.ts']);
  assert.is(code, 0);
  assert.is(last, '1 passed, 0 failed, 1 skipped');
});

test('the whole output of a file with a failing assertion is printed, and of no other file', async ({ folder }) => {
  const talk = "console.log('said in passing');\n";
  write(folder, 'tests/good.test.ts', `${uvu}${talk}test('holds', () => {});\ntest.run();\n`);
  const body = "console.log('said on the way');\ntest('adds', () => assert.is(1 + 1, 3));\n";
  write(folder, 'tests/wrong.test.ts', `${uvu}${body}test('holds', () => {});\ntest.run();\n`);
  const { code, text, last } = await runFiles(folder, ['tests']);
  assert.is(code, 1);
  assert.match(text, 'FAIL  tests/wrong.test.ts: 1 of 2 tests failed');
  assert.match(text, 'said on the way');
  assert.match(text, 'Expected values to be strictly equal');
  assert.not.match(text, 'said in passing');
  assert.is(last, '2 passed, 1 failed');
});

test('with retries, a failed file runs again alone, and is reported as flaky if it passes', async ({ folder }) => {
  write(folder, 'tests/a.test.ts', `${uvu}${failsOnce}`);
  write(folder, 'tests/b.test.ts', passingTest);
  const { code, text, last } = await runFiles(folder, ['tests'], { retries: 1 });
  assert.is(code, 0);
  assert.is(last, '2 passed, 0 failed');
  assert.match(text, 'looked too early');
  assert.match(text, 'FLAKY tests/a.test.ts');
});

test('a file that fails each time fails, and is counted once', async ({ folder }) => {
  write(folder, 'tests/wrong.test.ts', `${uvu}test('adds', () => assert.is(1 + 1, 3));\ntest.run();\n`);
  write(folder, 'tests/right.test.ts', passingTest);
  const { code, text, last } = await runFiles(folder, ['tests'], { retries: 1 });
  assert.is(code, 1);
  assert.is(last, '1 passed, 1 failed');
  assert.not.match(text, 'FLAKY');
});

test('by default, no file runs again', async ({ folder }) => {
  write(folder, 'tests/a.test.ts', `${uvu}${failsOnce}`);
  const { code, last } = await runFiles(folder, ['tests']);
  assert.is(code, 1);
  assert.is(last, '0 passed, 1 failed');
});

test('a file fails if a later run of uvu in it hides the failure of an earlier run', async ({ folder }) => {
  const earlyRun = "const a = suite('a');\na('wrong', () => assert.unreachable());\na.run();\n";
  const lateRun = "await new Promise((done) => setTimeout(done, 200));\nconst b = suite('b');\nb('right', () => {});\n";
  write(folder, 'late.test.ts', `${uvu}${earlyRun}${lateRun}b.run();\n`);
  assert.is((await runFiles(folder, ['late.test.ts'])).code, 1);
});

test('a hanging file is killed with all processes that it started', async ({ folder }) => {
  const child = "import { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\n";
  const start =
    "const child = spawn('sleep', ['600'], { stdio: 'inherit' });\nwriteFileSync('pid', String(child.pid));\n";
  write(folder, 'hanging.test.ts', `${uvu}${child}${start}test('holds', () => {});\ntest.run();\n`);
  const { code, text, last } = await runFiles(folder, ['hanging.test.ts'], { limit: 4 });
  assert.is(code, 1);
  assert.match(text, 'ran past its time limit of 4 s and was killed: its tests had ended, but something');
  assert.is(last, '1 passed, 1 failed');
  assert.not.ok(isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8'))));
});

test('a file with a failed `before` is ended even if an open handle keeps its process alive', async ({ folder }) => {
  const open = "test.before(() => { setInterval(() => {}, 1000); throw new Error('no server'); });\n";
  write(folder, 'before.test.ts', `${uvu}${open}test('holds', () => {});\ntest('adds', () => {});\ntest.run();\n`);
  const began = performance.now();
  const { code, text, last } = await runFiles(folder, ['before.test.ts'], { limit: 60 });
  assert.is(code, 1);
  assert.match(text, 'before.test.ts: 2 of 2 tests failed: a hook failed (before, before.each or after)');
  assert.is(last, '0 passed, 2 failed');
  assert.ok(performance.now() - began < 30_000);
});

test('a file that continues after a failed suite runs to its end', async ({ folder }) => {
  const earlyRun = "const a = suite('a');\na('wrong', () => assert.unreachable());\na.run();\n";
  const lateRun =
    'for (let second = 0; second < 5; second += 1) {\n  await new Promise((done) => setTimeout(done, 1000));\n  console.log(second);\n}\n';
  write(folder, 'late.test.ts', `${uvu}${earlyRun}${lateRun}const b = suite('b');\nb('right', () => {});\nb.run();\n`);
  assert.is((await runFiles(folder, ['late.test.ts'])).last, '1 passed, 1 failed');
});

test('a file with a test that never ends is killed', async ({ folder }) => {
  const endless = "test('waits', () => new Promise(() => setInterval(() => {}, 1000)));\ntest.run();\n";
  write(folder, 'endless.test.ts', `${uvu}${endless}`);
  const { text, last } = await runFiles(folder, ['endless.test.ts'], { limit: 2 });
  assert.match(text, 'ran past its time limit of 2 s and was killed: no test had ended');
  assert.is(last, '0 passed, 1 failed');
});

test('a file with a promise that never settles fails', async ({ folder }) => {
  write(folder, 'pending.test.ts', `${uvu}test('waits', () => new Promise(() => {}));\ntest.run();\n`);
  const { code, last } = await runFiles(folder, ['pending.test.ts']);
  assert.is(code, 1);
  assert.is(last, '0 passed, 1 failed');
});

test('a file that crashes fails, although its tests passed', async ({ folder }) => {
  const crash = "test('holds', () => {});\ntest.run();\nsetTimeout(() => { throw new Error('too late'); }, 300);\n";
  write(folder, 'tests/crash.test.ts', `${uvu}${crash}`);
  write(folder, 'tests/signal.test.ts', `${uvu}process.kill(process.pid, 'SIGKILL');\n`);
  write(folder, 'tests/syntax.test.ts', 'const = 1;\n');
  const { code, text, last } = await runFiles(folder, ['tests']);
  assert.is(code, 1);
  assert.match(text, 'tests/crash.test.ts: exited with code 1 although every test passed');
  assert.match(text, 'too late');
  assert.match(text, 'tests/signal.test.ts: was ended by SIGKILL');
  assert.match(text, 'tests/syntax.test.ts: exited with code 1');
  assert.is(last, '1 passed, 3 failed');
});

test('the run fails if an argument matches no test, and still runs the others', async ({ folder }) => {
  mkdirSync(join(folder, 'empty'));
  write(folder, 'empty/notes.ts', 'export {};\n');
  write(folder, 'tests/one.test.ts', passingTest);
  const { code, text, last } = await runFiles(folder, ['empty', 'absent', 'empty/notes.ts', 'tests']);
  assert.is(code, 1);
  assert.match(text, 'The folder empty has no test file: none in it ends in .test.ts.');
  assert.match(text, 'There is no file or folder named absent.');
  assert.match(text, 'empty/notes.ts is not a test file');
  assert.is(last, '1 passed, 3 failed');
});

test('the run fails if no file is named', async ({ folder }) => {
  const { code, text, last } = await runFiles(folder, []);
  assert.is(code, 1);
  assert.match(text, 'Name at least one test file or folder.');
  assert.is(last, '0 passed, 1 failed');
});

test('a file that names a missing service is reported as skipped, whether or not it ran a suite', async ({
  folder,
}) => {
  write(folder, 'tests/empty.test.ts', `${uvu}${skippingTest}test.run();\n`);
  write(folder, 'tests/none.test.ts', `${uvu}${skippingTest}test('needs Redis', () => {});\n`);
  write(folder, 'tests/silent.test.ts', `${uvu}test('needs Redis', () => {});\n`);
  const { text, last } = await runFiles(folder, ['tests']);
  assert.is(last, '0 passed, 1 failed');
  assert.match(text, 'left  tests/empty.test.ts');
  assert.match(text, 'left  tests/none.test.ts');
  assert.match(text, 'FAIL  tests/silent.test.ts: no test was executed');
});

test('the reasons of skipped tests are printed once each, before the summary line', async ({ folder }) => {
  write(folder, 'tests/one.test.ts', `${uvu}${skippingTest}test('holds', () => {});\ntest.run();\n`);
  write(folder, 'tests/two.test.ts', `${uvu}${skippingTest}test('holds', () => {});\ntest.run();\n`);
  const { lines } = await runFiles(folder, ['tests']);
  assert.equal(lines.slice(-2), ['# left out: Redis is not running', '2 passed, 0 failed']);
  assert.is(lines.filter((line) => line.startsWith('# left out')).length, 1);
});

test('test files are compiled first if configured so, and files that do not compile run from their sources', async ({
  folder,
}) => {
  const compiledRun = await runProgram(repository, ['--compiled', 'test/core/scopes.test.ts']);
  assert.match(compiledRun.last ?? '', /^[1-9]\d* passed, 0 failed$/);
  assert.not.match(compiledRun.text, 'not compiled');
  write(folder, 'tests/one.test.ts', passingTest);
  write(folder, 'tests/syntax.test.ts', 'const = 1;\n');
  const { text, last } = await runProgram(folder, ['--compiled', 'tests']);
  assert.match(text, '# not compiled');
  assert.match(text, 'FAIL  tests/syntax.test.ts');
  assert.is(last, '1 passed, 1 failed');
});

test('the ten slowest files are named, slowest first, before the last line', async ({ folder }) => {
  for (let file = 0; file < 10; file += 1) write(folder, `tests/right-${file}.test.ts`, passingTest);
  write(folder, 'tests/wrong.test.ts', `${uvu}test('adds', () => assert.is(1 + 1, 3));\ntest.run();\n`);
  const { lines, last } = await runFiles(folder, ['tests'], { jobs: 4 });
  const namedFiles = lines.slice(-11, -1).map((line) => /^# +(\d+\.\d) s {2}(tests\/\S+)$/.exec(line) ?? []);
  const seconds = namedFiles.map(([, text]) => Number(text));
  assert.equal(
    seconds,
    [...seconds].sort((one, other) => other - one),
  );
  assert.is(new Set(namedFiles.map(([, , file]) => file)).size, 10);
  assert.match(lines.at(-12) ?? '', 'the slowest of 11 files');
  assert.is(last, '10 passed, 1 failed');
});

test('the slowest files are the files with the most seconds', () => {
  const secondsOf = new Map(Array.from({ length: 30 }, (_, file) => [`${file}.test.ts`, (file * 7) % 30]));
  const [title, ...namedLines] = slowest(secondsOf);
  assert.match(title ?? '', 'the slowest of 30 files, which took 435 s');
  assert.equal(
    namedLines.map((line) => Number(/(\d+)\.0 s/.exec(line)?.[1])),
    [29, 28, 27, 26, 25, 24, 23, 22, 21, 20],
  );
});

test('a run of a single file names no slowest file', async ({ folder }) => {
  write(folder, 'one.test.ts', passingTest);
  assert.not.match((await runFiles(folder, ['one.test.ts'])).text, 'slowest');
});

test('as many files run at once as configured', async ({ folder }) => {
  const meet = (ownName: string, otherName: string) =>
    `${uvu}import { existsSync, writeFileSync } from 'node:fs';\ntest('meets the other', async () => {\n` +
    `  writeFileSync('${ownName}', '');\n  while (!existsSync('${otherName}')) await new Promise((done) => setTimeout(done, 20));\n` +
    '});\ntest.run();\n';
  write(folder, 'tests/one.test.ts', meet('one', 'two'));
  write(folder, 'tests/two.test.ts', meet('two', 'one'));
  assert.is((await runFiles(folder, ['tests'])).last, '2 passed, 0 failed');
  rmSync(join(folder, 'one'));
  rmSync(join(folder, 'two'));
  const alone = await runFiles(folder, ['tests'], { jobs: 1, limit: 2 });
  assert.match(alone.text, 'FAIL  tests/one.test.ts: ran past its time limit');
  assert.is((await runProgram(folder, ['tests'], { POSTRIDER_TEST_JOBS: 'many' })).code, 1);
});

const sharedProcess = { groupSize: 8 };

test('files that share a process are counted separately, each with its own suites', async ({ folder }) => {
  const tells = "console.log('said in passing');\n";
  write(folder, 'tests/a.test.ts', `${uvu}${tells}test('holds', () => {});\ntest.run();\n`);
  write(folder, 'tests/b.test.ts', `${uvu}${skippingTest}const b = suite('b');\nb.run();\n`);
  write(folder, 'tests/c.test.ts', `${uvu}const c = suite('c');\nc('x', () => {});\nc('y', () => {});\nc.run();\n`);
  const { code, lines, last } = await runFiles(folder, ['tests'], sharedProcess);
  assert.is(code, 0);
  assert.is(last, '3 passed, 0 failed');
  const counts = lines.filter((line) => /^(ok|left)/.test(line)).map((line) => line.replace(/ \(.*/, ''));
  assert.equal(counts, [
    'ok    tests/a.test.ts: 1 passed',
    'left  tests/b.test.ts: 0 passed',
    'ok    tests/c.test.ts: 2 passed',
  ]);
  assert.ok(lines.includes('# left out: Redis is not running'));
});

test('a file that fails in a shared process runs again alone, and only that run counts', async ({ folder }) => {
  const sets = 'globalThis.seen = (globalThis.seen ?? 0) + 1;\n';
  const first = `${uvu}${sets}test('is the first of its process', () => assert.is(globalThis.seen, 1));\ntest.run();\n`;
  write(folder, 'tests/a.test.ts', first);
  write(folder, 'tests/b.test.ts', first);
  write(folder, 'tests/c.test.ts', `${uvu}test('never executed', () => {});\n`);
  const { code, text, last } = await runFiles(folder, ['tests'], sharedProcess);
  assert.is(code, 1);
  assert.match(text, '# run again by themselves: tests/b.test.ts, tests/c.test.ts.');
  assert.match(text, 'ok    tests/b.test.ts: 1 passed');
  assert.match(text, 'FAIL  tests/c.test.ts: no test was executed');
  assert.is(last, '2 passed, 1 failed');
});

test('if a shared process does not end normally, each of its files runs alone', async ({ folder }) => {
  const modes = {
    'a crash': "setTimeout(() => { throw new Error('too late'); }, 300);\n",
    'a promise that is never settled': "test('waits', () => new Promise(() => {}));\ntest.run();\n",
    'something left open': 'setInterval(() => {}, 1000);\n',
    'a suite that runs late': "setTimeout(() => { test('late', () => {}); test.run(); }, 300);\n",
  };
  const testMode = async ([mode, source]: [string, string], number: number): Promise<void> => {
    const tests = `tests-${number}`;
    write(folder, `${tests}/a.test.ts`, passingTest);
    write(folder, `${tests}/b.test.ts`, `${uvu}const b = suite('b');\nb('x', () => {});\nb.run();\n${source}`);
    const { text } = await runFiles(folder, [tests], { ...sharedProcess, limit: 4 });
    assert.match(text, `# run again by themselves: ${tests}/a.test.ts, ${tests}/b.test.ts.`, mode);
    assert.match(text, `ok    ${tests}/a.test.ts: 1 passed`, mode);
  };
  await Promise.all(Object.entries(modes).map(testMode));
});

test.run();

function isRunning(pid: number): boolean {
  if (existsSync('/proc/self/status')) {
    const status = `/proc/${pid}/status`;
    return existsSync(status) && !readFileSync(status, 'utf8').includes('State:\tZ');
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
