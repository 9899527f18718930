// Module settings of TypeScript programs, as in the table in docs/embedding.md, and the compilers' output. For package.test.ts.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

interface ModuleSetting {
  readonly title: string;
  /** The compiler's package in the stock; undefined for this repository's TypeScript 6. */
  readonly stocked?: string;
  /** Its extension decides whether it is an ES module or CommonJS. */
  readonly file: string;
  readonly options: readonly string[];
  /** The compiler's complete output; undefined if the program compiles. */
  readonly expectedError?: RegExp;
}

const moduleFlags = (value: string): string[] => ['--module', value, '--moduleResolution', value];

/** The program imports `postrider` and three of its subpaths, so each error must occur exactly four times, and no other may occur. */
const four = (code: string, message: string): RegExp =>
  new RegExp(`^(\\S+: error ${code}: ${message}[^\\n]*\\n(  [^\\n]*\\n)*){4}$`);

const notRequired = four(
  'TS1479',
  'The current file is a CommonJS module .* the referenced file is an ECMAScript module',
);
const notFound = four('TS2307', "Cannot find module 'postrider");

export const moduleSettings: readonly ModuleSetting[] = [
  {
    title: '5.0 with an ES module under nodenext',
    stocked: 'typescript-5.0',
    file: 'main.mts',
    options: moduleFlags('nodenext'),
  },
  {
    title: '5 with an ES module under nodenext',
    stocked: 'typescript',
    file: 'main.mts',
    options: moduleFlags('nodenext'),
  },
  {
    title: '5 with CommonJS under nodenext',
    stocked: 'typescript',
    file: 'main.cts',
    options: moduleFlags('nodenext'),
  },
  { title: '6 with CommonJS under nodenext', file: 'main.cts', options: moduleFlags('nodenext') },
  {
    title: '6 with CommonJS under node16',
    file: 'main.cts',
    options: moduleFlags('node16'),
    expectedError: notRequired,
  },
  {
    title: '5 under node10',
    stocked: 'typescript',
    file: 'main.ts',
    options: ['--module', 'esnext', '--moduleResolution', 'node10'],
    expectedError: notFound,
  },
  {
    title: '6 with CommonJS under bundler',
    file: 'main.ts',
    options: ['--module', 'commonjs', '--moduleResolution', 'bundler'],
  },
  {
    title: '6 under bundler',
    file: 'main.ts',
    options: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  },
];

/** The output of the compiler in `typescript` for one file of a project; empty if the file compiles. */
export async function faultsOf(
  typescript: string,
  project: string,
  file: string,
  options: readonly string[],
): Promise<string> {
  const common = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', 'node'];
  try {
    await runFile(process.execPath, [join(typescript, 'bin/tsc'), ...common, ...options, file], { cwd: project });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

/** The errors in the declarations of the package installed in `project`, with this language library. */
async function faultsWith(typescript: string, project: string, library: string): Promise<string[]> {
  const name = `declarations-${library}.json`;
  const compilerOptions = {
    noEmit: true,
    strict: true,
    // Only this shows errors in declarations.
    skipLibCheck: false,
    target: library,
    lib: [library],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
  };
  const include = ['node_modules/postrider/dist/**/*.d.ts'];
  await writeFile(join(project, name), JSON.stringify({ compilerOptions, include, exclude: [] }));
  try {
    await runFile(process.execPath, [join(typescript, 'bin/tsc'), '-p', name], {
      cwd: project,
      maxBuffer: 64 * 1_048_576,
    });
    return [];
  } catch (error) {
    const lines = String((error as { stdout?: unknown }).stdout).split('\n');
    return lines.filter((line) => line.startsWith('node_modules/postrider/'));
  }
}

/** The language features beyond ES2020 that the declarations need. Errors that also occur with ES2023 are missing packages. */
export async function beyondEs2020(typescript: string, project: string): Promise<string[]> {
  const missing = new Set(await faultsWith(typescript, project, 'es2023'));
  return (await faultsWith(typescript, project, 'es2020')).filter((line) => !missing.has(line));
}
