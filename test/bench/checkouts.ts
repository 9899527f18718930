/*
 * Compiles the sources of a checkout to JavaScript, file by file, so that several releases can be measured in turn without the
 * TypeScript loader. Called by accept.ts and jobs.ts.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { dataFolder } from './contestant-process.ts';

/** The files to compile besides the product, as paths below the checkout that they come from. */
export interface MeasuredFiles {
  /** From the checkout that measures: they run on every release. */
  readonly own: readonly string[];
  /** From the checkout that is measured. (Default: none) */
  readonly fromCheckout?: readonly string[];
}

/** Returns the folder of the compiled checkout. `changed`: changes each file's text. (Default: unchanged) */
export async function compileCheckout(
  checkout: string,
  files: MeasuredFiles,
  changed: (text: string) => string = (text) => text,
): Promise<string> {
  const ownRoot = join(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(dataFolder, 'release-'));
  for (const name of ['core', 'plugins', 'adapters', 'hosts', 'package.json']) {
    cpSync(join(checkout, name), join(folder, name), { recursive: true });
  }
  for (const file of files.own) cpSync(join(ownRoot, file), join(folder, file), { recursive: true });
  for (const file of files.fromCheckout ?? []) cpSync(join(checkout, file), join(folder, file), { recursive: true });
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.d.ts'),
  );
  await build({
    entryPoints: sources.map((file) => join(folder, file)),
    outdir: folder,
    outbase: folder,
    format: 'esm',
    target: 'node20',
    platform: 'node',
  });
  for (const file of sources) {
    const compiledPath = join(folder, file.replace(/\.ts$/, '.js'));
    const text = readFileSync(compiledPath, 'utf8').replace(/(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g, '$1$2.js$1');
    writeFileSync(compiledPath, changed(text));
  }
  return folder;
}
