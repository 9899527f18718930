// The package as npm would publish it: packed once, and installed into empty projects. For the tests in this folder.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The repository. */
export const root = resolve('.');

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** Runs a program of this machine. @throws with what it printed when it fails or takes longer than two minutes */
export async function runIn(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  try {
    return await run(command, args, {
      cwd,
      env: { ...process.env, NODE_ENV: '', ...env },
      timeout: 240_000,
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
  /** Paths inside the tarball. */
  readonly files: readonly string[];
  /** An empty project with the tarball and more packages installed. Later ones start from what the first installed. */
  project(name: string, packages: readonly string[]): Promise<string>;
  /** Installs more packages into a project. */
  add(project: string, packages: readonly string[]): Promise<void>;
  /** A folder inside the first project: it finds there what is installed. */
  room(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Where no binary can be had, compiling SQLite takes a minute; it is done here already. */
async function buildAddon(project: string): Promise<void> {
  const addon = 'node_modules/better-sqlite3';
  const versions = await Promise.all([root, project].map((at) => readFile(join(at, addon, 'package.json'), 'utf8')));
  const [own, theirs] = versions.map((text) => (JSON.parse(text) as { version: string }).version);
  const built = 'build/Release/better_sqlite3.node';
  if (existsSync(join(project, addon, built))) return;
  if (own === theirs && existsSync(join(root, addon, built)))
    await cp(join(root, addon, built), join(project, addon, built), { recursive: true });
  else await runIn(project, 'npm', ['rebuild', 'better-sqlite3']);
}

/** When the files and folders below these were written, in milliseconds since the epoch. */
async function timesOf(...names: readonly string[]): Promise<number[]> {
  const paths = await Promise.all(
    names.map(async (name) => {
      const path = join(root, name);
      const isFolder = (await stat(path)).isDirectory();
      return [path, ...(isFolder ? (await readdir(path, { recursive: true })).map((inner) => join(path, inner)) : [])];
    }),
  );
  return Promise.all(paths.flat().map(async (path) => (await stat(path)).mtimeMs));
}

/** Whether `dist` was built after the last change of a source, as by the `npm ci` of a clean clone. */
async function isBuilt(): Promise<boolean> {
  if (!existsSync(join(root, 'dist/core/index.js'))) return false;
  const sources = await timesOf(
    'core',
    'plugins',
    'adapters',
    'hosts',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'test/support/build-package.ts',
    'test/support/bundle.ts',
  );
  return Math.max(...sources) < Math.min(...(await timesOf('dist')));
}

/** Packs what is built; where a source is newer, `prepare` builds it first. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-package-'));
  const scripts = (await isBuilt()) ? ['--ignore-scripts'] : [];
  await runIn(root, 'npm', ['pack', '--silent', ...scripts, '--pack-destination', folder]);
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no tarball.');
  const tarball = join(folder, name);
  const { stdout } = await runIn(folder, 'tar', ['-tzf', tarball]);
  let first: string | undefined;
  return {
    folder,
    tarball,
    files: stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, '')),
    async project(title, packages) {
      const project = join(folder, title);
      await mkdir(project);
      // better-sqlite3 builds itself where no binary can be had, bun puts its own in place: allowed by name, as npm asks.
      const manifest = { name: title, private: true, allowScripts: { 'better-sqlite3': true, bun: true } };
      await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
      if (first !== undefined)
        await cp(join(first, 'node_modules'), join(project, 'node_modules'), {
          recursive: true,
          verbatimSymlinks: true,
        });
      const scripts = first === undefined ? ['--ignore-scripts'] : [];
      await runIn(project, 'npm', ['install', ...quiet, ...scripts, tarball, ...packages]);
      if (first === undefined) await buildAddon(project);
      first ??= project;
      return project;
    },
    async add(project, packages) {
      await runIn(project, 'npm', ['install', ...quiet, '--ignore-scripts', ...packages]);
      await buildAddon(project);
    },
    async room(title) {
      if (first === undefined) throw new Error('No project was made yet.');
      const room = join(first, title);
      await mkdir(room);
      await writeFile(join(room, 'package.json'), JSON.stringify({ name: title, private: true }));
      return room;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
