// The builds in docs/bundlers.md: a program that uses the installed package, and is bundled as the page says, publishes a template.
// full-run: long
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeDocumentFiles } from './documents.ts';
import { openWorkshop, root, runIn, type Workshop } from './tarball.ts';

const test = suite('package: bundlers');
const page = join(root, 'docs/bundlers.md');
const sqlite = 'better-sqlite3';
const authoring = ['mjml', 'juice', 'html-to-text'];
const drawing = ['qrcode', 'sharp', 'zxing-wasm'];
let workshop: Workshop;
/** A project with everything installed, in which the bundles are built. */
let project: string;

interface BundleResult {
  readonly start: string;
  /** The output of a second start. */
  readonly again: string;
  readonly publish: string;
  readonly draw: string;
}

const allDone: BundleResult = { start: 'done', again: 'done', publish: 'done', draw: 'done' };

async function outcomeOf(folder: string, file: string): Promise<BundleResult> {
  const { stdout } = await runIn(folder, process.execPath, [file]);
  return JSON.parse(stdout) as BundleResult;
}

/** Runs the page's commands that write these files, in the order of the list. */
async function runCommands(writes: readonly string[]): Promise<void> {
  const lines = (await readFile(page, 'utf8')).split('\n').filter((line) => line.startsWith('npx esbuild '));
  const commands = writes.map((file) => lines.find((line) => line.includes(`--outfile=${file}`)));
  const env = { PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter) };
  for (const command of commands) {
    assert.ok(command, 'the page has the command');
    await runIn(project, 'sh', ['-c', command.replace('npx ', '')], env);
  }
}

test.before(async () => {
  workshop = await openWorkshop([sqlite, 'bun@1', ...authoring, ...drawing, 'webpack@5']);
  project = await workshop.project('bundled', [sqlite, ...authoring, ...drawing, 'webpack']);
  await copyFile(join(root, 'test/package/programs/bundled.mjs'), join(project, 'server.mjs'));
  await writeDocumentFiles(page, project);
});

test.after(() => workshop.remove());

test('esbuild keeps packages external', async () => {
  await runCommands(['dist/server.mjs']);
  assert.equal(await outcomeOf(project, 'dist/server.mjs'), allDone);
});

test('webpack keeps packages external', async () => {
  const build = `import webpack from 'webpack';
import config from './webpack.config.mjs';
webpack({ ...config, output: { ...config.output, path: process.cwd() + '/packed' } }, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
});`;
  await writeFile(join(project, 'build.mjs'), build);
  await runIn(project, process.execPath, ['build.mjs']);
  assert.equal(await outcomeOf(project, 'packed/server.mjs'), allDone);
});

test('esbuild puts everything into one file, and the programs of threads beside it', async () => {
  const files = ['server', 'compile-worker', 'decode-worker', 'markdown-worker', 'picture-process'];
  await runCommands(files.map((name) => `dist/${name}.cjs`));
  assert.equal(await outcomeOf(project, 'dist/server.cjs'), allDone);
});

test('a bundle without the optional packages answers 501 with their names', async () => {
  const bare = await workshop.project('bare', [sqlite]);
  await cp(join(project, 'dist'), join(bare, 'dist'), { recursive: true });
  const { start, publish, draw } = await outcomeOf(bare, 'dist/server.cjs');
  assert.is(start, 'done');
  assert.match(publish, /^501 The package mjml, .*: npm install mjml juice html-to-text$/);
  assert.match(draw, /^501 The package \w+, .*: npm install qrcode sharp zxing-wasm$/);
});

test.run();
