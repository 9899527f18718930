// Finds and loads postrider.config.*. Its default export is a service, or a function that returns one. Called by project.ts,
// by `init`, and by `doctor`. TypeScript is loaded by jiti, so that it works on every Node; JavaScript is imported unchanged.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { CommandError, missingPackageName } from '../../core/command-line.ts';
import type { Service } from '../../core/index.ts';
import { configFiles } from './config-files.ts';

const configNames = ['ts', 'mts', 'js', 'mjs', 'cjs'].map((ending) => `postrider.config.${ending}`);
const composeLimitMs = 30_000;

/** Searches the folder and its `src`: a program whose compiler covers only `src` cannot import a config from above it. */
const configsIn = (folder: string): readonly string[] =>
  [folder, join(folder, 'src')]
    .flatMap((subfolder) => configNames.map((name) => join(subfolder, name)))
    .filter((file) => existsSync(file));

const configIn = (folder: string): string | undefined => configsIn(folder)[0];

/** The configs in the folder, except the config in use. */
export const otherConfigs = (cwd: string, used: string): readonly string[] =>
  configsIn(cwd).filter((file) => file !== used);

/** The config's file: the file that the call names, or the file in the folder. @throws CommandError if a named file is missing */
export function findConfig(cwd: string, namedFile: string | undefined): string | undefined {
  if (namedFile !== undefined) {
    const file = resolve(cwd, namedFile);
    if (!existsSync(file)) throw new CommandError(`There is no config at ${relative(cwd, file)}. Check --config.`);
    return file;
  }
  return configIn(cwd);
}

/** The nearest parent folder with a config. Errors name it, because the user is probably in the wrong folder. */
export function folderAbove(cwd: string): string | undefined {
  for (let folder = dirname(cwd), below = cwd; folder !== below; below = folder, folder = dirname(folder)) {
    if (configIn(folder) !== undefined) return folder;
  }
  return undefined;
}

const isTypeScript = (file: string): boolean => /\.[mc]?ts$/.test(file);

async function importConfig(file: string): Promise<unknown> {
  if (!isTypeScript(file)) return import(pathToFileURL(file).href);
  const { createJiti } = await import('jiti');
  return createJiti(pathToFileURL(file).href, { tsconfigPaths: true }).import(file);
}

/** The position in the project's own files from which an error came, relative to the folder: `postrider.config.ts:12:7`. */
function positionOf(error: unknown, cwd: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { stack = '', message } = error;
  const positions = `${stack}\n${message}`.matchAll(
    /(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^\s()'"]*?\.[mc]?[jt]s):(\d+)(?::(\d+))?/g,
  );
  for (const [whole, path = '', line, column] of positions) {
    const file = whole.startsWith('file:') ? fileURLToPath(`file://${path}`) : path;
    const relativePath = relative(cwd, file);
    if (relativePath.startsWith('..') || relativePath.includes('node_modules')) continue;
    return `${relativePath}:${line}${column === undefined ? '' : `:${column}`}`;
  }
  return undefined;
}

/**
 * The position of a syntax error in a file of the config. Node puts it only into the stack that it prints, and does not expose
 * it.
 */
async function syntaxErrorPosition(file: string, cwd: string): Promise<string | undefined> {
  for (const path of (await configFiles(file, cwd)).keys()) {
    if (!/\.[mc]?js$/.test(path)) continue;
    const checkResult = await promisify(execFile)(process.execPath, ['--check', path]).catch((error: unknown) => error);
    const line = /:(\d+)\n/.exec(String((checkResult as { readonly stderr?: unknown }).stderr))?.[1];
    if (checkResult instanceof Error && line !== undefined) return `${relative(cwd, path)}:${line}`;
  }
  return undefined;
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';

const maxFaults = 10;

/** The faults of a composition, one on each line. */
function faultsOf(cause: unknown): readonly string[] {
  const { name, faults } = cause as { readonly name?: unknown; readonly faults?: unknown };
  if (name !== 'CompositionError' || !Array.isArray(faults)) return [];
  const more = faults.length > maxFaults ? [`… and ${faults.length - maxFaults} more, which --verbose shows.`] : [];
  return [...faults.slice(0, maxFaults).map(String), ...more];
}

/** The error of a failed import: a line, with the faults below it. */
async function importFault(file: string, cwd: string, cause: unknown): Promise<CommandError> {
  const name = relative(cwd, file);
  const message = cause instanceof Error ? firstLine(cause.message) : String(cause);
  const missingPackage = missingPackageName(cause);
  if (missingPackage !== undefined) {
    return new CommandError(
      `${name} needs the package ${missingPackage}, which is not installed: npm install ${missingPackage}`,
      {
        cause,
      },
    );
  }
  // Some compilers give the position separately: `… (3:10)`.
  const separatePosition = /\s*\((\d+:\d+)\)$/.exec(message);
  const isSyntax = cause instanceof SyntaxError;
  const position =
    positionOf(cause, cwd) ??
    (separatePosition === null ? undefined : `${name}:${separatePosition[1]}`) ??
    (isSyntax ? await syntaxErrorPosition(file, cwd) : undefined) ??
    name;
  const kind = cause instanceof Error && cause.name !== 'Error' ? `${cause.name}: ` : '';
  const text = message.replace(separatePosition?.[0] ?? '', '').replace(`${file}: `, '');
  return new CommandError([`${name} cannot be loaded. ${position}: ${kind}${text}`, ...faultsOf(cause)].join('\n'), {
    cause,
  });
}

const isService = (value: unknown): value is Service =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Service>).dispatch === 'function' &&
  typeof (value as Partial<Service>).core === 'object';

/** The default export, even if a CommonJS file was compiled from an ES module. */
function defaultOf(module: unknown): unknown {
  const { default: value } = module as { default?: unknown };
  if (typeof value === 'object' && value !== null && !isService(value) && 'default' in value) return value.default;
  return value;
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

async function callWithin<T>(work: () => T | Promise<T>, action: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const rejectLate = () => reject(new CommandError(`${action} within ${composeLimitMs / 1_000} s.`));
    timer = setTimeout(rejectLate, composeLimitMs);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` with a higher stack trace limit, so that the stack includes the project's line even if a library threw the error. */
async function withLongStacks<T>(work: () => T | Promise<T>, timeoutText: string): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  try {
    return await callWithin(work, timeoutText);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const example = 'export default createService({ … })';

/** The service that a config exports. @throws CommandError with the fault of the file and its position */
export async function loadConfig(file: string, cwd: string): Promise<Service> {
  const name = basename(file);
  const exported = await withLongStacks(() => importConfig(file), `${name} was not loaded`).then(
    defaultOf,
    async (cause: unknown) => {
      throw cause instanceof CommandError ? cause : await importFault(file, cwd, cause);
    },
  );
  if (exported === undefined) throw new CommandError(`${name} has no default export. Write: ${example}`);
  if (typeof exported !== 'function') {
    if (isService(exported)) return exported;
    throw new CommandError(
      `The default export of ${name} must be a service or a function that returns one; it is ${kindOf(exported)}. Write: ${example}`,
    );
  }
  let result: unknown;
  try {
    result = await withLongStacks(exported as () => unknown, `The function that ${name} exports returned no service`);
  } catch (cause) {
    throw cause instanceof CommandError ? cause : await importFault(file, cwd, cause);
  }
  if (isService(result)) return result;
  throw new CommandError(`The function that ${name} exports must return a service; it returned ${kindOf(result)}.`);
}
