// A Kysely plugin for tests: refuses a statement on a tenant's table that does not bind workspace_id.
import type { KyselyPlugin, OperationNode, RootOperationNode } from 'kysely';
import type { Plugin } from '../contract/plugin.ts';
import { coreTables } from '../storage/core-tables.ts';

/** Statements of the core over all tenants: authentication by hash, the queue's claims, retention. */
const overAllTenants = new Set(['api_keys', 'jobs', 'outbox', 'idempotency', 'audit', 'budgets']);

interface Findings {
  readonly tables: Set<string>;
  readonly columns: Set<string>;
  /** `select *`, which names no column. */
  everything: boolean;
}

/** Retention deletes by age over all tenants: such a statement names a time and nothing else. */
function isByAge({ columns, everything }: Findings): boolean {
  const [column = ''] = columns;
  return !everything && columns.size === 1 && /(^ts|_at)$/.test(column);
}

function walk(node: unknown, findings: Findings): void {
  if (Array.isArray(node)) {
    for (const member of node) walk(member, findings);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { kind } = node as OperationNode;
  if (kind === 'TableNode') {
    const { table } = node as unknown as { table: { identifier: { name: string } } };
    findings.tables.add(table.identifier.name);
  }
  if (kind === 'ColumnNode') {
    const { column } = node as unknown as { column: { name: string } };
    findings.columns.add(column.name);
  }
  if (kind === 'SelectAllNode') findings.everything = true;
  for (const member of Object.values(node)) walk(member, findings);
}

const dataStatements = new Set<OperationNode['kind']>([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]);

function check(node: RootOperationNode, tenants: ReadonlySet<string>, prefix: string): void {
  if (!dataStatements.has(node.kind)) return;
  const findings: Findings = { tables: new Set(), columns: new Set(), everything: false };
  walk(node, findings);
  if (findings.columns.has('workspace_id') || isByAge(findings)) return;
  for (const name of findings.tables) {
    const table = name.startsWith(prefix) ? name.slice(prefix.length) : name;
    if (tenants.has(table)) throw new Error(`A statement on the tenant table ${table} does not bind workspace_id.`);
  }
}

/** The check for a set of plugins. */
export function checkTenancy(plugins: readonly Plugin[], prefix: string): KyselyPlugin {
  const declared = [...Object.entries(coreTables), ...plugins.flatMap((plugin) => Object.entries(plugin.tables))];
  const tenants = new Set(
    declared.flatMap(([name, { tenant }]) => (tenant && !overAllTenants.has(name) ? [name] : [])),
  );
  return {
    transformQuery({ node }) {
      check(node, tenants, prefix);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
