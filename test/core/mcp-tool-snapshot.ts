// One line a tool of the standard set, so that a change of what clients and models see is seen in review: its name, its
// hints, a digest of all that tools/list says of it, and its arguments.
// `npx tsx test/core/mcp-tool-snapshot.ts` writes the file anew.
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
  const taken = Object.keys(properties).map((argument) => (required.includes(argument) ? `${argument}!` : argument));
  const digest = createHash('sha256').update(JSON.stringify(tool)).digest('hex').slice(0, 12);
  return [name.padEnd(32), hints.map((hint) => hint || '-').join(''), digest, ...taken].join(' ');
}

/** The tools of the standard set as they are now. */
export function standardTools(): readonly ToolDefinition[] {
  return createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: standardPlugins }).tools().tools;
}

/** As they would be written, in the order of tools/list. */
export const snapshotOf = (tools: readonly ToolDefinition[]): string =>
  `${legend}${tools.map((tool) => `${lineOf(tool).trimEnd()}\n`).join('')}`;

/** As they are committed. */
export const readSnapshot = (): string => readFileSync(path, 'utf8');

if (process.argv[1] === import.meta.filename) writeFileSync(path, snapshotOf(standardTools()));
