// migrate: brings the schema up to date; migrate status: what is applied. Plain lines, so that a log shows what ran.
import { CommandError, isStorageError } from '../../../core/index.ts';
import type { CliContext } from '../command.ts';
import { defineCliCommand } from '../command.ts';

const nameOf = ({ namespace, id }: { readonly namespace: string; readonly id: string }): string => `${namespace}/${id}`;

const counted = (count: number): string => (count === 1 ? '1 migration' : `${count} migrations`);

/** All of it is one transaction: what failed left nothing behind, unless the answer to the commit itself was lost. */
function refused(cause: unknown): CommandError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return isStorageError(cause) && cause.outcomeUnknown
    ? new CommandError(`The connection was lost during the commit: ${message} See: postrider migrate status`, { cause })
    : new CommandError(`The migration was refused. Nothing ran and nothing was changed. ${message}`, { cause });
}

async function printPlan({ project, print, warn, globals }: CliContext): Promise<unknown> {
  const pending = await (await project.service({ make: 'memory' })).pendingMigrations();
  for (const migration of pending)
    print(`-- ${nameOf(migration)}\n${migration.sql.map((text) => `${text};`).join('\n')}\n`);
  if (!globals.json)
    warn(pending.length === 0 ? 'Nothing is pending.' : `${counted(pending.length)} pending. Nothing was run.`);
  return { pending };
}

export const migrate = defineCliCommand({
  name: 'migrate',
  summary: "Bring the database's schema up to date",
  description:
    'Under a lock and in one transaction: another process that migrates is waited for, and a migration that fails leaves nothing behind. ' +
    'Without a config it makes the development database in .postrider/.',
  examples: [
    ['postrider migrate', 'applies what is pending; once per deploy'],
    ['postrider migrate --dry-run > pending.sql', 'shows the SQL and runs nothing'],
    ['postrider migrate status', 'lists what is applied and what is pending'],
  ],
  arguments: { 'dry-run': { type: 'boolean', description: 'Print the SQL on stdout and run nothing' } },

  async run(context, { 'dry-run': dryRun }) {
    if (dryRun) return printPlan(context);
    const { project, print, progress } = context;
    const service = await project.service({ make: 'file' });
    const shown = progress('Migrating');
    const applied = await service.migrate().catch((cause: unknown) => {
      shown.end('Refused');
      throw refused(cause);
    });
    shown.end(
      applied.length === 0 ? 'Nothing to apply: the schema is up to date.' : `Applied ${counted(applied.length)}.`,
    );
    for (const migration of applied) print(`  ${nameOf(migration)}`);
    return { applied: applied.map(({ namespace, id }) => ({ namespace, id })) };
  },
});

export const migrateStatus = defineCliCommand({
  name: 'migrate status',
  summary: 'List what is applied and what is pending',
  examples: [['postrider migrate status --json', 'tells it to a script: { migrations, pending }']],
  arguments: {},

  async run({ project, print, table, terminal }) {
    const service = await project.service();
    const pending = new Set((await service.pendingMigrations()).map(nameOf));
    const migrations = service.core.registry.migrations.flatMap(({ namespace, migrations }) =>
      migrations.map(({ id }) => ({ namespace, id, applied: !pending.has(nameOf({ namespace, id })) })),
    );
    const { colours } = terminal.out;
    table(
      ['migration', 'state'],
      migrations.map((migration) => [nameOf(migration), migration.applied ? 'applied' : colours.yellow('pending')]),
    );
    print('');
    print(
      pending.size === 0 ? 'The schema is up to date.' : `${counted(pending.size)} pending. Run: postrider migrate`,
    );
    return { migrations, pending: pending.size };
  },
});
