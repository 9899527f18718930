// Detects what a project uses from its files: language, framework, database, package manager. Reads only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../../core/command-line.ts';
import { moduleSettingsNote } from './module-settings.ts';

/** The hosts that receive requests. */
export const hosts = ['express', 'fastify', 'lambda', 'node'] as const;
export type InitHost = (typeof hosts)[number];

/** The databases that store rows. */
export const databases = ['sqlite', 'postgres', 'mysql'] as const;
export type InitDatabase = (typeof databases)[number];

/** The detected properties of a project. */
export interface Detected {
  /** Most probable first; empty if no file gives a hint. */
  readonly hosts: readonly InitHost[];
  readonly database: InitDatabase;
  readonly typescript: boolean;
  /** Whether package.json has `"type": "module"`. */
  readonly modules: boolean;
  /** The folder of the sources below the project: `src`, or the project itself. */
  readonly sources: '' | 'src';
  /** Whether tsconfig.json allows imports that end in .ts. */
  readonly tsEndings: boolean;
  /** The change to tsconfig.json, if its settings prevent imports of Postrider from compiling. */
  readonly compilerNote: string | undefined;
  /** The command that adds a package, such as `npm install`. */
  readonly install: string;
  /** Names of the packages that package.json lists. */
  readonly packages: ReadonlySet<string>;
}

interface PackageFile {
  readonly type?: unknown;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

function readText(cwd: string, name: string): string {
  try {
    return readFileSync(join(cwd, name), 'utf8');
  } catch {
    return '';
  }
}

/** @throws CommandError if the file exists but cannot be read: a guess would set up another kind of project */
function readPackage(cwd: string): PackageFile {
  if (!existsSync(join(cwd, 'package.json'))) return {};
  let value: unknown;
  try {
    // Some editors write a byte order mark at the beginning. npm accepts it.
    value = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new CommandError(`package.json cannot be read: ${(cause as Error).message}. Fix it first.`, { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandError('package.json does not contain a JSON object. Fix it first.');
}

const isThere = (cwd: string, ...names: readonly string[]): boolean =>
  names.some((name) => existsSync(join(cwd, name)));

function isServerless(cwd: string, packages: ReadonlySet<string>): boolean {
  const files = [
    'serverless.yml',
    'serverless.yaml',
    'serverless.json',
    'serverless.ts',
    'serverless.js',
    'samconfig.toml',
    'sst.config.ts',
  ];
  const templates = ['template.yml', 'template.yaml'].map((name) => readText(cwd, name));
  return (
    isThere(cwd, ...files) ||
    templates.some((text) => text.includes('AWS::Serverless')) ||
    ['serverless', 'aws-lambda', '@types/aws-lambda', 'serverless-http', '@vendia/serverless-express'].some((name) =>
      packages.has(name),
    )
  );
}

/** The command of the project's package manager that adds a package, such as `npm install`. */
export function installCommand(cwd: string): string {
  if (isThere(cwd, 'pnpm-lock.yaml')) return 'pnpm add';
  if (isThere(cwd, 'yarn.lock')) return 'yarn add';
  if (isThere(cwd, 'bun.lock', 'bun.lockb')) return 'bun add';
  return 'npm install';
}

function hasFile(folder: string, pattern: RegExp): boolean {
  try {
    return readdirSync(folder).some((name) => pattern.test(name));
  } catch {
    return false;
  }
}

const hasSources = (cwd: string): boolean => hasFile(join(cwd, 'src'), /\.[mc]?[jt]s$/);

/**
 * Detects TypeScript by its compiler, by a tool that runs its sources, or by the sources themselves. Plain JavaScript may have
 * declaration files.
 */
function isTypescript(cwd: string, packages: ReadonlySet<string>): boolean {
  const source = /(?<!\.d)\.[mc]?ts$/;
  return (
    ['typescript', 'tsx', 'ts-node'].some((name) => packages.has(name)) ||
    isThere(cwd, 'tsconfig.json') ||
    hasFile(cwd, source) ||
    hasFile(join(cwd, 'src'), source)
  );
}

/** Inspects a project's folder. @throws CommandError if package.json is invalid */
export function detect(cwd: string): Detected {
  const file = readPackage(cwd);
  const versions = { ...file.dependencies, ...file.devDependencies };
  const packages = new Set(Object.keys(versions));
  const compiler = readText(cwd, 'tsconfig.json');
  const modules = file.type === 'module';
  return {
    hosts: [
      ...(isServerless(cwd, packages) ? (['lambda'] as const) : []),
      ...(packages.has('express') ? (['express'] as const) : []),
      ...(packages.has('fastify') ? (['fastify'] as const) : []),
    ],
    database: packages.has('pg') ? 'postgres' : packages.has('mysql2') ? 'mysql' : 'sqlite',
    typescript: isTypescript(cwd, packages),
    modules,
    sources: hasSources(cwd) ? 'src' : '',
    tsEndings: /"(allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(compiler),
    compilerNote: moduleSettingsNote(compiler, { modules, typescript: String(versions.typescript ?? '') }),
    install: installCommand(cwd),
    packages,
  };
}
