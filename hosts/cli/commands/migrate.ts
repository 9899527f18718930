// migrate: brings the schema up to date. migrate status: lists the applied migrations. Prints plain lines, so that a log shows
// the migrations that ran.

import { CommandError, compatibilityOf, isStorageError } from '../../../core/command-line.ts';
import type { MigrationStatus, PlannedMigration, Service } from '../../../core/index.ts';
import { type CliContext, defineCliCommand } from '../command.ts';

const nameOf = ({ namespace, id }: { readonly namespace: string; readonly id: string }): string => `${namespace}/${id}`;

/** The default search_path of Postgres. */
const defaultPath = '"$user", public';

const counted = (count: number): string => (count === 1 ? '1 migration' : `${count} migrations`);

/**
 * The error of a failed migration. Except on MySQL, all migrations run in one transaction, so a failure changes nothing, unless
 * the response to the commit itself was lost.
 */
async function migrationFailure(service: Service, cause: unknown): Promise<CommandError> {
  const message = cause instanceof Error ? cause.message : String(cause);
  const dialect = await service.core.anyDatabase().then(
    ({ adapter }) => adapter.dialect,
    () => undefined,
  );
  if (dialect === 'mysql')
    return new CommandError(
      `The migration stopped: ${message} This database commits each change at once; migrate again to continue from there. See: postrider migrate status`,
      { cause },
    );
  return isStorageError(cause) && cause.outcomeUnknown
    ? new CommandError(`The connection was lost during the commit: ${message} See: postrider migrate status`, { cause })
    : new CommandError(`The migration was refused. Nothing ran and nothing was changed. ${message}`, { cause });
}

/**
 * Creates the schema if needed. `create schema if not exists` would require the right to create schemas even if the schema
 * exists.
 */
const makeSchema = (schema: unknown): string =>
  schema === undefined
    ? ''
    : `do $$ begin if to_regnamespace('${schema}') is null then create schema ${schema}; end if; end $$;\n`;

/**
 * The statements in the form that psql, mysql and sqlite3 read from stdin. They run in one transaction, if the database supports
 * that.
 */
async function planText(service: Service, pending: readonly PlannedMigration[]): Promise<string> {
  const { adapter, driver } = await service.core.anyDatabase();
  const blocks = pending.map(
    (migration) => `-- ${nameOf(migration)}\n${migration.sql.map((text) => `${text};`).join('\n')}\n`,
  );
  if (adapter.dialect === 'mysql') return blocks.join('\n');
  const driverDetails = adapter.dialect === 'postgres' ? await driver.describe() : {};
  const { search_path: path = defaultPath, schema } = driverDetails;
  const searchPathSql = path === defaultPath ? '' : `set local search_path to ${path};\n`;
  return `begin;\n${makeSchema(schema)}${searchPathSql}\n${blocks.join('\n')}\ncommit;`;
}

async function printPlan({ project, print, warn, globals }: CliContext): Promise<unknown> {
  const service = await project.service({ ifMissing: 'memory' });
  const { pending, incompatible } = await service.migrationStatus();
  if (incompatible !== undefined) throw new CommandError(incompatible);
  if (pending.length > 0) print(await planText(service, pending));
  if (!globals.json)
    warn(pending.length === 0 ? 'Nothing is pending.' : `${counted(pending.length)} pending. Nothing was run.`);
  return { pending };
}

export const migrate = defineCliCommand({
  name: 'migrate',
  summary: 'Bring the database schema up to date',
  description:
    'Runs under a lock and in one transaction: it waits for another process that migrates, and a migration that fails changes nothing ' +
    '(on MariaDB and MySQL, which commit each change at once, run it again and it continues). ' +
    'Without a config it creates the development database in .postrider/.',
  examples: [
    ['postrider migrate', 'applies pending migrations; run it once per deploy'],
    ['postrider migrate --dry-run > pending.sql', 'writes the SQL to a file and runs nothing'],
    ['postrider migrate status', 'lists applied and pending migrations'],
  ],
  arguments: { 'dry-run': { type: 'boolean', description: 'Print the SQL on stdout and run nothing' } },

  async run(context, { 'dry-run': dryRun }) {
    if (dryRun) return printPlan(context);
    const { project, print, progress } = context;
    const service = await project.service({ ifMissing: 'file' });
    // Checked first, so that an unreachable database or a rejected password is not reported as a failed migration.
    await service.migrationStatus();
    const progressLine = progress('Migrating');
    const applied = await service.migrate().catch(async (cause: unknown) => {
      progressLine.end('Refused');
      throw await migrationFailure(service, cause);
    });
    progressLine.end(
      applied.length === 0 ? 'Nothing to apply: the schema is up to date.' : `Applied ${counted(applied.length)}.`,
    );
    for (const migration of applied) print(`  ${nameOf(migration)}`);
    return { applied: applied.map(({ namespace, id }) => ({ namespace, id })) };
  },
});

/** The migrations that this release knows, in its order, followed by the migrations of a later release. */
function rowsOf(service: Service, { applied, unknown }: MigrationStatus) {
  const declared = service.core.registry.migrations.flatMap(({ namespace, migrations }) =>
    migrations.map((migration) => ({ namespace, id: migration.id, compatibility: compatibilityOf(migration) })),
  );
  return [...declared, ...unknown].map(({ namespace, id, compatibility }) => {
    const appliedMigration = applied.find((row) => row.namespace === namespace && row.id === id);
    return {
      namespace,
      id,
      compatibility,
      applied: appliedMigration !== undefined,
      unknown: unknown.some((row) => row.namespace === namespace && row.id === id),
      release: appliedMigration?.release ?? null,
      applied_at: appliedMigration === undefined ? null : new Date(appliedMigration.appliedAt).toISOString(),
    };
  });
}

function verdictOf({ pending, unknown, incompatible }: MigrationStatus): string {
  if (incompatible !== undefined) return incompatible;
  if (pending.length > 0) return `${counted(pending.length)} pending. Run: postrider migrate`;
  if (unknown.length === 0) return 'The schema is up to date.';
  return `The schema is up to date, and expanded by a later release (${counted(unknown.length)}): this one runs on it.`;
}

export const migrateStatus = defineCliCommand({
  name: 'migrate status',
  summary: 'List applied and pending migrations',
  examples: [['postrider migrate status --json', 'for scripts: { migrations, pending, incompatible }']],
  arguments: {},

  async run({ project, print, table, terminal }) {
    const service = await project.service();
    const status = await service.migrationStatus();
    const rows = rowsOf(service, status);
    const { colours } = terminal.out;
    table(
      ['migration', 'state', 'by', 'on'],
      rows.map(({ namespace, id, applied, unknown, compatibility, release, applied_at }) => [
        nameOf({ namespace, id }),
        applied ? `applied${unknown ? `, unknown here (${compatibility})` : ''}` : colours.yellow('pending'),
        release ?? '',
        applied_at?.slice(0, 16).replace('T', ' ') ?? '',
      ]),
    );
    print('');
    print(verdictOf(status));
    return { migrations: rows, pending: status.pending.length, incompatible: status.incompatible ?? null };
  },
});
