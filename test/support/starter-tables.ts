// The tables of variables in docs/starters.md, generated from the contracts: `npx tsx test/support/starter-tables.ts` writes
// them. A test checks that they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ContractNode } from '../../plugins/templates/contract/node.ts';
import { brandVariables } from '../../plugins/templates/starters/brand.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';

export const starterDocument = new URL('../../docs/starters.md', import.meta.url);

type Nodes = Readonly<Record<string, ContractNode>>;

/** The rows of a table. A list's items are described by their properties: `items[].price`. */
function rowsOf(nodes: Nodes, required: readonly string[], prefix = ''): string[] {
  return Object.entries(nodes).flatMap(([name, node]) => {
    const isNeeded = required.includes(name) ? 'yes' : '';
    const choices = node.enum === undefined ? '' : ` One of ${node.enum.map((value) => `\`${value}\``).join(', ')}.`;
    const row = `| \`${prefix}${name}\` | ${isNeeded} | ${node.description ?? ''}${choices} |`;
    const { items } = node;
    return [row, ...(items?.properties ? rowsOf(items.properties, items.required ?? [], `${prefix}${name}[].`) : [])];
  });
}

const table = (nodes: Nodes, required: readonly string[] = []): string =>
  ['| Variable | Needed | |', '|---|---|---|', ...rowsOf(nodes, required)].join('\n');

/** The document with up-to-date tables. */
export function withTables(document: string): string {
  const tables = new Map([['brand', table(brandVariables)]]);
  for (const { key, variables } of starters()) {
    const ownVariables = Object.entries(variables.properties).filter(([name]) => !Object.hasOwn(brandVariables, name));
    tables.set(key, table(Object.fromEntries(ownVariables), variables.required));
  }
  return [...tables].reduce((text, [name, rows]) => {
    const [start, end] = [`<!-- variables: ${name} -->\n`, '\n<!-- end -->'];
    const from = text.indexOf(start);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`docs/starters.md has no place for the table of ${name}.`);
    return text.slice(0, from + start.length) + rows + text.slice(to);
  }, document);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(starterDocument, withTables(readFileSync(starterDocument, 'utf8')));
