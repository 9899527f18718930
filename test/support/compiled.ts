// The sources as JavaScript, as an installed package has them: a process starts several times as fast on these. Made once
// for each state of the sources and kept in node_modules/.cache. Used by tests that start many processes.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/postrider-compiled');
const folders = ['core', 'plugins', 'adapters', 'hosts', 'test/faults', 'test/support'];

async function sourceFiles(): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => /(?<!\.d|\.test)\.ts$/.test(name) && !name.includes('browser/'))
        .map((name) => join(folder, name)),
    ),
  );
  return found.flat().sort();
}

async function stateOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['tsconfig.json', ...files]) {
    const { mtimeMs, size } = await stat(join(root, file));
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function compile(files: readonly string[], place: string): Promise<void> {
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', await readFile(join(root, 'tsconfig.json'), 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, noEmit: false }, root);
  for (const file of files) {
    const source = await readFile(join(root, file), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { ...options, declaration: false, module: ts.ModuleKind.ESNext },
      fileName: file,
    });
    const target = join(place, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
  await writeFile(join(place, 'package.json'), '{ "type": "module" }');
}

/** The folder that has `core`, `plugins`, `adapters`, `hosts` and what fault tests start as JavaScript. */
export async function compiledSources(): Promise<string> {
  const files = await sourceFiles();
  const place = join(cache, await stateOf(files));
  if (existsSync(place)) return place;
  const draft = `${place}-${process.pid}`;
  await compile(files, draft);
  try {
    await rename(draft, place);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(place)) throw error;
    await rm(draft, { recursive: true });
  }
  return place;
}
