// Runs the code of README.md and docs/*.md as programs: all ts blocks of one document, one after another.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Plugin } from 'esbuild';
import { compiledSources, typePaths } from '../support/compiled.ts';
import { typeCompiler } from '../support/type-compiler.ts';

const runFile = promisify(execFile);
const root = resolve('.');

/** The contents of a document's code blocks in one language, in order. */
export async function codeBlocks(document: string, language: string): Promise<string[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language && code !== undefined ? [code] : [],
  );
}

/** A block of code in a document, in any language. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The line of the opening fence. */
  readonly line: number;
}

/** All blocks of a document, including blocks in lists. */
export async function everyBlock(document: string): Promise<CodeBlock[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/^([ \t]*)```([^\n`]*)\n(.*?)^\1```[ \t]*$/gms)].map(
    ({ 2: info = '', 3: code = '', index }) => ({
      language: info.trim(),
      code,
      line: text.slice(0, index).split('\n').length,
    }),
  );
}

/** The public names of the package, and their sources. */
async function publicPaths(): Promise<Record<string, string[]>> {
  const { compilerOptions } = JSON.parse(await readFile('tsconfig.json', 'utf8')) as {
    compilerOptions: { paths: Record<string, string[]> };
  };
  return compilerOptions.paths;
}

/** Creates a folder in which a program finds `postrider` as a user would; it consists of this repository's sources. */
export async function createProgramFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-documents-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { paths: await typePaths() },
    include: ['*.mts'],
  };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return folder;
}

/** Removes a program's folder. */
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true });

/** Type-checks every program in the folder. Returns the compiler's output, which is empty if there is no error. */
export async function typeFaults(folder: string): Promise<string> {
  try {
    await runFile(process.execPath, [typeCompiler, '--noEmit', '-p', 'tsconfig.json'], { cwd: folder });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

/** The text that a program prints in front of its answer to the test's question. */
const answerMark = 'The answer is ';

/** The statement at the end of a program that answers the test's question. */
export const printedResult = (question: string): string =>
  `console.log('${answerMark}' + JSON.stringify(${question}));`;

/** Finds the answer in a program's output. */
export function resultIn(output: string): unknown {
  const line = output.split('\n').find((text) => text.startsWith(answerMark));
  return line === undefined ? undefined : JSON.parse(line.slice(answerMark.length));
}

/** Resolves each public name of `postrider` to the compiled sources, by the paths of tsconfig.json. */
const compiledPackage = (folder: string, paths: Readonly<Record<string, readonly string[]>>): Plugin => ({
  name: 'compiled-package',
  setup({ onResolve }) {
    onResolve({ filter: /^postrider(\/|$)/ }, ({ path }) => {
      for (const [name, [target = '']] of Object.entries(paths)) {
        const [start = '', end] = name.split('*');
        if (end === undefined ? path !== name : !path.startsWith(start)) continue;
        const file = target.replace('*', path.slice(start.length)).replace(/\.ts$/, '.js');
        return { path: pathToFileURL(join(folder, file)).href, external: true };
      }
      return undefined;
    });
  },
});

/** Compiles a program in its folder to JavaScript that runs on the compiled sources. Returns the new file's name. */
export async function buildProgram(folder: string, name: string): Promise<string> {
  const { build } = await import('esbuild');
  const program = name.replace(/\.mts$/, '.mjs');
  await build({
    entryPoints: [join(folder, name)],
    outfile: join(folder, program),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [compiledPackage(await compiledSources(), await publicPaths())],
  });
  return program;
}

/** Runs a program in its folder, on the compiled sources. Returns its output. @throws if it fails */
export async function runProgram(folder: string, name: string): Promise<string> {
  const program = await buildProgram(folder, name);
  const { stdout } = await runFile(process.execPath, [program], { cwd: folder });
  return stdout;
}
