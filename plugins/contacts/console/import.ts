// Importing contacts in the console: the form for a file, then the fields of its columns with a dry run, then the import.
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleForm,
  type ConsoleView,
  coreErrors,
} from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  counted,
  dataTable,
  emptyNotice,
  type Html,
  html,
  panel,
} from '../../../core/unstable.ts';
import { CsvFault } from '../csv/faults.ts';
import { type ContactImport, type ImportInput, maxDryRunBytes } from '../imports/schema.ts';
import { type ChosenColumn, choicesFor, columnsIn, mappingOf, nameOfField } from './import-columns.ts';

const path = 'contacts/import';
/** The maximum number of faults that the check shows. */
const shownFaults = 20;
/** The maximum number of lists and of topics to choose from. */
const maxChoices = 100;

/** The page with the form for a file. */
export async function importPage(ctx: ConsoleContext): Promise<ConsoleView> {
  // This form shows every refusal on the page, whichever form was sent, because only this form keeps the text of the file.
  const refusedForm = ctx.refusedForm === undefined ? undefined : { ...ctx.refusedForm, action: 'check' };
  const form = actionForm({ ...ctx, refusedForm }, 'check', {
    isOpen: true,
    label: 'Choose a file',
    question:
      'A CSV file with headings, at most 1 MB. It is checked first: nothing is changed before you have seen what it would do.',
    verb: 'Check the file',
    inputs: [
      {
        name: 'csv',
        label: 'The text of the file',
        isLong: true,
        isRequired: true,
        maxLength: maxDryRunBytes,
        accept: '.csv,.tsv,.txt,text/csv',
      },
    ],
  });
  const larger = emptyNotice(
    'Larger files, up to 10 MB, go through the API (contacts.import); files of any size through the command line: postrider import FILE.',
  );
  return { heading: 'Import contacts', body: html`${form}${larger}` };
}

/** The columns of the form's file. @throws validation_failed */
async function readColumns({ fields }: ConsoleForm): Promise<readonly ChosenColumn[]> {
  try {
    return await columnsIn(fields['csv'] ?? '', fields);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw coreErrors.validation_failed({ summary: error.message });
  }
}

async function inputOf(form: ConsoleForm): Promise<{ input: ImportInput; columns: readonly ChosenColumn[] }> {
  const { csv = '', listId = '', consentNote = '' } = form.fields;
  const columns = await readColumns(form);
  const note = consentNote.trim();
  const input: ImportInput = {
    csv,
    mapping: mappingOf(columns),
    ...(listId === '' ? {} : { listId }),
    ...(note === '' ? {} : { consentNote: note }),
  };
  return { input, columns };
}

/** The lists and topics that the person may choose. */
async function choicesOf(ctx: ConsoleContext) {
  const mayJoin = ctx.mayCall('lists.list') && ctx.mayCall('lists.members_add');
  const lists = mayJoin ? (await ctx.calls.lists.list({ limit: maxChoices })).data : [];
  const topics = ctx.mayCall('topics.list') ? (await ctx.calls.topics.list({ limit: maxChoices })).data : [];
  return { lists, topics: topics.map(({ key }) => key) };
}

const option = (value: string, words: string, current: string): Html =>
  html`<option value="${value}"${value === current ? html` selected` : null}>${words}</option>`;

function columnsTable(columns: readonly ChosenColumn[], topics: readonly string[]): Html {
  const rows = columns.map((column, index) => {
    const choices = choicesFor(column, topics).map(([value, words]) => option(value, words, column.field));
    return [
      html`<span dir="auto">${column.heading === '' ? 'No heading' : column.heading}</span>`,
      html`<span dir="auto">${column.sample.slice(0, 80)}</span>`,
      html`<select name="${nameOfField(index)}" aria-label="Field of ${column.heading}">${choices}</select>`,
    ];
  });
  return dataTable('What the columns mean', ['Column', 'First value', 'Becomes'], rows);
}

function sentenceOf({ total, created, updated, unchanged, rejected }: ContactImport): Html {
  const parts = [
    counted(created, 'new contact'),
    `${counted(updated, 'contact')} changed`,
    `${unchanged.toLocaleString('en-GB')} as before`,
    `${rejected.toLocaleString('en-GB')} with a fault`,
  ];
  return html`${counted(total, 'row')}: ${parts.join(', ')}.`;
}

/** The faults of rows, by line. */
function faultTable(faults: ContactImport['faults'], total: number): Html | null {
  if (faults.length === 0) return null;
  const rows = faults
    .slice(0, shownFaults)
    .map(({ line, message }) => [line, html`<span dir="auto">${message}</span>`]);
  const moreRows = total > rows.length ? html`<p class="quiet">${total - rows.length} more.</p>` : null;
  return html`${dataTable('Rows with a fault', [{ head: 'Line', isNumber: true }, 'Fault'], rows)}${moreRows}`;
}

/** The columns that the import leaves out. There may be more of them than the table shows. */
const ignoredWords = ({ ignored_columns: ignored }: ContactImport): Html | null =>
  ignored.length === 0 ? null : html`<p class="quiet" dir="auto">Not imported: ${ignored.join(', ')}.</p>`;

async function checkedView(ctx: ConsoleContext, form: ConsoleForm): Promise<ConsoleView> {
  const { input, columns } = await inputOf(form);
  const result = await ctx.calls.contacts.import(input, { dryRun: true });
  const { lists, topics } = await choicesOf(ctx);
  const changes = result.created + result.updated;
  const join = [
    option('', 'None', input.listId ?? ''),
    ...lists.map((list) => option(list.listId, list.name, input.listId ?? '')),
  ];
  const list =
    lists.length === 0
      ? null
      : html`<label class="field"><span>They join this list</span><select name="listId">${join}</select></label>`;
  const consent = html`<label class="field"><span>How they agreed to get mail, if they did (for a list or topics)</span><input name="consentNote" value="${input.consentNote ?? ''}" maxlength="500" dir="auto"></label>`;
  const hidden = Object.entries({ key: ctx.newIdempotencyKey(), csv: input.csv }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const buttons = html`<div class="choices"><button class="button" name="action" value="check" type="submit">Check again</button><button class="button primary" name="action" value="import" type="submit">Import ${counted(result.total - result.rejected, 'row')}</button></div>`;
  const isPlain = result.rejected === 0;
  return {
    heading: 'Check the import',
    body: html`${conclusion(
      isPlain && changes > 0 ? 'good' : 'wait',
      sentenceOf(result),
      'Nothing has been changed yet. An import lifts no suppression and no unsubscribe.',
    )}${ignoredWords(result)}<form class="stack" method="post" action="${ctx.link(path)}">${hidden}${columnsTable(columns, topics)}${panel('Lists and topics', html`${list}${consent}`)}${buttons}</form>${faultTable(result.faults, result.rejected)}`,
  };
}

export const importActions: Readonly<Record<string, ConsoleAction>> = {
  check: { reveal: checkedView },
  import: {
    async leadTo(ctx, form) {
      const { input } = await inputOf(form);
      const { import_id: id } = await ctx.calls.contacts.import(input, { idempotencyKey: form.idempotencyKey });
      return `contacts/imports/${id}`;
    },
  },
};

const states = { running: 'wait', completed: 'good', failed: 'bad' } as const;
const refreshSeconds = 2;

/** An import: its progress, then its counts and its faults. */
export async function importedPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const result = await ctx.calls.contacts.importRead({ importId: ctx.params['importId'] ?? '' });
  const { status, total, rejected, faults } = result;
  const done = result.created + result.updated + result.unchanged + rejected;
  const sentence = {
    running: html`${done.toLocaleString('en-GB')} of ${counted(total, 'row')} imported so far.`,
    completed: html`The import is done. ${sentenceOf(result)}`,
    failed: html`The import has ended early, after ${counted(done, 'row')}. The last fault says why.`,
  }[status];
  const link = html`<p><a class="button" href="${ctx.link('contacts')}">To the contacts</a></p>`;
  return {
    heading: 'Import of contacts',
    body: html`${conclusion(states[status], sentence)}${link}${faultTable(faults, rejected)}`,
    ...(status === 'running' ? { refreshSeconds } : {}),
  };
}
