// Maps the columns of a file to fields of contacts, and a row to a patch of a contact. Called by the import of the API and of the
// command line. Pure.
import { personReference, z } from '../../../core/index.ts';
import { beginning, checkValue, faultSentence, findRawFault, restore } from '../../../core/unstable.ts';
import type { AttributeChanges, ContactPatch } from '../resolution-rules.ts';
import { attributeChanges, attributeName } from '../schema.ts';
import { CsvFault, RowFault } from './faults.ts';

type Kind = 'text' | 'number' | 'boolean';

/** The field, attribute or topic that a column contains. */
export type ImportColumn =
  | { readonly field: 'external_id' | 'email' | 'id' | 'attributes' | 'ignored' }
  | { readonly attribute: string; readonly kind: Kind }
  | { readonly topic: string };

/** Whether the person of a row is subscribed, by topic key. */
export type RowTopics = Readonly<Record<string, boolean>>;

/** The keys of the topics that the columns contain. */
export const topicsAmong = (columns: readonly ImportColumn[]): string[] =>
  columns.flatMap((column) => ('topic' in column ? [column.topic] : []));

const fields = ['external_id', 'email', 'id', 'attributes'] as const;
/** The heading of the reasons in a file of rejected rows. The import of the corrected file ignores this column. */
export const reasonHeading = 'postrider_rejected_because';
/** The maximum number of columns. More columns would slow down every row. */
const maxColumns = 2_000;
/** The longest heading, in characters. */
const maxHeading = 1_000;
/** Columns of exports and of rejected rows that an import cannot set. */
const ignoredHeadings = ['subscribed', 'created_at', 'updated_at', reasonHeading];

/** Parses a field such as `attributes.age:number` or `email`. An empty text means that the column is ignored. */
function meaningOf(text: string, heading: string): ImportColumn {
  if (text === '') return { field: 'ignored' };
  const field = fields.find((name) => name === text);
  if (field !== undefined) return { field };
  const [, attribute, kind = 'text'] = /^attributes\.(.+?)(?::(text|number|boolean))?$/s.exec(text) ?? [];
  if (attribute !== undefined) return { attribute, kind: kind as Kind };
  const [, topic] = /^topic\.(.+)$/s.exec(text) ?? [];
  if (topic !== undefined) return { topic };
  throw new CsvFault(
    `The column ${heading}: "${text}" is not a field. Map a column to external_id, email, id, attributes.NAME, attributes.NAME:number, attributes.NAME:boolean, attributes (JSON) or topic.KEY. An empty field ignores the column.`,
    'mapping',
  );
}

function byHeading(name: string): ImportColumn {
  if (/^["“”„«»]/.test(name))
    throw new CsvFault(
      `The heading ${name} holds a quotation mark, which would become part of the attribute's name. CSV knows only ", at the beginning and at the end of a cell. Correct the heading, or map the column to a field.`,
      'csv',
    );
  if (ignoredHeadings.includes(name)) return { field: 'ignored' };
  const field = fields.find((fieldName) => fieldName === name.toLowerCase());
  if (field !== undefined) return { field };
  if (/^(attributes|topic)\../s.test(name)) return meaningOf(name, name);
  return name === '' ? { field: 'ignored' } : { attribute: name, kind: 'text' };
}

/** The mapping of the headings of a file to fields. */
export interface ColumnMapping {
  /** Fields by heading, such as `E-Mail` → `email`. An empty field ignores the column. */
  readonly fields: ReadonlyMap<string, string>;
  /** The treatment of other columns: they are read by their heading, or ignored. */
  readonly others: 'by_heading' | 'ignored';
}

/** Refuses a mapping that does not fit the headings. */
function checkMapping(names: readonly string[], { fields: mapped, others }: ColumnMapping): void {
  if (names.length > maxColumns)
    throw new CsvFault(
      `The file has ${names.length} columns, and an import takes at most ${maxColumns}. Remove columns that you do not import.`,
      'csv',
    );
  const tooLong = names.find((name) => name.length > maxHeading);
  if (tooLong !== undefined)
    throw new CsvFault(
      `The heading that begins with ${beginning(tooLong, 60)} has more than ${maxHeading} characters. Shorten it.`,
      'csv',
    );
  const isRead = (name: string) => others === 'by_heading' || mapped.has(name);
  const broken = names.find((name) => name.includes('\ufffd') && isRead(name));
  if (broken !== undefined)
    throw new CsvFault(`The heading ${broken} contains bytes that are not UTF-8. Save the file as UTF-8.`, 'csv');
  for (const heading of mapped.keys()) {
    if (!names.includes(heading))
      throw new CsvFault(
        `The mapping names the column ${heading}, and the file has no such column. It has: ${names.join(', ')}.`,
        'mapping',
      );
    if (mapped.get(heading) !== '' && names.indexOf(heading) !== names.lastIndexOf(heading))
      throw new CsvFault(`Two columns have the heading ${heading}. Give one of them another heading.`, 'csv');
  }
}

/** The columns in their order. @throws CsvFault */
export function columnsOf(headings: readonly string[], mapping: ColumnMapping): ImportColumn[] {
  const names = headings.map((heading) => restore(heading).trim());
  checkMapping(names, mapping);
  const columns = names.map((name): ImportColumn => {
    const target = mapping.fields.get(name);
    if (target !== undefined) return meaningOf(target, name);
    return mapping.others === 'ignored' ? { field: 'ignored' } : byHeading(name);
  });
  for (const field of fields)
    if (columns.filter((column) => 'field' in column && column.field === field).length > 1)
      throw new CsvFault(`Two columns hold ${field}. Ignore one of them.`, 'mapping');
  if (columns.some((column) => 'attribute' in column && column.attribute === '__proto__'))
    throw new CsvFault('__proto__ cannot be the name of an attribute. Give the column another heading.', 'mapping');
  const attributes = columns.flatMap((column) => ('attribute' in column ? [column.attribute] : []));
  const refused = attributes.find((name) => !attributeName.safeParse(name).success);
  if (refused !== undefined)
    throw new CsvFault(
      `${beginning(refused, 200)} cannot be the name of an attribute: names have 1 to 64 characters, and no control characters. Map the column to a shorter name.`,
      'mapping',
    );
  const targets = [
    ...attributes.map((name) => `attributes.${name}`),
    ...topicsAmong(columns).map((key) => `topic.${key}`),
  ];
  const duplicate = targets.find((name, index) => targets.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new CsvFault(`Two columns hold ${duplicate}. Give one of them another heading.`, 'mapping');
  if (!columns.some((column) => 'field' in column && ['external_id', 'email', 'id'].includes(column.field)))
    throw new CsvFault(
      `No column identifies the contact of a row. The file has: ${names.join(', ')}. Map one of them to email, external_id or id.`,
      'mapping',
    );
  return columns;
}

/** The headings of the columns that an import does not read. */
export const ignoredAmong = (headings: readonly string[], columns: readonly ImportColumn[]): string[] =>
  columns.flatMap((column, index) =>
    'field' in column && column.field === 'ignored'
      ? [restore(headings[index] ?? '').trim() || `column ${index + 1}, which has no heading`]
      : [],
  );

const patchSchema = z.object({ ...personReference, attributes: attributeChanges });

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

function parseCell(text: string, kind: Kind): unknown {
  if (kind === 'text') return text;
  if (kind === 'boolean') return booleans[text.trim().toLowerCase()] ?? text;
  // Number() also accepts 0x10, 1e3 and Infinity, but in a file these are texts.
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
}

function jsonOf(cell: string): AttributeChanges {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    // A text that is not JSON is refused below, like JSON that is not an object.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RowFault('attributes: this is not a JSON object.');
  // The same check as for a request's body: escapes in JSON may produce invalid text.
  const fault = findRawFault(value);
  if (fault !== undefined) throw new RowFault(`attributes: ${fault.message}`);
  return value as AttributeChanges;
}

/** Whether a number cannot represent all digits of the text. A long id, for example, would change without notice. */
const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

const wrongKind = { number: 'This is not a number.', boolean: 'Write true or false, yes or no, 1 or 0.' } as const;

function attributesOf(cells: readonly string[], columns: readonly ImportColumn[]): AttributeChanges {
  // A Map, because an attribute may have the name of a property that every object has, such as `constructor`.
  const attributes = new Map<string, unknown>();
  for (const [index, column] of columns.entries()) {
    const cell = restore(cells[index] ?? '');
    // An empty cell leaves the attribute as it is.
    if (cell === '' || 'topic' in column) continue;
    if ('field' in column) {
      if (column.field === 'attributes')
        for (const [name, value] of Object.entries(jsonOf(cell))) attributes.set(name, value);
      continue;
    }
    const value = parseCell(cell, column.kind);
    if (column.kind !== 'text' && typeof value !== column.kind)
      throw new RowFault(`attributes.${column.attribute}: ${wrongKind[column.kind]}`);
    if (isRounded(value))
      throw new RowFault(`attributes.${column.attribute}: A number cannot hold all these digits. Import it as a text.`);
    attributes.set(column.attribute, value);
  }
  return Object.fromEntries(attributes);
}

function topicsOf(cells: readonly string[], columns: readonly ImportColumn[]): RowTopics {
  const topics: [string, boolean][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = restore(cells[index] ?? '').trim();
    // An empty cell leaves the preference as it is.
    if (!('topic' in column) || cell === '') continue;
    const subscribed = parseCell(cell, 'boolean');
    if (typeof subscribed !== 'boolean') throw new RowFault(`topic.${column.topic}: ${wrongKind.boolean}`);
    topics.push([column.topic, subscribed]);
  }
  return Object.fromEntries(topics);
}

/** The content of a row. */
export interface RowContent {
  readonly patch: ContactPatch;
  readonly topics: RowTopics;
}

/**
 * The content of a row. Missing cells at its end count as empty, because many exports omit them. Empty cells beyond the headings are
 * ignored, because spreadsheets write them for columns that were cleared. @throws RowFault
 */
export function rowOf(cells: readonly string[], columns: readonly ImportColumn[]): RowContent {
  if (cells.slice(columns.length).some((cell) => cell !== ''))
    throw new RowFault(`The row has ${cells.length} cells, but the file has ${columns.length} headings.`);
  const reference: Record<string, string> = {};
  for (const [index, column] of columns.entries()) {
    const cell = restore(cells[index] ?? '').trim();
    if ('field' in column && cell !== '' && column.field !== 'attributes' && column.field !== 'ignored')
      reference[column.field] = cell;
  }
  if (cells.some((cell) => cell.includes('\ufffd') || cell.includes('\0')))
    throw new RowFault('The row contains bytes that are not UTF-8. Save the file as UTF-8.', 'text_broken');
  const checked = checkValue(patchSchema, { ...reference, attributes: attributesOf(cells, columns) }, 'The row');
  if (!checked.ok) throw new RowFault(checked.faults.map(faultSentence).join(' '));
  const { attributes, ...names } = checked.data;
  if (Object.keys(names).length === 0) throw new RowFault('The row has neither an external_id nor an email.');
  return { patch: { reference: names, attributes, respell: true }, topics: topicsOf(cells, columns) };
}
