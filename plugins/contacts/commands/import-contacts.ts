// import: contacts from a CSV file, a thousand rows per transaction. Importing the same file twice changes nothing.

import { basename, resolve } from 'node:path';
import {
  type CommandContext,
  CommandError,
  defineCommand,
  type ServiceContext,
  type TransactionContext,
} from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { ListsService } from '../../lists/index.ts';
import { type BatchOutcome, isWriteConflict, upsertContacts } from '../batch.ts';
import { type Column, columnsOf, ignoredAmong, RowFault, rowOf } from '../csv/columns.ts';
import { type FileRow, openRows, type RowFile } from '../csv/read-rows.ts';
import { createRejectedRows, type RejectedRows, refuseSameFile } from '../csv/rejected-rows.ts';
import type { ContactPatch } from '../resolution.ts';
import { sandboxSwitch, sideOf } from './side.ts';

const batchSize = 1_000;
/** The maximum number of characters in a batch. It limits the memory, because rows may be long. */
const batchCharacters = 8_000_000;
const maxAttempts = 6;
const maxShown = 10;

interface Import {
  readonly context: CommandContext;
  readonly surface: ServiceContext;
  readonly file: string;
  readonly columns: readonly Column[];
  /** The headings of the columns that are not read. */
  readonly ignored: readonly string[];
  readonly rejectedRows: RejectedRows;
  readonly dryRun: boolean;
  readonly sandbox: boolean;
  /** The list that the contacts join. */
  readonly list: string | undefined;
  /** How the contacts agreed to join the list. If set, they join as confirmed members. */
  readonly consentNote: string | undefined;
  /** How many contacts joined the list. */
  joined: number;
  readonly counts: Record<BatchOutcome['outcome'], number>;
  readonly shown: string[];
}

/** Thrown inside a transaction to roll a dry run back. */
class DryRunEnded {
  readonly outcomes: readonly BatchOutcome[];
  constructor(outcomes: readonly BatchOutcome[]) {
    this.outcomes = outcomes;
  }
}

/** The lists service. @throws CommandError if the service does not have the plugin */
function listsOf({ services }: ServiceContext): ListsService {
  const lists: ListsService | undefined = services.lists;
  if (lists === undefined) throw new CommandError('--list needs the plugin lists, which this service does not have.');
  return lists;
}

/** Retries the work after a conflict with another writer. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let left = maxAttempts; ; ) {
    left -= 1;
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isWriteConflict(error)) throw error;
    }
  }
}

/**
 * Adds imported contacts to the list, in a transaction after the one that stores them: until it ends, the contacts do not exist. If
 * the import is interrupted in between, importing the file again adds them.
 */
async function joinList(job: Import, outcomes: readonly BatchOutcome[]): Promise<void> {
  const { context, surface, sandbox, list, consentNote } = job;
  const ids = outcomes.flatMap((one) => (one.outcome === 'rejected' ? [] : [one.id]));
  if (list === undefined || ids.length === 0) return;
  const entry = { action: 'list.import', kind: 'list', id: list, sandbox };
  const join = (effects: TransactionContext) =>
    listsOf(surface).addMembers(effects, list, ids, {
      source: 'import',
      confirmed: consentNote !== undefined,
      consentNote,
    });
  const { added } = await repeated(() => context.transact(entry, join));
  job.joined += added;
}

async function write(job: Import, patches: readonly ContactPatch[]): Promise<readonly BatchOutcome[]> {
  const { context, file, dryRun, sandbox } = job;
  const entry = { action: 'contact.import', kind: 'file', id: beginning(basename(file), 100), sandbox };
  const work = async (effects: TransactionContext): Promise<readonly BatchOutcome[]> => {
    const outcomes = await upsertContacts(effects, patches);
    if (dryRun) throw new DryRunEnded(outcomes);
    return outcomes;
  };
  try {
    const outcomes = await repeated(() => context.transact(entry, work));
    await joinList(job, outcomes);
    return outcomes;
  } catch (error) {
    if (error instanceof DryRunEnded) return error.outcomes;
    throw error;
  }
}

async function reject(
  { rejectedRows, counts, shown }: Import,
  { line, cells }: FileRow,
  reason: string,
): Promise<void> {
  counts.rejected += 1;
  if (shown.length < maxShown) shown.push(`line ${line}: ${reason}`);
  await rejectedRows.add(cells, reason);
}

async function importBatch(job: Import, rows: readonly FileRow[]): Promise<void> {
  const patches: ContactPatch[] = [];
  const taken: FileRow[] = [];
  for (const row of rows) {
    try {
      patches.push(rowOf(row.cells, job.columns));
      taken.push(row);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      await reject(job, row, error.message);
    }
  }
  if (patches.length === 0) return;
  for (const [index, result] of (await write(job, patches)).entries()) {
    const row = taken[index];
    if (result.outcome === 'rejected' && row !== undefined) await reject(job, row, result.reason);
    else job.counts[result.outcome] += 1;
  }
}

const kilobytes = (size: number): number => Math.ceil(size / 1_024);

/** Imports the whole file; Ctrl-C stops it after the current batch. */
async function importAll(job: Import, { bytes, position }: RowFile, rows: AsyncGenerator<FileRow>): Promise<void> {
  const { context, counts, dryRun, ignored, list, consentNote } = job;
  const progress = context.progress(`Importing ${job.file}, kB`);
  let batch: FileRow[] = [];
  let characters = 0;
  let line = 1;
  const flush = async (): Promise<void> => {
    await importBatch(job, batch);
    line = batch.at(-1)?.line ?? line;
    batch = [];
    characters = 0;
    progress.advance(kilobytes(position()), kilobytes(bytes));
  };
  try {
    for await (const row of rows) {
      batch.push(row);
      for (const cell of row.cells) characters += cell.length;
      if (batch.length === batchSize || characters >= batchCharacters) await flush();
      context.signal.throwIfAborted();
    }
    await flush();
  } catch (error) {
    progress.end('Stopped.');
    context.warn(
      dryRun
        ? `Stopped after line ${line}.`
        : `Stopped after line ${line}: the lines up to it are imported. Run it again to import the rest.`,
    );
    throw error;
  }
  const unread = ignored.length === 0 ? '' : ` Columns that were ignored: ${ignored.join(', ')}.`;
  const members = consentNote === undefined ? '' : ' as confirmed members';
  const joined = list === undefined || dryRun ? '' : ` ${job.joined} joined the list${members}.`;
  const summary = `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${counts.rejected} rejected.${joined}${unread}`;
  progress.end(dryRun ? `Dry run, nothing was changed: ${summary}` : summary);
}

export const importContacts = defineCommand({
  name: 'import',
  summary: 'Import contacts from a CSV file',
  description:
    'The first line names the columns: external_id, email, id, attributes (JSON); any other column becomes an attribute of that name. ' +
    'The file is UTF-8, and the separator is detected. An empty cell leaves a value as it is. Existing contacts are updated ' +
    'as POST /v1/contacts does it. Importing a file twice changes nothing the second time.',
  examples: [
    ['postrider import contacts.csv --workspace ws_…', 'takes the columns by their headings'],
    [
      'postrider import crm.csv --map "E-Mail=email" --map "Age=attributes.age:number" --map "Notes="',
      'names the columns',
    ],
    ['postrider import contacts.csv --list lst_…', 'adds the contacts to a list'],
    [
      'postrider import contacts.csv --list lst_… --consent "Subscribed at Mailchimp"',
      'adds them as confirmed members, without a mail that asks',
    ],
    [
      'postrider import contacts.csv --dry-run --rejected bad.csv',
      'writes rows that would be rejected to bad.csv, with the reasons',
    ],
  ],
  arguments: {
    file: { type: 'positional', required: true, description: 'The file' },
    map: {
      type: 'string',
      multiple: true,
      hint: 'HEADING=FIELD',
      description:
        'What a column holds: external_id, email, id, attributes.NAME, attributes.NAME:number or :boolean. Nothing after = ignores it',
    },
    list: {
      type: 'string',
      hint: 'LIST',
      description: 'Add the contacts to this list (lst_…). In a double opt-in list they are asked by mail to confirm',
    },
    consent: {
      type: 'string',
      hint: 'NOTE',
      description:
        'With --list: they have agreed already, and this says how, in 500 characters. Nobody is asked by mail',
    },
    rejected: { type: 'string', hint: 'FILE', description: 'Write rejected rows to this file, with the reasons' },
    'dry-run': { type: 'boolean', description: 'Show what would happen and change nothing' },
    sandbox: sandboxSwitch,
  },

  async run(context, { file, map, list, consent, rejected, 'dry-run': dryRun, sandbox }) {
    if (consent !== undefined && list === undefined)
      throw new CommandError('--consent is about a list: give --list, too.', { exitCode: 2 });
    if (consent !== undefined && (consent.trim() === '' || consent.length > 500))
      throw new CommandError('--consent says how they agreed, in 1 to 500 characters.', { exitCode: 2 });
    const workspace = await context.workspace();
    const surface = await context.context();
    if (list !== undefined) {
      const found = await context.read(({ trx }) => listsOf(surface).find(trx, list));
      if (found === undefined) throw new CommandError(`There is no list ${list}. GET /v1/lists lists those there are.`);
    }
    const path = rejected === undefined ? undefined : resolve(context.cwd, rejected);
    if (path !== undefined) await refuseSameFile(resolve(context.cwd, file), path);
    const source = await openRows(resolve(context.cwd, file), file);
    const iterator = source.rows();
    const first = await iterator.next();
    if (first.done === true) throw new CommandError(`${file} is empty.`);
    const headings = first.value.cells;
    const columns = columnsOf(headings, map);
    const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
    const job: Import = {
      context,
      surface,
      file,
      columns,
      ignored: ignoredAmong(headings, columns),
      rejectedRows: createRejectedRows(path, headings, source.separator),
      dryRun,
      sandbox: sideOf(workspace, sandbox),
      list,
      consentNote: consent,
      joined: 0,
      counts,
      shown: [],
    };
    await importAll(job, source, iterator).finally(() => job.rejectedRows.end());
    if (rejected === undefined) for (const text of job.shown) context.warn(text);
    if (counts.rejected > 0 && rejected === undefined)
      throw new CommandError(
        counts.rejected === 1
          ? '1 row was rejected. Write it to a file with the reason: --rejected FILE'
          : `${counts.rejected} rows were rejected. Write them to a file with the reasons: --rejected FILE`,
      );
    return {
      file,
      dry_run: dryRun,
      ...counts,
      ...(list === undefined ? {} : { joined_list: job.joined }),
      ignored_columns: job.ignored,
    };
  },
});
