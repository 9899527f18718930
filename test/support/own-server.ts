// A separate Postgres or MariaDB server that a test may stop and start: it uses installed programs, an empty folder and a free port. If
// the server cannot run, the tests are skipped, or this throws an error if POSTRIDER_TEST_SERVICES is `required`.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { findService } from './services.ts';

/** A running server. */
export interface OwnServer {
  /** The URL of its database: `postgres` on Postgres, `postrider` on MariaDB. */
  readonly url: string;
  /** Stops it like a crash, without closing connections. Resolves when its process has ended. */
  kill(): Promise<void>;
  /** Starts it again with the same folder and port. Resolves when it answers. */
  start(): Promise<void>;
  /** Ends it and removes the folder. */
  remove(): Promise<void>;
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** The settings with which a server runs */
export interface ServerRecipe {
  readonly name: string;
  /** The user that runs the server if the test runs as root, because neither server starts as root */
  readonly user: string;
  readonly killSignal: NodeJS.Signals;
  /** Creates the server's data in the folder. */
  install(folder: string, account: Account): void;
  command(folder: string, port: number): readonly [program: string, args: readonly string[]];
  url(port: number): string;
  /** Connects to the server. @throws if it does not answer */
  ask(url: string): Promise<void>;
}

const quiet = { stdio: 'ignore', timeout: 60_000 } as const;

function postgresPrograms(): string {
  const root = '/usr/lib/postgresql';
  const releases = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  if (releases[0] === undefined) throw new Error(`there is no ${root}`);
  return join(root, releases[0], 'bin');
}

async function askPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

const recipes = {
  postgres: {
    name: 'postgres',
    user: 'postgres',
    // SIGQUIT is an immediate shutdown: every backend ends at once, and the next start recovers.
    killSignal: 'SIGQUIT',
    install(folder, account) {
      const args = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8'];
      execFileSync(join(postgresPrograms(), 'initdb'), args, { ...quiet, ...account, cwd: folder });
    },
    command: (folder, port) => [
      join(postgresPrograms(), 'postgres'),
      ['-D', join(folder, 'data'), '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
    ],
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    ask: askPostgres,
  },
  mariadb: {
    name: 'mariadb',
    user: 'mysql',
    killSignal: 'SIGKILL',
    install(folder, account) {
      const args = ['--no-defaults', `--datadir=${join(folder, 'data')}`, '--skip-test-db'];
      execFileSync('mariadb-install-db', [...args, '--auth-root-authentication-method=normal'], {
        ...quiet,
        ...account,
        cwd: folder,
      });
    },
    command: (folder, port) => [
      existsSync('/usr/sbin/mariadbd') ? '/usr/sbin/mariadbd' : 'mariadbd',
      [
        '--no-defaults',
        `--datadir=${join(folder, 'data')}`,
        `--socket=${join(folder, 'socket')}`,
        `--pid-file=${join(folder, 'pid')}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
      ],
    ],
    url: (port) => `mysql://root@127.0.0.1:${port}/postrider`,
    async ask(url) {
      const server = new URL(url);
      server.pathname = '/';
      const connection = await createConnection({ uri: server.href, connectTimeout: 2_000 });
      await connection.query('create database if not exists postrider');
      await connection.end();
    },
  },
} satisfies Record<string, ServerRecipe>;

function accountOf(user: string): Account {
  if (process.getuid?.() !== 0) return {};
  const number = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

async function waitForAnswer({ ask }: ServerRecipe, url: string, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; ) {
    try {
      return await ask(url);
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error;
    }
    await pause(20);
  }
}

async function create(recipe: ServerRecipe): Promise<OwnServer> {
  const account = accountOf(recipe.user);
  const folder = mkdtempSync(join(tmpdir(), 'postrider-server-'));
  const port = await freePort();
  const url = recipe.url(port);
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    const dying = child;
    child = undefined;
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    const dead = once(dying, 'exit');
    dying.kill(recipe.killSignal);
    await dead;
  };
  const start = async (): Promise<void> => {
    const [program, args] = recipe.command(folder, port);
    child = spawn(program, args, { stdio: 'ignore', cwd: folder, ...account });
    child.on('error', () => undefined);
    await waitForAnswer(recipe, url, child);
  };
  const remove = async (): Promise<void> => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
    recipe.install(folder, account);
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { url, kill, start, remove };
}

/** Starts a new server. If it cannot run, prints a line and returns undefined. */
export function ownServer(name: keyof typeof recipes): Promise<OwnServer | undefined> {
  return runServer(recipes[name]);
}

/** The pooling of a pgbouncer. */
export interface Pooling {
  readonly mode: 'session' | 'transaction';
  /** The maximum number of connections to Postgres */
  readonly size: number;
}

/** Starts Debian's pgbouncer in front of the Postgres at `target`. If it cannot run, prints a line and returns undefined. */
export function ownPooler(target: string, { mode, size }: Pooling): Promise<OwnServer | undefined> {
  const { hostname, port, username, pathname } = new URL(target);
  return runServer({
    name: 'pgbouncer',
    user: 'postgres',
    killSignal: 'SIGTERM',
    install(folder) {
      if (!existsSync('/usr/sbin/pgbouncer')) throw new Error('there is no /usr/sbin/pgbouncer');
      const server = `host=${hostname} port=${port || '5432'} user=${decodeURIComponent(username)}`;
      writeFileSync(
        join(folder, 'databases.ini'),
        `[databases]\n* = ${server}\n[pgbouncer]\nauth_type = any\npool_mode = ${mode}\ndefault_pool_size = ${size}\nlisten_addr = 127.0.0.1\nunix_socket_dir =\n`,
      );
    },
    command(folder, listenPort) {
      const config = join(folder, 'databases.ini');
      appendFileSync(config, `listen_port = ${listenPort}\n`);
      return ['/usr/sbin/pgbouncer', ['-q', config]];
    },
    url: (listenPort) => `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
    ask: askPostgres,
  });
}

const runServer = (recipe: ServerRecipe): Promise<OwnServer | undefined> =>
  findService(`the tests with a separate ${recipe.name} server`, () => create(recipe));
