// Writes one line for each tool of the standard plugins, so that reviews show the changes for clients and models: its name, its hints, a
// digest of its entry in tools/list, and its arguments. `npx tsx test/core/mcp-tool-snapshot.ts` writes the file.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/kernel/compose.ts';
import type { ToolDefinition } from '../../core/projections/mcp.ts';
import { standardPlugins } from '../../plugins/index.ts';

const path = join(import.meta.dirname, 'mcp-tools.snapshot.txt');

const legend =
  '# r reads only, d may destroy, i harmless to repeat, o reaches the outside; then a digest, and the arguments (! required).\n' +
  '# Written by: npx tsx test/core/mcp-tool-snapshot.ts\n';

function lineOf(tool: ToolDefinition): string {
  const { name, annotations, inputSchema } = tool;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [readOnlyHint && 'r', destructiveHint && 'd', idempotentHint && 'i', openWorldHint && 'o'];
  const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: readonly string[] };
  const argumentList = Object.keys(properties).map((argument) =>
    required.includes(argument) ? `${argument}!` : argument,
  );
  const digest = createHash('sha256').update(JSON.stringify(tool)).digest('hex').slice(0, 12);
  return [name.padEnd(32), hints.map((hint) => hint || '-').join(''), digest, ...argumentList].join(' ');
}

/** The current tools of the standard plugins. */
export function standardTools(): readonly ToolDefinition[] {
  return createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: standardPlugins }).tools().tools;
}

/** The snapshot text of the tools, in the order of tools/list. */
export const snapshotOf = (tools: readonly ToolDefinition[]): string =>
  `${legend}${tools.map((tool) => `${lineOf(tool).trimEnd()}\n`).join('')}`;

/** The committed snapshot text. */
export const readSnapshot = (): string => readFileSync(path, 'utf8');

if (process.argv[1] === import.meta.filename) writeFileSync(path, snapshotOf(standardTools()));
