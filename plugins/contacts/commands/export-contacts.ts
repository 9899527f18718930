// contacts export: writes all contacts to a file that the import can read.
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CommandContext, CommandError, defineCommand, onSide, toIsoTime } from '../../../core/index.ts';
import { neutralise } from '../../../core/unstable.ts';
import { suppressedAmong } from '../present.ts';
import { listOldest } from '../store.ts';
import type { ContactRow } from '../tables.ts';
import { isSandboxSide, sandboxSwitch } from './side.ts';

const page = 500;
const headings = ['id', 'external_id', 'email', 'attributes', 'subscribed', 'created_at', 'updated_at'];

const cellsOf = (row: ContactRow, suppressed: ReadonlySet<string>): string[] => [
  row.id,
  row.external_id ?? '',
  // The address as the caller wrote it. Mail is sent to it.
  row.address_as_given ?? row.email ?? '',
  Object.keys(row.attributes).length === 0 ? '' : JSON.stringify(row.attributes),
  String(row.email === null || !suppressed.has(row.email)),
  toIsoTime(row.created_at),
  toIsoTime(row.updated_at),
];

/** All contacts as rows, oldest first, page by page. */
async function* allRows(context: CommandContext, sandbox: boolean): AsyncGenerator<string[][]> {
  for (let after: ContactRow | undefined, hasMore = true; hasMore; ) {
    context.signal.throwIfAborted();
    const position = after && { createdAt: after.created_at, id: after.id };
    const rows = await context.read(async (whole) => {
      const ctx = onSide(whole, sandbox);
      const contacts = await listOldest(ctx.trx, page, position);
      const suppressed = await suppressedAmong(ctx, contacts, ctx.now);
      return contacts.map((row) => ({ row, cells: cellsOf(row, suppressed) }));
    });
    yield rows.map(({ cells }) => cells);
    after = rows.at(-1)?.row;
    hasMore = rows.length === page;
  }
}

export const exportContacts = defineCommand({
  name: 'contacts export',
  summary: 'Write all contacts into a CSV file',
  description:
    'The file is UTF-8 with a heading line, and has attributes as JSON in one column. Cells that a spreadsheet would run as a formula get a quote in front; ' +
    '`postrider import` removes it.',
  examples: [['postrider contacts export contacts.csv --workspace ws_…', 'writes all contacts, oldest first']],
  arguments: {
    file: { type: 'positional', required: true, description: 'The file. An existing file is replaced' },
    sandbox: sandboxSwitch,
  },

  async run(context, { file, sandbox }) {
    const side = isSandboxSide(await context.workspace(), sandbox);
    const { stringify } = await import('csv-stringify/sync');
    const progress = context.progress('Writing contacts');
    let contacts = 0;
    const text = async function* (): AsyncGenerator<string> {
      yield stringify([headings]);
      for await (const rows of allRows(context, side)) {
        yield stringify(rows.map((cells) => cells.map(neutralise)));
        contacts += rows.length;
        progress.advance(contacts, undefined);
      }
    };
    try {
      await pipeline(Readable.from(text()), createWriteStream(resolve(context.cwd, file)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw new CommandError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
    }
    progress.end(`Wrote ${contacts} contacts to ${file}.`);
    return { file, contacts };
  },
});
