// The tables in pages of docs that are generated from declarations: plans, scope presets, credits, retention. Each table is between two
// comments in its page, and only the text between them is written. Called by reference-files.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registry } from '../../core/pipeline/core.ts';
import { resolvePlans } from '../../core/pipeline/plans.ts';
import type { OpenapiDocument } from '../../plugins/reference/document.ts';
import { kit } from '../../plugins/sms/kit/kit.ts';

const root = join(import.meta.dirname, '../..');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A Markdown table. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const formatLimit = (value: number): string => (Number.isFinite(value) ? value.toLocaleString('en-US') : 'unlimited');

function plansTable({ planLimits: declared }: Registry): string {
  const plans = resolvePlans({}, declared);
  return table(
    [
      'Plan',
      'Requests per second for each key (`keyRate`)',
      'At once (`keyBurst`)',
      'Requests per minute for each workspace (`workspacePerMinute`)',
      'Sends a month (`monthlySendBudget`)',
      'Credits a month (`monthlyCredits`)',
      'Tier',
      'Own link domains (`customDomains`)',
    ],
    (['embedded', 'sandbox', 'hobby', 'pro', 'scale', 'enterprise'] as const).map((name) => {
      const plan = plans[name];
      const { keyRate, keyBurst, workspacePerMinute, monthlySendBudget, monthlyCredits } = plan;
      const limits = [keyRate, keyBurst, workspacePerMinute, monthlySendBudget, monthlyCredits].map(formatLimit);
      return [`\`${name}\``, ...limits, String(plan.tier), plan.customDomains ? 'yes' : 'no'];
    }),
  );
}

function presetsTable({ scopes }: Registry): string {
  const presets = ['read', 'send', 'author', 'full'] as const;
  const presetScopes = presets.map((name) => new Set(scopes.preset(name)));
  const expandedScopes = presets.map((name) => scopes.expand(scopes.preset(name)));
  const cell = (scope: string, index: number): string => {
    if (presetScopes[index]?.has(scope) === true) return 'yes';
    return expandedScopes[index]?.has(scope) === true ? 'implied' : '';
  };
  return table(
    ['Scope', 'Allows', ...presets.map((name) => `\`${name}\``)],
    scopes.declarations.map(({ scope, description }) => [
      `\`${scope}\``,
      description,
      ...presets.map((_, index) => cell(scope, index)),
    ]),
  );
}

const retentionTable = ({ plugins }: Registry): string =>
  table(
    ['Name', 'Plugin', 'What is deleted', 'Age counts from', 'Kept', 'At least'],
    plugins.flatMap(({ id, retention }) =>
      Object.entries(retention).map(([name, { rows, since, default: kept, min = '1 minute' }]) => [
        `\`${name}\``,
        id,
        rows,
        since,
        kept,
        min,
      ]),
    ),
  );

const limitErrors = [
  'credits_exhausted',
  'send_budget_exhausted',
  'plan_required',
  'key_rate_limit',
  'workspace_rate_limit',
];

const errorsTable = (document: OpenapiDocument): string =>
  table(
    ['Status', 'Code', 'Meaning'],
    limitErrors.map((code) => {
      const { status, description } = document['x-errors'][code] ?? { status: 0, description: '' };
      return [String(status), `[\`${code}\`](errors.md#${code})`, description];
    }),
  );

/** `brand` is omitted, because its default is the name of the workspace. */
const smsKitTable = (): string =>
  table(
    ['Key', 'Class', 'Variables'],
    kit.map(({ templateKey, class: kind, variables }) => {
      const names = Object.keys(variables.properties).filter((name) => name !== 'brand');
      const labels = names.map((name) =>
        variables.required.includes(name) ? `\`${name}\`` : `\`${name}\` (optional)`,
      );
      return [`\`${templateKey}\``, kind, labels.join(', ')];
    }),
  );

/** The text of the page with its tables generated again. @throws Error if a table has no generator */
function withTables(path: string, text: string, tables: Readonly<Record<string, string>>): string {
  return text.replace(
    /(<!-- table: (\w+)[^>]*-->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => {
      const table = tables[name];
      if (table === undefined) throw new Error(`${path} has the table ${name}, which has no generator.`);
      return `${start}${table}\n${end}`;
    },
  );
}

/** The pages with their tables as `npm run docs` writes them. */
export async function pagesWithTables(
  registry: Registry,
  document: OpenapiDocument,
): Promise<{ readonly path: string; readonly content: string }[]> {
  const tables = {
    plans: plansTable(registry),
    presets: presetsTable(registry),
    retention: retentionTable(registry),
    limit_errors: errorsTable(document),
    sms_kit: smsKitTable(),
  };
  const paths = ['docs/plans-and-limits.md', 'docs/keys-and-scopes.md', 'docs/retention.md', 'docs/sms.md'];
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      return { path, content: withTables(path, text, tables) };
    }),
  );
}
