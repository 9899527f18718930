// The real command line as a child process, in a separate project folder. Used by the tests of hosts/cli.
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compiledSources, compiledTypes } from '../support/compiled.ts';
import { ProgramCall, type ProgramCallOptions, type ProgramCallResult } from './program-call.ts';

const root = resolve('.');
const sources = await compiledSources();
const types = await compiledTypes();

/** The program's file, to run with node. */
export const program = join(sources, 'hosts/cli/main.js');

/** A project folder. */
export interface ProjectFolder {
  readonly folder: string;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Links packages of this repository, as if they were installed in the project. */
  install(...names: readonly string[]): Promise<void>;
  /** Runs one call until it ends. */
  run(words: readonly string[], options?: ProgramCallOptions): Promise<ProgramCallResult>;
  /** Runs one call whose stdout must be one JSON document. @throws if the call fails or prints anything else */
  json(words: readonly string[], options?: ProgramCallOptions): Promise<ReturnType<typeof JSON.parse>>;
  /** Starts a call that keeps running. */
  start(words: readonly string[], options?: ProgramCallOptions): RunningCall;
  remove(): Promise<void>;
}

/** A running call of the command line from the sources. */
export class RunningCall extends ProgramCall {
  constructor(cwd: string, words: readonly string[], options: ProgramCallOptions, main = program) {
    super(cwd, words, options, main);
  }
}

/** Installs the package as a user would get it, made from this repository's sources. */
async function installPostrider(folder: string): Promise<void> {
  const packageFolder = join(folder, 'node_modules/postrider');
  await mkdir(packageFolder, { recursive: true });
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, [string]> };
  };
  const exportsEntries = Object.entries(compilerOptions.paths).map(([name, [target]]) => [
    name.replace(/^postrider/, '.'),
    {
      types: `./types/${target.slice(2).replace(/\.ts$/, '.d.ts')}`,
      default: `./${target.slice(2).replace(/\.ts$/, '.js')}`,
    },
  ]);
  await writeFile(
    join(packageFolder, 'package.json'),
    JSON.stringify({ name: 'postrider', type: 'module', exports: Object.fromEntries(exportsEntries) }),
  );
  await mkdir(join(packageFolder, 'types'));
  for (const name of ['core', 'plugins', 'adapters', 'hosts']) {
    await symlink(join(sources, name), join(packageFolder, name));
    await symlink(join(types, name), join(packageFolder, 'types', name));
  }
}

/** Creates a folder with `postrider` installed and with the given files. */
export async function createProjectFolder(files: Readonly<Record<string, string>> = {}): Promise<ProjectFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'postrider-cli-')));
  await installPostrider(folder);
  const running = new Set<RunningCall>();
  const project: ProjectFolder = {
    folder,
    async write(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    read: (path) => readFile(join(folder, path), 'utf8'),
    async install(...names) {
      for (const name of names) {
        const [packageName, target = packageName] = name.split('=', 2) as [string, string?];
        await mkdir(dirname(join(folder, 'node_modules', packageName)), { recursive: true });
        await symlink(join(root, 'node_modules', target), join(folder, 'node_modules', packageName));
      }
    },
    run: (words, options = {}) => project.start(words, options).ended,
    async json(words, options) {
      const { code, stdout, stderr } = await project.run([...words, '--json'], options);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
      return JSON.parse(stdout);
    },
    start(words, options = {}) {
      const call = new RunningCall(folder, words, options);
      running.add(call);
      void call.ended.finally(() => running.delete(call));
      return call;
    },
    async remove() {
      for (const call of running) await call.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (const [path, content] of Object.entries(files)) await project.write(path, content);
  return project;
}

/** A config with one SQLite file; `extra` is added to the options of createService. */
export const sqliteConfig = (extra = ''): string => `
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

export default createService({
  plugins: standardPlugins,
  storage: sqliteStorage({ filename: 'app.sqlite' }),
  mail: captureMail(),
  ${extra}
});
`;
