// Checks the house rules on every hand-written file, and that each rule detects its fault.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { houseFaults } from './house-rules.ts';
import { lockFaults, pathFaults } from './paths.ts';
import { assertFaultsAt, assertNoFaults, codeFolders, listFiles, readSources, root } from './sources.ts';
import { sameNameFaults, vocabularyFaults } from './vocabulary.ts';

const test = suite('house');

const faultsIn = (path: string, ...lines: string[]) => houseFaults({ path, source: `${lines.join('\n')}\n` });
const fileOfLength = (count: number) => [
  '// What it is.',
  ...Array.from({ length: count - 1 }, (_, n) => `export const a${n} = 1;`),
];

test('every file of the project follows the house rules', () => {
  const files = readSources();
  assert.ok(files.some(({ path }) => path === 'test/guards/house.test.ts'));
  assertNoFaults(files.flatMap(houseFaults));
});

test('exported names and files have no banned word, and each exported type has its own name', () => {
  const files = readSources();
  assertNoFaults([...files.flatMap(vocabularyFaults), ...sameNameFaults(files)]);
});

test('a banned word, a metaphor as a file name and two types of one name are detected', () => {
  const source = (path: string, line: string) => ({ path, source: `${line}\n` });
  assertFaultsAt(vocabularyFaults(source('core/a.ts', 'export interface MailPlace {}')), ['core/a.ts:1']);
  assertFaultsAt(vocabularyFaults(source('plugins/x/going.ts', 'export const a = 1;')), ['plugins/x/going.ts']);
  assertNoFaults(vocabularyFaults(source('core/a.ts', 'export const placeholders = 1;')));
  assertNoFaults(vocabularyFaults(source('core/jobs/lease.ts', 'export class Lease {}')));
  const sameNames = [source('core/a.ts', 'export type Row = 1;'), source('plugins/b.ts', 'export interface Row {}')];
  assertFaultsAt(sameNameFaults(sameNames), ['plugins/b.ts:1']);
});

test('every file and folder of the project follows the naming rules', () => {
  assertNoFaults(pathFaults(listFiles([...codeFolders, 'docs'])));
});

test('the lock file contains no registry address', () => {
  const path = join(root, 'package-lock.json');
  assertNoFaults(existsSync(path) ? lockFaults('package-lock.json', readFileSync(path, 'utf8')) : []);
});

test('a file that follows all rules passes', () => {
  const lines = ["import * as assert from 'uvu/assert';", '/** Sums. @example sum(1, 2); */', 'const baseUrl = 1;'];
  assertNoFaults(faultsIn('core/kernel/sum.ts', '#!/usr/bin/env node', '// What it is.', ...lines));
  assertNoFaults(
    faultsIn('core/a.ts', '/*', ' * What it is; who calls it.', ' */', "const s = '// TODO const x = 1;';"),
  );
  assertNoFaults(faultsIn('core/b.ts', '// One.', '// Two.', '// Three.', '', '// Four.', '// Five.', '// Six.'));
  assertNoFaults(faultsIn('plugins/links/store.ts', 'export const a = `// TODO const b = 1;`;'));
});

test('a file of more than 400 lines is detected', () => {
  assertNoFaults(faultsIn('core/long.ts', ...fileOfLength(400)));
  assertFaultsAt(faultsIn('core/long.ts', ...fileOfLength(401)), ['core/long.ts']);
});

test('a call of URL.canParse is detected', () => {
  assertFaultsAt(faultsIn('plugins/links/a.ts', 'export const ok = URL.canParse(text);'), ['plugins/links/a.ts:1']);
  assertNoFaults(faultsIn('plugins/links/a.ts', '// Not URL.canParse.', 'export const ok = parseUrl(text);'));
});

test('a module that is imported twice is detected', () => {
  const importedTwice = ["import type { A } from './a.ts';", "import { b } from './a.ts';"];
  assertFaultsAt(faultsIn('plugins/links/a.ts', ...importedTwice), ['plugins/links/a.ts:2']);
  assertNoFaults(faultsIn('plugins/links/a.ts', "import { type A, b } from './a.ts';", "import { c } from './c.ts';"));
});

test('a missing, empty or long header is detected if other files depend on the file', () => {
  for (const path of ['core/kernel/a.ts', 'adapters/mail/a.ts', 'plugins/links/plugin.ts']) {
    assertFaultsAt(faultsIn(path, 'export const a = 1;', '// Too late.'), [path]);
    assertFaultsAt(faultsIn(path, '// biome-ignore lint: reason', 'export const a = 1;'), [`${path}:1`]);
    assertFaultsAt(faultsIn(path, ...Array<string>(6).fill('// A word.')), [`${path}:1`]);
  }
  assertNoFaults(faultsIn('core/index.ts', ...Array<string>(20).fill('// A word of the glossary.')));
  assertNoFaults(faultsIn('plugins/links/options.ts', 'export const a = 1;'));
});

test("zod's own functions are detected in the core and in plugins", () => {
  const lines = ['// What it is.', "import { z } from 'zod';"];
  for (const path of ['core/kernel/a.ts', 'plugins/links/a.ts']) {
    assertFaultsAt(faultsIn(path, ...lines), [`${path}:2`]);
    assertNoFaults(faultsIn(path, '// What it is.', "import type { z } from 'zod';"));
  }
  for (const path of ['core/contract/schemas/zod.ts', 'adapters/mail/a.ts']) assertNoFaults(faultsIn(path, ...lines));
});

test('a note of unfinished work is detected', () => {
  const words = ['// TODO later', '/* FIXME */', '/** XXX: odd */', 'const a = 1; // HACK'];
  assertFaultsAt(faultsIn('test/a.ts', ...words), ['test/a.ts:1', 'test/a.ts:2', 'test/a.ts:3', 'test/a.ts:4']);
});

test('an ignored type error is detected', () => {
  assertFaultsAt(faultsIn('test/a.ts', '// @ts-ignore', "const a: number = 'a';"), ['test/a.ts:1']);
});

test('commented-out code is detected', () => {
  const words = [
    '// const a = 1;',
    "// import { b } from './b.ts';",
    '// await send(a);',
    '// if (a) {',
    '// a.b = c;',
    '// send(a, b);',
    '// }',
    '/* return a; */',
  ];
  assertFaultsAt(
    faultsIn('test/a.ts', ...words),
    words.map((_, index) => `test/a.ts:${index + 1}`),
  );
  const sentences = [
    '// Import nothing here.',
    '// If (and only if) it fails, it returns.',
    '// One; two; three.',
    '// GET /v1/links (paged)',
  ];
  assertNoFaults(faultsIn('test/a.ts', ...sentences, '/** @example await send(a); */'));
});

test('any is detected in types only', () => {
  const lines = ['const a: any = 1;', 'const b = a as any[];', "const any = 'any';", 'function f<T = any>(): T;'];
  assertFaultsAt(faultsIn('test/a.ts', ...lines), ['test/a.ts:1', 'test/a.ts:2', 'test/a.ts:4']);
});

test('a meaningless name is detected', () => {
  const lines = [
    'export class JobManager {}',
    'function helperOne() {}',
    'const testUtils = 1;',
    'interface BaseRow {}',
  ];
  assertFaultsAt(faultsIn('test/a.ts', ...lines), ['test/a.ts:1', 'test/a.ts:2', 'test/a.ts:3', 'test/a.ts:4']);
  assertNoFaults(faultsIn('test/a.ts', 'const baseUrl = 1;', 'type Database = 1;'));
});

test('a suite that never runs, and a test that is skipped or exclusive, are detected', () => {
  const two = ["const a = suite('a');", "const b = suite('b');", "a('x', () => {});", 'a.run();'];
  assertFaultsAt(faultsIn('test/a.test.ts', ...two), ['test/a.test.ts:2']);
  assertFaultsAt(faultsIn('test/a.test.ts', "import { test } from 'uvu';", "test('x', () => {});"), [
    'test/a.test.ts:1',
  ]);
  const faultySuite = ["const a = suite('a');", "a.skip('x', () => {});", "a.only('y', () => {});", 'a.run();'];
  assertFaultsAt(faultsIn('test/a.test.ts', ...faultySuite), ['test/a.test.ts:2', 'test/a.test.ts:3']);
  assertNoFaults(faultsIn('test/a.test.ts', 'const page = list.skip(2);', "import { test } from 'elsewhere';"));
});

test('a file or folder that breaks the naming rules is detected', () => {
  const wrong = ['core/jobQueue.ts', 'core/job_queue.ts', 'core/Jobs/a.ts', 'core/url-utils.ts', 'plugins/common/a.ts'];
  const more = ['adapters/mail/mail-base.ts', 'core/cfg.ts', 'test/support/job-manager.ts'];
  assertFaultsAt(pathFaults([...wrong, ...more]), [...wrong, ...more]);
  const right = ['core/storage/database.ts', 'plugins/links/migrations/0001-create-links.ts', 'docs/README.md'];
  assertNoFaults(pathFaults([...right, 'test/guards/runner.test.ts', 'test/core/fixtures/Odd_Name.eml']));
});

test('a registry address in the lock file is detected', () => {
  const lines = ['{', '"resolved": "https://registry.example/a.tgz",', '"resolved": "file:packages/a"', '}'];
  assertFaultsAt(lockFaults('package-lock.json', lines.join('\n')), ['package-lock.json:2']);
});

test.run();
