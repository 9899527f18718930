// The real command line as a child process, in a separate project folder. Used by the tests of hosts/cli.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compiledSources, compiledTypes } from '../support/compiled.ts';

const root = resolve('.');
const loader = import.meta.resolve('tsx');
const sources = await compiledSources();
const types = await compiledTypes();

/** The program's file, for node. */
export const program = join(sources, 'hosts/cli/main.js');

/** The result of a call. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The parts of a call. */
export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What runs it. (Default: this Node) */
  readonly runtime?: string;
}

/** A project folder. */
export interface ProjectFolder {
  readonly folder: string;
  write(path: string, content: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Links packages of this repository, as if they were installed. */
  install(...names: readonly string[]): Promise<void>;
  /** One call, run to its end. */
  run(words: readonly string[], options?: CallOptions): Promise<Ended>;
  /**
   * The same, for a call whose stdout must be one JSON document. @throws when the call fails or prints something else
   */
  json(words: readonly string[], options?: CallOptions): Promise<ReturnType<typeof JSON.parse>>;
  /** A call that keeps running. */
  start(words: readonly string[], options?: CallOptions): RunningCall;
  remove(): Promise<void>;
}

/** The environment of a user: without variables of the test runner. */
function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NO_COLOR: _colour, CI: _ci, PORT: _port, NODE_ENV: _env, DEBUG: _debug, ...rest } = process.env;
  return { ...rest, ...extra };
}

/** A running call. */
export class RunningCall {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(
    cwd: string,
    words: readonly string[],
    { env, input, runtime = process.execPath }: CallOptions,
    main = program,
  ) {
    const flags = main.endsWith('.ts') ? ['--import', loader] : [];
    this.child = spawn(runtime, [...flags, main, ...words], {
      cwd,
      env: environment(env),
      stdio: 'pipe',
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => undefined);
    this.child.stdin?.end(input ?? '');
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  /** Resolves once the pattern was printed. @throws when the call ends without it */
  async printed(pattern: RegExp): Promise<string> {
    let over = false;
    void this.ended.finally(() => {
      over = true;
    });
    for (;;) {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (found !== null) return found[1] ?? found[0];
      if (over) throw new Error(`It ended without ${pattern}:\n${this.stdout}\n${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Asks it to end, and returns its result. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** A package as a user has it installed, made from this repository's sources. */
async function installPostrider(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/postrider');
  await mkdir(place, { recursive: true });
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, [string]> };
  };
  const exported = Object.entries(compilerOptions.paths).map(([name, [target]]) => [
    name.replace(/^postrider/, '.'),
    {
      types: `./types/${target.slice(2).replace(/\.ts$/, '.d.ts')}`,
      default: `./${target.slice(2).replace(/\.ts$/, '.js')}`,
    },
  ]);
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ name: 'postrider', type: 'module', exports: Object.fromEntries(exported) }),
  );
  await mkdir(join(place, 'types'));
  for (const name of ['core', 'plugins', 'adapters', 'hosts']) {
    await symlink(join(sources, name), join(place, name));
    await symlink(join(types, name), join(place, 'types', name));
  }
}

/** A folder with `postrider` installed and the given files in it. */
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
        const [own, target = own] = name.split('=', 2) as [string, string?];
        await mkdir(dirname(join(folder, 'node_modules', own)), { recursive: true });
        await symlink(join(root, 'node_modules', target), join(folder, 'node_modules', own));
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

/** A config over one SQLite file; `extra` is added to the options of createService. */
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
