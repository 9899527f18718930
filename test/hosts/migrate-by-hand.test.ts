// The database's own client runs the output of `migrate --dry-run`, as an administrator without the program would. The
// service then starts on it with no pending migration, and a second run changes nothing.
// full-run: slow
import { execFile } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, type StorageAdapter } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createMysqlDatabase, dropMysqlDatabase, hasMysql, mysqlUrl, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { createProjectFolder, sqliteConfig } from './cli-bench.ts';

const test = suite('migrations by hand');

/** Runs a database's own client with `input` on stdin. */
function feed(program: string, words: readonly string[], input: string): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, (error, _stdout, stderr) => {
      if (error !== null && typeof error.code === 'string') reject(error);
      else resolve({ code: Number(error?.code ?? 0), stderr });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** One database and its client. */
interface ClientDatabase {
  readonly storage: StorageAdapter;
  /** The storage, as source text of a config. */
  readonly text: string;
  readonly client: readonly [program: string, ...words: string[]];
  /** Restores the state before the program connected. */
  readonly reset?: () => Promise<void>;
}

function registerDryRun(
  name: string,
  prepare: (folder: string) => Promise<ClientDatabase>,
  remove: () => Promise<void>,
): void {
  test(`${name} accepts the printed statements, and the service starts on them`, async () => {
    const project = await createProjectFolder();
    try {
      const { storage, text, client, reset } = await prepare(project.folder);
      const factory = /^\w+/.exec(text)?.[0] ?? '';
      const config = sqliteConfig()
        .replace('adapters/storage/sqlite', `adapters/storage/${factory.replace('Storage', '')}`)
        .replace('{ sqliteStorage }', `{ ${factory} }`)
        .replace(/sqliteStorage\(\{.*\}\)/, text);
      await project.write('postrider.config.mjs', config);
      const { code, stdout, stderr } = await project.run(['migrate', '--dry-run']);
      assert.is(code, 0, stderr);
      await reset?.();
      const [program, ...words] = client;
      assert.equal(await feed(program, words, stdout), { code: 0, stderr: '' });

      const service = createService({ storage, plugins: standardPlugins, mail: captureMail() });
      try {
        await service.start();
        assert.equal(await service.migrate(), []);
        const before = await service.migrationStatus();
        assert.equal([before.pending, before.applied.length > 3], [[], true]);
        assert.is.not((await feed(program, words, stdout)).code, 0);
        assert.equal(await service.migrationStatus(), before);
        const { id } = await service.workspaces.create({
          name: 'A',
          defaultFrom: { email: 'a@example.com', name: 'A' },
        });
        assert.is((await service.as(id).workspace.read()).id, id);
      } finally {
        await service.stop();
      }
    } finally {
      await project.remove();
      await remove();
    }
  });
}

async function register(): Promise<void> {
  registerDryRun(
    'sqlite3',
    async (folder) => ({
      storage: sqliteStorage({ filename: `${folder}/app.sqlite` }),
      text: "sqliteStorage({ filename: 'app.sqlite' })",
      client: ['sqlite3', '-bail', `${folder}/app.sqlite`],
    }),
    async () => undefined,
  );
  if (await hasPostgres()) {
    const schema = newSchema();
    const source = { connectionString: postgresUrl, schema };
    registerDryRun(
      'psql',
      async () => ({
        storage: postgresStorage(source),
        text: `postgresStorage(${JSON.stringify(source)})`,
        client: ['psql', '-q', '-v', 'ON_ERROR_STOP=1', postgresUrl],
        reset: () => dropSchema(schema),
      }),
      () => dropSchema(schema),
    );
  }
  if (await hasMysql()) {
    const { hostname, port, username, password } = new URL(mysqlUrl);
    const database = await createMysqlDatabase();
    const signOn = [`--host=${hostname}`, `--port=${port || 3306}`, `--user=${username}`, `--password=${password}`];
    registerDryRun(
      'mariadb',
      async () => ({
        storage: mysqlStorage({ uri: mysqlUrlOf(database) }),
        text: `mysqlStorage(${JSON.stringify({ uri: mysqlUrlOf(database) })})`,
        client: ['mariadb', ...signOn, database],
      }),
      () => dropMysqlDatabase(database),
    );
  }
  test.run();
}

await register();
