// The files that the runner runs, their time limits, and the files that share a process: in full runs, quick runs, and after a change.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changedFiles, testFilesReached } from '../support/runner-changes.ts';
import {
  fullRunOf,
  groupIntoProcesses,
  selectTestFiles,
  timeLimitOf,
  wantsOwnProcess,
} from '../support/runner-files.ts';
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

const test = inFolders(suite('the choice of test files', { folder: '' }));

test('the quick run includes neither files of the full run nor services, and says so in one line', async ({
  folder,
}) => {
  const asks = "test('has no service', () => assert.is(process.env.POSTRIDER_TEST_SERVICES, 'none'));\ntest.run();\n";
  write(folder, 'tests/a.test.ts', `${uvu}${skippingTest}${asks}`);
  const crash = "throw new Error('It ran.');\n";
  for (const [file, why] of Object.entries({ b: 'kill', c: 'slow', d: 'kill' }))
    write(folder, `tests/${file}.test.ts`, `// What it tests.\n// full-run: ${why}\n${crash}`);
  const { code, lines } = await runFiles(folder, ['tests'], { isQuick: true });
  assert.is(code, 0);
  assert.equal(lines.slice(-2), [
    '# left out: Redis is not running; 3 files of the full run (2 kill, 1 slow). `npm run test:all` runs all of it',
    '1 passed, 0 failed',
  ]);
  assert.is((await runFiles(folder, ['tests'])).last, '0 passed, 4 failed');
});

test('a long file runs in long runs, and whenever it is named', async ({ folder }) => {
  write(folder, 'tests/a.test.ts', passingTest);
  write(folder, 'tests/b.test.ts', `// What it tests.\n// full-run: long\n${passingTest}`);
  const { lines } = await runFiles(folder, ['tests']);
  assert.equal(lines.slice(-2), ['# left out: 1 files of long runs (1 long)', '1 passed, 0 failed']);
  assert.is((await runFiles(folder, ['tests/b.test.ts'])).last, '1 passed, 0 failed');
});

test('every file of the full run states its reason, with a word from the list', () => {
  assert.is(fullRunOf("// What it tests.\n// full-run: browser\nimport 'x';\n"), 'browser');
  assert.is(fullRunOf("import 'x';\n// full-run: browser\n"), undefined);
  assert.throws(
    () => fullRunOf('// full-run: tired\n'),
    /full-run is one of browser, fuzz, kill, long, packaging, slow, not tired/,
  );
  for (const file of selectTestFiles(['test'], repository).files) {
    const source = readFileSync(join(repository, file), 'utf8');
    const why = fullRunOf(source);
    if (why === 'long') continue;
    if (/^test\/package\//.test(file)) assert.is(why, 'packaging', file);
    if (/(?:^|[/-])kill\.test\.ts$/.test(file)) assert.is(why, 'kill', file);
    if (/\/fuzz-[^/]+$/.test(file)) assert.is(why, 'fuzz', file);
    if (/from '[^']*(?:page-browser|console-visit|inbox-visit|mail-browser)\.ts'/.test(source))
      assert.is(why, 'browser', file);
  }
});

test('a file that passed completely in one run counts in the next and does not run again', async ({ folder }) => {
  write(folder, 'tests/a.test.ts', passingTest);
  write(folder, 'tests/b.test.ts', `${uvu}${skippingTest}test('holds', () => {});\ntest.run();\n`);
  write(folder, 'tests/c.test.ts', `${uvu}test('holds', () => {});\ntest.skip('not today', () => {});\ntest.run();\n`);
  write(folder, 'tests/d.test.ts', `${uvu}${failsOnce}`);
  const passedBefore = join(folder, 'passed');
  assert.is((await runFiles(folder, ['tests'], { passedBefore })).last, '3 passed, 1 failed, 1 skipped');
  assert.is(readFileSync(passedBefore, 'utf8'), '1 tests/a.test.ts\n');
  const { text, last } = await runFiles(folder, ['tests'], { passedBefore });
  assert.is(last, '4 passed, 0 failed, 1 skipped');
  assert.not.match(text, 'ok    tests/a.test.ts');
});

test('a change reaches the files that import, start or read the file, through any number of files', () => {
  const sources = new Map(
    Object.entries({
      'core/part.ts': '',
      'core/whole.ts': "import { part } from './part.ts';\n// See test/core/whole.test.ts and docs/page.md.\n",
      'core/types.ts': "import type { Part } from './part.ts';\n",
      'core/named.ts': '',
      'docs/page.md': 'As in examples/shop/main.ts.',
      'examples/shop/main.ts': '',
      'test/bench-process.ts': "import '../core/whole.ts';\n",
      'test/starts.test.ts': "start('test/bench-process.ts');\n",
      'test/own.test.ts': "import 'postrider/named';\n",
      'test/types.test.ts': "import '../core/types.ts';\n",
      'test/docs.test.ts': "join(root, 'docs', name);\n",
      'test/page.test.ts': `read(\`docs/\${name}.md\`);\n`,
      'test/other.test.ts': "import 'uvu';\n",
    }),
  );
  const selfNames = (name: string) => (name === 'postrider/named' ? 'core/named.ts' : undefined);
  const reachedFiles = (...changedPaths: string[]) =>
    [...testFilesReached(changedPaths, [...sources.keys()], sources, selfNames)].map((file) => file.slice(5, -8));
  assert.equal(reachedFiles('core/part.ts'), ['starts']);
  assert.equal(reachedFiles('core/named.ts'), ['own']);
  assert.equal(reachedFiles('docs/page.md'), ['docs', 'page']);
  assert.equal(reachedFiles('examples/shop/main.ts'), ['docs', 'page']);
  assert.equal(reachedFiles('docs/gone.md'), ['docs', 'page']);
  assert.equal(reachedFiles('test/other.test.ts'), ['other']);
  assert.equal(reachedFiles('LICENSE'), []);
  assert.is(reachedFiles('package.json').length, 6);
});

test('through the list of all plugins, a change in one plugin reaches only tests that import the list themselves', () => {
  const sources = new Map(
    Object.entries({
      'plugins/one/index.ts': '',
      'plugins/index.ts': "import './one/index.ts';\n",
      'test/bench.ts': "import '../plugins/index.ts';\n",
      'test/with-bench.test.ts': "import './bench.ts';\n",
      'test/of-all.test.ts': "import '../plugins/index.ts';\n",
    }),
  );
  const reach = (changedPaths: string) => [
    ...testFilesReached([changedPaths], [...sources.keys()], sources, () => undefined),
  ];
  assert.equal(reach('plugins/one/index.ts'), ['test/of-all.test.ts']);
  assert.equal(reach('plugins/index.ts'), ['test/with-bench.test.ts', 'test/of-all.test.ts']);
});

const gitIn =
  (folder: string) =>
  (...command: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...command], { cwd: folder });

test('with --changed the program runs the files that a change reaches, quick or not, and prints their number', async ({
  folder,
}) => {
  const git = gitIn(folder);
  write(folder, 'part.ts', 'export const part = 1;\n');
  write(folder, 'tests/a.test.ts', `// full-run: slow\nimport '../part.ts';\n${passingTest}`);
  write(folder, 'tests/b.test.ts', passingTest);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=one');
  const emptyRun = await runProgram(folder, ['--quick', 'tests', '--changed']);
  assert.equal([emptyRun.code, emptyRun.text], [0, '# the change reaches 0 of 2 test files\n0 passed, 0 failed\n']);
  write(folder, 'part.ts', 'export const part = 2;\n');
  const { code, text, last } = await runProgram(folder, ['--quick', 'tests', '--changed']);
  assert.is(code, 0);
  assert.match(text, '# the change reaches 1 of 2 test files\nok    tests/a.test.ts');
  assert.is(last, '1 passed, 0 failed');
});

test('the changed files differ from main or are unknown to Git', ({ folder }) => {
  const git = gitIn(folder);
  for (const name of ['kept', 'changed', 'committed', 'gone', 'ignored']) write(folder, name, '1');
  write(folder, '.gitignore', 'ignored');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=one');
  git('checkout', '--quiet', '-b', 'branch');
  write(folder, 'committed', '2');
  git('commit', '--quiet', '--all', '--message=two');
  write(folder, 'changed', '2');
  write(folder, 'new', '1');
  rmSync(join(folder, 'gone'));
  assert.equal(changedFiles(folder).sort(), ['changed', 'committed', 'gone', 'new']);
});

test('a leading comment raises the time limit and never lowers it', () => {
  assert.is(timeLimitOf("import 'x';\n// time-limit: 300\n", 120), 120);
  assert.is(timeLimitOf("// What it tests.\n// time-limit: 300\nimport 'x';\n", 120), 300);
  assert.is(timeLimitOf('// time-limit: 10\n', 120), 120);
  assert.throws(() => timeLimitOf('// time-limit: long\n', 120), /not a whole number of seconds/);
});

test('files with a raised time limit run first, each in its own process; the other files of a folder run together', () => {
  const limits: Record<string, number> = { slow: 600, slowest: 900 };
  const needsOf = (file: string) => ({ limit: limits[file] ?? 240, alone: file.startsWith('s') });
  const files = ['a/1', 'slow', 'a/2', 'single', 'a/3', 'b/1', 'slowest'];
  assert.equal(groupIntoProcesses(files, needsOf, 2), [
    ['slowest'],
    ['slow'],
    ['a/1', 'a/2'],
    ['single'],
    ['a/3'],
    ['b/1'],
  ]);
  assert.ok(wantsOwnProcess('// What it tests.\n// own-process: it changes the environment\n'));
  assert.not.ok(wantsOwnProcess("import 'x';\n// own-process: too late\n"));
});

test.run();
