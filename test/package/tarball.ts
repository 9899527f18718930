// The package as npm would publish it: packed once, and installed into empty projects. For the tests in this folder.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isBuilt } from '../support/built-package.ts';
import { linkPackage } from './links.ts';

const runFile = promisify(execFile);

/** The repository. */
export const root = resolve('.');

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Runs a program of this machine. @throws with its output if it fails or takes longer than `seconds` */
export async function runIn(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  seconds = 240,
) {
  try {
    return await runFile(command, args, {
      cwd,
      env: { ...process.env, NODE_ENV: '', ...env },
      timeout: seconds * 1000,
      maxBuffer: 64 * 1_048_576,
    });
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout ?? ''}\n${stderr ?? ''}\n${message}`.slice(0, 8_000));
  }
}

/** A folder for the tarball and the projects. */
export interface Workshop {
  readonly folder: string;
  readonly tarball: string;
  /** The folder into which npm has installed the tarball and the stock. */
  readonly stock: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
  /**
   * Creates a project with the tarball, these packages of the stock, and their dependencies, but nothing else. If a package has another
   * name in the stock, pass `name@npm:stock-name`. @throws if npm finds that a package is missing or has a wrong version
   */
  project(name: string, packages: readonly string[]): Promise<string>;
  /** Installs more of the stock's packages into a project. */
  add(project: string, packages: readonly string[]): Promise<void>;
  /** Creates a folder inside a project, from which the project's packages can be imported. */
  room(project: string, name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Provides version 12 of the driver if no binary is available. Compiling SQLite takes a minute, so it copies this repository's build. */
async function buildAddon(project: string): Promise<void> {
  const addon = 'node_modules/better-sqlite3';
  if (existsSync(join(project, addon, 'prebuilds'))) return;
  const versions = await Promise.all([root, project].map((at) => readFile(join(at, addon, 'package.json'), 'utf8')));
  const [ownVersion, stockVersion] = versions.map((text) => (JSON.parse(text) as { version: string }).version);
  const builtAddon = 'build/Release/better_sqlite3.node';
  if (existsSync(join(project, addon, builtAddon))) return;
  if (ownVersion === stockVersion && existsSync(join(root, addon, builtAddon)))
    await cp(join(root, addon, builtAddon), join(project, addon, builtAddon), { recursive: true });
  else await runIn(project, 'npm', ['rebuild', 'better-sqlite3']);
}

/** Packs the built package, which `prepack` builds first if a source is newer. Then installs it once, with `stocked`. */
export async function openWorkshop(stockPackages: readonly string[]): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-package-'));
  const scripts = (await isBuilt()) ? ['--ignore-scripts'] : [];
  await runIn(root, 'npm', ['pack', '--silent', ...scripts, '--pack-destination', folder]);
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no tarball.');
  const tarball = join(folder, name);
  const { stdout } = await runIn(folder, 'tar', ['-tzf', tarball]);
  const stock = join(folder, 'stock');
  await mkdir(stock);
  // bun moves its own program into place, and npm requires that to be allowed by name. SQLite is already built here.
  const manifest = { name: 'stock', private: true, allowScripts: { bun: true } };
  await writeFile(join(stock, 'package.json'), JSON.stringify(manifest));
  await runIn(stock, 'npm', ['install', ...quiet, '--ignore-scripts', tarball, ...stockPackages]);
  await buildAddon(stock);
  await runIn(stock, 'npm', ['rebuild', 'bun']);

  async function add(project: string, packages: readonly string[]): Promise<void> {
    const path = join(project, 'package.json');
    const ownManifest = JSON.parse(await readFile(path, 'utf8')) as { dependencies: Record<string, string> };
    for (const [as = '', from = as] of packages.map((spec) => spec.split('@npm:'))) {
      await linkPackage(stock, project, from, as);
      ownManifest.dependencies[as] = '*';
    }
    await writeFile(path, JSON.stringify(ownManifest));
    // Checks the versions of all packages, including peer dependencies.
    await runIn(project, 'npm', ['ls', '--all', '--loglevel=error']);
  }

  return {
    folder,
    tarball,
    stock,
    files: stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, '')),
    async project(title, packages) {
      const project = join(folder, title);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), JSON.stringify({ name: title, private: true, dependencies: {} }));
      await add(project, ['postrider', ...packages]);
      return project;
    },
    add,
    async room(project, title) {
      const folder = join(project, title);
      await mkdir(folder);
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name: title, private: true }));
      return folder;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
