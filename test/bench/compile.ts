/*
 * Compiles contestants to plain JavaScript outside the repository, as production runs them: tsx's loader wraps every
 * closure to keep its name, which slows down a server under load. Types are not checked here.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');

/** Programs that are started by their path and that no other file imports. */
const threadPrograms = [
  'plugins/templates/compiler/compile-worker.ts',
  'plugins/qr/decode/decode-worker.ts',
  'core/pictures/picture-process.ts',
  'core/pages/markdown/markdown-worker.ts',
].map((path) => join(root, path));

/** The compiled files, with functions to find and remove them. */
export interface Compiled {
  /** The compiled file of a source. If the source is not TypeScript of this repository, returns it unchanged. */
  pathOf(source: string): string;
  remove(): void;
}

/** Compiles the given files and all that they import. `postrider` resolves to the same compiled core. */
export function compile(sources: string[]): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  const ownSources = sources.filter((source) => source.endsWith('.ts') && !relative(root, source).startsWith('..'));
  const parsedConfig = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  });
  const emitResult = ts
    .createProgram([...ownSources, ...threadPrograms], {
      ...parsedConfig?.options,
      rootDir: root,
      outDir: join(folder, 'dist'),
      noEmit: false,
      noCheck: true,
      declaration: false,
    })
    .emit();
  if (emitResult.emitSkipped) throw new Error('The contestants could not be compiled.');
  return {
    pathOf: (source) =>
      ownSources.includes(source) ? join(folder, 'dist', relative(root, source)).replace(/\.ts$/, '.js') : source,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
