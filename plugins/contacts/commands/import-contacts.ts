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
import type { TopicsService } from '../../topics/index.ts';
import { columnsOf, type ImportColumn, ignoredAmong, type RowContent, rowOf, topicsAmong } from '../csv/columns.ts';
import { CsvFault, RowFault } from '../csv/faults.ts';
import type { FileRow } from '../csv/parse-rows.ts';
import { openRows, type RowFile } from '../csv/read-file.ts';
import { createRejectedRows, type RejectedRows, refuseSameFile } from '../csv/rejected-rows.ts';
import { announceImport } from '../imports/listeners.ts';
import { missingTopic, rowTopicsByContact, setRowTopics } from '../imports/row-topics.ts';
import { type ContactBatchResult, repeatOnWriteConflict, upsertContacts } from '../upsert-contacts.ts';
import { isSandboxSide, sandboxSwitch } from './side.ts';

const batchSize = 1_000;
/** The maximum number of characters in a batch. It limits the memory, because rows may be long. */
const batchCharacters = 8_000_000;
const maxShown = 10;

interface ContactImport {
  readonly context: CommandContext;
  readonly serviceContext: ServiceContext;
  readonly file: string;
  readonly columns: readonly ImportColumn[];
  /** The headings of the columns that are not read. */
  readonly ignored: readonly string[];
  readonly rejectedRows: RejectedRows;
  readonly dryRun: boolean;
  readonly sandbox: boolean;
  /** The list that the contacts join. */
  readonly list: string | undefined;
  /** A note on how the contacts agreed. If it is set, they join the list as confirmed members. */
  readonly consentNote: string | undefined;
  /** The number of contacts who joined the list. */
  joined: number;
  readonly counts: Record<ContactBatchResult['outcome'], number>;
  readonly shown: string[];
}

/** Thrown inside a transaction to roll a dry run back. */
class DryRunEnded {
  readonly outcomes: readonly ContactBatchResult[];
  constructor(outcomes: readonly ContactBatchResult[]) {
    this.outcomes = outcomes;
  }
}

/** The lists service. @throws CommandError if the service does not have the plugin */
function listsOf({ services }: ServiceContext): ListsService {
  const lists: ListsService | undefined = services.lists;
  if (lists === undefined) throw new CommandError('--list needs the plugin lists, which this service does not have.');
  return lists;
}

/** The topics service. @throws CommandError if the service does not have the plugin */
function topicsOf({ services }: ServiceContext): TopicsService {
  const topics: TopicsService | undefined = services.topics;
  if (topics === undefined)
    throw new CommandError('A column with a topic needs the plugin topics, which this service does not have.');
  return topics;
}

/** Parses the values of --map. @throws CommandError */
const mappingOf = (values: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    values.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1)
        throw new CommandError(`--map ${text}: write HEADING=FIELD, such as --map "E-Mail=email".`, { exitCode: 2 });
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );

/** Shows a fault of the file, or of --map, as the command line shows errors. */
async function withCommandErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw new CommandError(error.message, { cause: error, ...(error.part === 'mapping' ? { exitCode: 2 } : {}) });
  }
}

/**
 * Adds imported contacts to the list. This takes a second transaction, because the contacts do not exist before the first one has
 * ended. If the import is interrupted in between, importing the file again adds them.
 */
async function joinList(job: ContactImport, outcomes: readonly ContactBatchResult[]): Promise<void> {
  const { context, serviceContext, sandbox, list, consentNote } = job;
  const ids = outcomes.flatMap((outcome) => (outcome.outcome === 'rejected' ? [] : [outcome.id]));
  if (list === undefined || ids.length === 0) return;
  const entry = { action: 'list.import', kind: 'list', id: list, sandbox };
  const join = (ctx: TransactionContext) =>
    listsOf(serviceContext).addMembers(ctx, list, ids, {
      source: 'import',
      confirmed: consentNote !== undefined,
      consentNote,
    });
  const { added } = await repeatOnWriteConflict(() => context.transact(entry, join));
  job.joined += added;
}

/** Stores the preferences of imported contacts, in a second transaction for the same reason as joinList. */
async function storeTopics(
  { context, serviceContext, file, sandbox, consentNote }: ContactImport,
  rows: readonly RowContent[],
  outcomes: readonly ContactBatchResult[],
): Promise<void> {
  const topicsOfRows = rowTopicsByContact(rows, outcomes);
  if (Object.keys(topicsOfRows).length === 0) return;
  const entry = { ...entryOf(file), action: 'preference.import', sandbox };
  const topics = topicsOf(serviceContext);
  await repeatOnWriteConflict(() =>
    context.transact(entry, (ctx) => setRowTopics(ctx, topics, topicsOfRows, consentNote)),
  );
}

const entryOf = (file: string) => ({ action: 'contact.import', kind: 'file', id: beginning(basename(file), 100) });

async function write(job: ContactImport, rows: readonly RowContent[]): Promise<readonly ContactBatchResult[]> {
  const { context, file, dryRun, sandbox } = job;
  const entry = { ...entryOf(file), sandbox };
  const work = async (ctx: TransactionContext): Promise<readonly ContactBatchResult[]> => {
    const outcomes = await upsertContacts(
      ctx,
      rows.map(({ patch }) => patch),
    );
    if (dryRun) throw new DryRunEnded(outcomes);
    return outcomes;
  };
  try {
    const outcomes = await repeatOnWriteConflict(() => context.transact(entry, work));
    await joinList(job, outcomes);
    await storeTopics(job, rows, outcomes);
    return outcomes;
  } catch (error) {
    if (error instanceof DryRunEnded) return error.outcomes;
    throw error;
  }
}

async function reject(
  { rejectedRows, counts, shown }: ContactImport,
  { line, cells }: FileRow,
  reason: string,
): Promise<void> {
  counts.rejected += 1;
  if (shown.length < maxShown) shown.push(`line ${line}: ${reason}`);
  await rejectedRows.add(cells, reason);
}

async function importBatch(job: ContactImport, rows: readonly FileRow[]): Promise<void> {
  const contents: RowContent[] = [];
  const readableRows: FileRow[] = [];
  for (const row of rows) {
    try {
      contents.push(rowOf(row.cells, job.columns));
      readableRows.push(row);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      await reject(job, row, error.message);
    }
  }
  if (contents.length === 0) return;
  for (const [index, result] of (await write(job, contents)).entries()) {
    const row = readableRows[index];
    if (result.outcome === 'rejected' && row !== undefined) await reject(job, row, result.reason);
    else job.counts[result.outcome] += 1;
  }
}

/** Notifies other plugins that the import is complete. */
async function notifyListeners({
  context,
  serviceContext,
  file,
  dryRun,
  sandbox,
  counts,
}: ContactImport): Promise<void> {
  if (dryRun || counts.created + counts.updated === 0) return;
  if (serviceContext.ports.contributions('contacts.imports').size === 0) return;
  await context.transact({ ...entryOf(file), sandbox }, announceImport);
}

/** @throws CommandError if a topic is unknown */
async function checkTopics(
  context: CommandContext,
  serviceContext: ServiceContext,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const topics = topicsOf(serviceContext);
  const missing = await context.read(({ trx }) => missingTopic(topics, trx, keys));
  if (missing !== undefined) throw new CommandError(topics.notFound(missing).message);
}

const kilobytes = (size: number): number => Math.ceil(size / 1_024);

/** Imports the whole file; Ctrl-C stops it after the current batch. */
async function importAll(
  job: ContactImport,
  { bytes, position }: RowFile,
  rows: AsyncGenerator<FileRow>,
): Promise<void> {
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
  const ignoredText = ignored.length === 0 ? '' : ` Columns that were ignored: ${ignored.join(', ')}.`;
  const members = consentNote === undefined ? '' : ' as confirmed members';
  const joined = list === undefined || dryRun ? '' : ` ${job.joined} joined the list${members}.`;
  const summary = `${counts.created} created, ${counts.updated} updated, ${counts.unchanged} unchanged, ${counts.rejected} rejected.${joined}${ignoredText}`;
  progress.end(dryRun ? `Dry run, nothing was changed: ${summary}` : summary);
}

export const importContacts = defineCommand({
  name: 'import',
  summary: 'Import contacts from a CSV file',
  description:
    'The first line names the columns: external_id, email, id, attributes (JSON), topic.KEY; any other column becomes an attribute of that name. ' +
    'The separator is detected, and so is UTF-16; any other encoding than UTF-8 needs --encoding. An empty cell leaves a value as it is. Existing contacts are updated ' +
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
        'What a column holds: external_id, email, id, attributes.NAME, attributes.NAME:number or :boolean, topic.KEY. An empty FIELD ignores the column',
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
        'A note on how the contacts agreed, at most 500 characters. With --list, they join without a confirmation mail',
    },
    encoding: {
      type: 'string',
      hint: 'NAME',
      description: 'The encoding of the file, such as windows-1252, as Excel writes it in western Europe',
    },
    rejected: { type: 'string', hint: 'FILE', description: 'Write rejected rows to this file, with the reasons' },
    'dry-run': { type: 'boolean', description: 'Show what would happen and change nothing' },
    sandbox: sandboxSwitch,
  },

  async run(context, { file, map, list, consent, encoding, rejected, 'dry-run': dryRun, sandbox }) {
    if (consent !== undefined && (consent.trim() === '' || consent.length > 500))
      throw new CommandError('--consent says how they agreed, in 1 to 500 characters.', { exitCode: 2 });
    const workspace = await context.workspace();
    const serviceContext = await context.context();
    if (list !== undefined) {
      const listRow = await context.read(({ trx }) => listsOf(serviceContext).find(trx, list));
      if (listRow === undefined)
        throw new CommandError(`There is no list ${list}. GET /v1/lists lists the existing ones.`);
    }
    const path = rejected === undefined ? undefined : resolve(context.cwd, rejected);
    if (path !== undefined) await refuseSameFile(resolve(context.cwd, file), path);
    const mapping = { fields: mappingOf(map), others: 'by_heading' } as const;
    const source = await openRows(resolve(context.cwd, file), file, encoding);
    const iterator = source.rows();
    const first = await withCommandErrors(() => iterator.next());
    if (first.done === true) throw new CommandError(`${file} is empty.`);
    const headings = first.value.cells;
    const columns = await withCommandErrors(() => columnsOf(headings, mapping));
    const keys = topicsAmong(columns);
    if (consent !== undefined && list === undefined && keys.length === 0)
      throw new CommandError('--consent is about a list or topics: give --list, or a column with a topic, too.', {
        exitCode: 2,
      });
    await checkTopics(context, serviceContext, keys);
    const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
    const job: ContactImport = {
      context,
      serviceContext,
      file,
      columns,
      ignored: ignoredAmong(headings, columns),
      rejectedRows: createRejectedRows(path, headings, source.separator),
      dryRun,
      sandbox: isSandboxSide(workspace, sandbox),
      list,
      consentNote: consent,
      joined: 0,
      counts,
      shown: [],
    };
    await withCommandErrors(() => importAll(job, source, iterator).finally(() => job.rejectedRows.end()));
    await notifyListeners(job);
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
