import {
  coreErrors,
  defineOperationWithPrepare,
  type ErrorDetail,
  type FixtureKit,
  type OperationContext,
  type PrepareContext,
} from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import type { ListsService } from '../../lists/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import { topicsAmong } from '../csv/columns.ts';
import { CsvFault } from '../csv/faults.ts';
import { countRows, type ImportCounts, noCounts } from '../imports/import-chunk.ts';
import { type CheckedFile, checkFile, storeFile } from '../imports/import-file.ts';
import { presentImport } from '../imports/present.ts';
import { missingTopic } from '../imports/row-topics.ts';
import { importKind } from '../imports/run-import.ts';
import { type ImportInput, importInput, importResource, maxDryRunBytes, maxFileBytes } from '../imports/schema.ts';
import { type ContactImportRow, importRows } from '../imports/tables.ts';
import { planContacts } from '../upsert-contacts.ts';

const fault = (path: string, code: string, message: string): ErrorDetail => ({ path, code, message });

function sizeFaults({ csv }: ImportInput, dryRun: boolean): ErrorDetail[] {
  const bytes = Buffer.byteLength(csv);
  if (bytes > maxFileBytes) return [fault('csv', 'too_large', 'A file has at most 10 MB. Divide it.')];
  if (dryRun && bytes > maxDryRunBytes)
    return [fault('csv', 'too_large', 'A dry run counts at once, and takes a file of at most 1 MB.')];
  return [];
}

/** The list must exist, and the caller must be allowed to add members to it. */
async function listFaults(ctx: OperationContext, { listId }: ImportInput): Promise<ErrorDetail[]> {
  if (listId === undefined) return [];
  if (!ctx.holds('lists:write')) throw coreErrors.insufficient_scope({ scopes: ['lists:write'] });
  const lists: ListsService | undefined = ctx.services.lists;
  if (lists === undefined)
    return [fault('listId', 'not_available', 'Lists need the plugin lists, which this service does not have.')];
  if ((await lists.find(ctx.trx, listId)) === undefined) throw lists.notFound(listId);
  return [];
}

/** The topics must exist. */
async function topicFaults(ctx: OperationContext, keys: readonly string[]): Promise<ErrorDetail[]> {
  if (keys.length === 0) return [];
  const topics: TopicsService | undefined = ctx.services.topics;
  if (topics === undefined)
    return [fault('mapping', 'not_available', 'Topics need the plugin topics, which this service does not have.')];
  const missing = await missingTopic(topics, ctx.trx, keys);
  return missing === undefined ? [] : [fault('mapping', 'topic_not_found', topics.notFound(missing).message)];
}

const noteAlone = fault(
  'consentNote',
  'list_required',
  'consentNote is about a list or topics: give listId, or map a column to topic.KEY, too.',
);

/**
 * The files of calls, read before their transactions: parsing must not keep a transaction open, and the check of the leash inside the
 * transaction needs the same file.
 */
const checkedFiles = new WeakMap<ImportInput, CheckedFile>();

/** A file, and the counts of its import if the call is a dry run. */
interface PreparedImport {
  readonly file: CheckedFile;
  readonly planned: ImportCounts;
}

/** Counts what the import would do. Outside the transaction, so that other work gets its turn. */
async function planImport(ctx: PrepareContext, { read }: CheckedFile): Promise<ImportCounts> {
  const patches = read.valid.map(({ patch }) => patch);
  return countRows(noCounts, read.faults, read.valid, await planContacts(ctx, patches));
}

async function readBefore(ctx: PrepareContext, body: ImportInput): Promise<PreparedImport> {
  const { dryRun } = ctx;
  const refuse = (details: readonly ErrorDetail[]) =>
    coreErrors.validation_failed({ summary: details.map(({ message }) => message).join(' ') }, { details });
  const large = sizeFaults(body, dryRun);
  if (large.length > 0) throw refuse(large);
  try {
    const file = await checkFile(body, dryRun);
    checkedFiles.set(body, file);
    return { file, planned: dryRun ? await planImport(ctx, file) : noCounts };
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw refuse([fault(error.part, 'csv_invalid', error.message)]);
  }
}

/** Creates a list in the other workspace. Needs the lists plugin. */
async function foreignList(kit: FixtureKit): Promise<string> {
  const { listId } = await kit.call('lists.create', { name: kit.unique('News') }, kit.foreignWorkspaceId);
  return String(listId);
}

const example = 'E-Mail,Name,Plan\nada@example.com,Ada Lovelace,pro\ngrace@example.org,Grace Hopper,free\n';

export const importContacts = defineOperationWithPrepare({
  id: 'contacts.import',
  summary: 'Import contacts from a CSV file',
  description:
    'Existing contacts are changed as by contacts.upsert, and new contacts are created. An empty cell leaves a value as it is. The rows are imported in the background: read the import for its progress and its faults by line. A column may hold a topic: yes or no becomes a preference. An import lifts no suppression and no unsubscribe. A dry run counts the changes at once, for a file of at most 1 MB.',
  http: 'POST /v1/contacts/imports',
  tool: 'import_contacts',
  searchWords: ['upload', 'csv', 'file', 'excel', 'spreadsheet', 'mailchimp', 'hubspot', 'migrate'],
  scopes: ['contacts:write'],
  idempotency: 'replay',
  input: { body: importInput },
  output: importResource,
  status: 202,
  errors: ['insufficient_scope'],
  emits: ['contact.created', 'contact.updated'],
  // A contact who joins a list may get a confirmation mail. Joining a list or subscribing to a topic may begin a sequence.
  leash: {
    recipients: (_, { body }) => {
      const { columns = [], total = 0 } = checkedFiles.get(body) ?? {};
      return body.listId === undefined && topicsAmong(columns).length === 0 ? 0 : total;
    },
    disallowedRecipient: (_, { body }, allowed) => outsideDomain(checkedFiles.get(body)?.emails ?? [], allowed),
  },
  audit: { action: 'contact.import', target: ({ import_id: id }) => ({ kind: 'contact_import', id }) },
  fixture: async (kit) => ({
    body: { csv: example, mapping: { 'E-Mail': 'email', Name: 'attributes.name', Plan: 'attributes.plan' } },
    foreign: { body: { listId: await foreignList(kit) } },
    errors: { insufficient_scope: 'unreachable here: shown in test/plugins/contacts-imports.test.ts' },
  }),

  prepare: (ctx, { body }) => readBefore(ctx, body),

  async handler(ctx, { body }, { file: { columns, ignored, total }, planned }) {
    const topics = topicsAmong(columns);
    const isAlone = body.consentNote !== undefined && body.listId === undefined && topics.length === 0;
    ctx.refuse([
      ...(isAlone ? [noteAlone] : []),
      ...(await listFaults(ctx, body)),
      ...(await topicFaults(ctx, topics)),
    ]);
    const row: ContactImportRow = {
      id: ctx.newId('imp'),
      status: 'running',
      columns,
      ignored_columns: ignored,
      list_id: body.listId ?? null,
      consent_note: body.consentNote ?? null,
      total,
      position: 0,
      ...planned,
      joining: null,
      preferring: null,
      erased: [],
      created_at: ctx.now,
      finished_at: null,
    };
    if (ctx.dryRun) return presentImport({ ...row, status: 'completed', finished_at: ctx.now });
    await importRows.insert(ctx.trx, row);
    storeFile(ctx, row.id, body.csv);
    ctx.enqueue({ kind: importKind, payload: { importId: row.id }, key: row.id });
    ctx.note({
      total,
      ...(body.listId === undefined ? {} : { list: body.listId }),
      ...(topics.length === 0 ? {} : { topics: topics.length }),
    });
    return presentImport(row);
  },
});
