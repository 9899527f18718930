// The rules of expand and contract: which changes break processes of the previous release, and with which unknown
// migrations a process can work. Called by the registry, migrate.ts and the kernel; reads no database.
import type { Compatibility, Migration, SchemaChange } from '../contract/declaration/migration.ts';
import { StorageError } from '../contract/ports/storage.ts';
import type { AppliedMigration, MigrationSource, NamespacedMigrations } from './history.ts';

/** The compatibility that a migration declares; `expand` by default. */
export const compatibilityOf = ({ compatibility = 'expand' }: Migration): Compatibility => compatibility;

/**
 * The reason why the change breaks processes of the previous release; undefined if it does not. `created` contains the new tables.
 */
function removalReason(
  change: SchemaChange,
  created: ReadonlySet<string>,
  unique: ReadonlySet<string>,
): string | undefined {
  if ('drop' in change) return `drops the table ${change.drop}`;
  if ('remove' in change) return `removes ${change.remove.join(', ')} from ${change.alter}`;
  if ('dropIndex' in change && unique.has(change.dropIndex)) return `drops the unique index ${change.dropIndex}`;
  if ('index' in change && change.unique && !created.has(change.on))
    return `makes ${change.columns.join(', ')} unique in ${change.on}`;
  return undefined;
}

/** Sentences about the migrations of a plugin that remove something without declaring `contract`. */
export function undeclaredContractions(migrations: readonly Migration[]): string[] {
  const unique = new Set<string>();
  return migrations.flatMap((migration) => {
    const created = new Set<string>();
    const removals: string[] = [];
    for (const change of migration.changes) {
      const reason = removalReason(change, created, unique);
      if (reason !== undefined) removals.push(reason);
      if ('create' in change) created.add(change.create);
      if ('index' in change && change.unique) unique.add(change.index);
    }
    if (removals.length === 0 || compatibilityOf(migration) === 'contract') return [];
    return [
      `The migration ${migration.id} ${removals.join(' and ')}: processes of the previous release would break. Declare compatibility: 'contract', one release after the last release that uses it.`,
    ];
  });
}

/** The names that a change creates or removes. */
function namesOf(change: SchemaChange): readonly { readonly name: string; readonly isCreated: boolean }[] {
  if ('create' in change) return [{ name: `the table ${change.create}`, isCreated: true }];
  if ('drop' in change) return [{ name: `the table ${change.drop}`, isCreated: false }];
  if ('index' in change) return [{ name: `the index ${change.index}`, isCreated: true }];
  if ('dropIndex' in change) return [{ name: `the index ${change.dropIndex}`, isCreated: false }];
  const isAddition = 'add' in change;
  const columns = isAddition ? Object.keys(change.add) : change.remove;
  return columns.map((column) => ({ name: `the column ${column} of ${change.alter}`, isCreated: isAddition }));
}

/**
 * Sentences about migrations that create and remove the same name. If every change commits by itself, an interrupted
 * migration continues from the existing schema, and such a name does not show how far it came.
 */
export function namesUsedTwice(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ id, changes }) => {
    const names = changes.flatMap(namesOf);
    const added = new Set(names.flatMap(({ name, isCreated }) => (isCreated ? [name] : [])));
    const twice = new Set(names.flatMap(({ name, isCreated }) => (!isCreated && added.has(name) ? [name] : [])));
    return [...twice].map(
      (name) =>
        `The migration ${id} removes and creates ${name}: if it were interrupted on MySQL or MariaDB, it could not continue. Use another name, or split the migration in two.`,
    );
  });
}

/** Applied migrations of composed namespaces that this process does not know. */
export function unknownMigrations(
  all: readonly NamespacedMigrations[],
  applied: readonly AppliedMigration[],
): AppliedMigration[] {
  const migrationIds = new Map(
    all.map(({ namespace, migrations }) => [namespace, new Set(migrations.map(({ id }) => id))]),
  );
  return applied.filter(({ namespace, id }) => migrationIds.get(namespace)?.has(id) === false);
}

/** The reason why this release cannot work with a schema from which a later release removed something. */
export function incompatibility(
  { all, release }: MigrationSource,
  applied: readonly AppliedMigration[],
): string | undefined {
  const contracting = unknownMigrations(all, applied).filter(({ compatibility }) => compatibility === 'contract');
  const last = contracting.at(-1);
  if (last === undefined) return undefined;
  const names = contracting.map(({ namespace, id }) => `${namespace}/${id}`).join(', ');
  // `release` is Postrider's own. If it is the same, a plugin that has its own releases is newer.
  if (last.release === release)
    return `The database is newer than this process: a later release of the plugin ${last.namespace} removed something from it (${names}) that the release composed here still uses. Compose that release of the plugin or a later one, or restore a backup from before.`;
  return `The database is newer than this process: Postrider ${last.release ?? 'of a later release'} removed something from it (${names}) that ${release}, which runs here, still uses. Run ${last.release ?? 'that release'} or later here, or restore a backup from before.`;
}

/** Refuses a schema that this release cannot work with. @throws StorageError `unavailable` with the reason from `incompatibility` */
export function assertCompatible(source: MigrationSource, applied: readonly AppliedMigration[]): void {
  const reason = incompatibility(source, applied);
  if (reason !== undefined) throw new StorageError('unavailable', reason);
}

/** Refuses a schema with missing migrations. @throws StorageError `unavailable` */
export function assertComplete(pending: readonly { readonly namespace: string; readonly id: string }[]): void {
  if (pending.length === 0) return;
  const names = pending.map(({ namespace, id }) => `${namespace}/${id}`).join(', ');
  const subject = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
  throw new StorageError(
    'unavailable',
    `${subject} pending (${names}). Run: postrider migrate (in code: service.migrate()). If that finds no pending migration, this process uses another database: postrider reads .env, so start this process with node --env-file=.env.`,
  );
}
