// Maps the columns of a file to fields of contacts, and a row to a patch of a contact. Called by the import. Pure.
import { CommandError, personReference, z } from '../../../core/index.ts';
import { checkValue, faultSentence, findRawFault, restore } from '../../../core/unstable.ts';
import type { AttributeChanges, ContactPatch } from '../resolution.ts';
import { attributeChanges } from '../schema.ts';

type Kind = 'text' | 'number' | 'boolean';

/** The field or attribute that a column contains. */
export type Column =
  | { readonly field: 'external_id' | 'email' | 'id' | 'attributes' | 'ignored' }
  | { readonly attribute: string; readonly kind: Kind };

const fields = ['external_id', 'email', 'id', 'attributes'] as const;
/** The heading of the reasons in a file of rejected rows. The import of the corrected file ignores this column. */
export const reasonHeading = 'postrider_rejected_because';
/** Columns of exports and of rejected rows that an import cannot set. */
const ignoredHeadings = ['subscribed', 'created_at', 'updated_at', reasonHeading];

/** Parses a field such as `attributes.age:number` or `email`. An empty text means that the column is ignored. */
function meaningOf(text: string, where: string): Column {
  if (text === '') return { field: 'ignored' };
  const field = fields.find((name) => name === text);
  if (field !== undefined) return { field };
  const [, attribute, kind = 'text'] = /^attributes\.(.+?)(?::(text|number|boolean))?$/s.exec(text) ?? [];
  if (attribute !== undefined) return { attribute, kind: kind as Kind };
  throw new CommandError(
    `${where}: "${text}" is not a field. Map a column to external_id, email, id, attributes.NAME, attributes.NAME:number, attributes.NAME:boolean, or leave the field empty to ignore the column.`,
    { exitCode: 2 },
  );
}

function byHeading(heading: string): Column {
  const name = heading.trim();
  if (/^["“”„«»]/.test(name))
    throw new CommandError(
      `The heading ${name} holds a quotation mark, which would become part of the attribute's name. CSV knows only ", at the beginning and at the end of a cell. Correct the heading, or map the column: --map 'HEADING=attributes.NAME'.`,
    );
  if (ignoredHeadings.includes(name)) return { field: 'ignored' };
  const field = fields.find((known) => known === name.toLowerCase());
  if (field !== undefined) return { field };
  if (name.startsWith('attributes.')) return meaningOf(name, `The column ${name}`);
  return name === '' ? { field: 'ignored' } : { attribute: name, kind: 'text' };
}

/** The columns in their order. `mapping` contains the values of --map: `HEADING=FIELD`. @throws CommandError */
export function columnsOf(headings: readonly string[], mapping: readonly string[]): Column[] {
  const mapped = new Map(
    mapping.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1)
        throw new CommandError(`--map ${text}: write HEADING=FIELD, such as --map "E-Mail=email".`, { exitCode: 2 });
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
  const names = headings.map((heading) => restore(heading).trim());
  const broken = names.find((name) => name.includes('\ufffd'));
  if (broken !== undefined)
    throw new CommandError(`The heading ${broken} contains bytes that are not UTF-8. Save the file as UTF-8.`);
  for (const heading of mapped.keys())
    if (!names.includes(heading))
      throw new CommandError(`--map ${heading}: the file has no such column. It has: ${names.join(', ')}.`, {
        exitCode: 2,
      });
  const columns = names.map((name) => {
    const given = mapped.get(name);
    return given === undefined ? byHeading(name) : meaningOf(given, `--map ${name}`);
  });
  for (const field of fields)
    if (columns.filter((column) => 'field' in column && column.field === field).length > 1)
      throw new CommandError(`Two columns hold ${field}. Ignore one of them: --map "HEADING=".`, {
        exitCode: 2,
      });
  if (columns.some((column) => 'attribute' in column && column.attribute === '__proto__'))
    throw new CommandError('__proto__ cannot be the name of an attribute. Give the column another heading.', {
      exitCode: 2,
    });
  const attributes = columns.flatMap((column) => ('attribute' in column ? [column.attribute] : []));
  const twice = attributes.find((name, index) => attributes.indexOf(name) !== index);
  if (twice !== undefined)
    throw new CommandError(`Two columns hold attributes.${twice}. Give one of them another heading.`, { exitCode: 2 });
  if (!columns.some((column) => 'field' in column && ['external_id', 'email', 'id'].includes(column.field)))
    throw new CommandError(
      `No column identifies the contact of a row. The file has: ${names.join(', ')}. Map one of them: --map "HEADING=email".`,
    );
  return columns;
}

/** The headings of the columns that an import does not read. */
export const ignoredAmong = (headings: readonly string[], columns: readonly Column[]): string[] =>
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
  // Number() also accepts 0x10, 1e3 and Infinity. In a file, these are not meant as numbers.
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
}

/** Why a row is refused. */
export class RowFault extends Error {}

function jsonOf(cell: string): AttributeChanges {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    // Refused below, like JSON that is not an object.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RowFault('attributes: this is not a JSON object.');
  // The same check as for a request's body: escapes in JSON may produce invalid text.
  const fault = findRawFault(value);
  if (fault !== undefined) throw new RowFault(`attributes: ${fault.message}`);
  return value as AttributeChanges;
}

const wrongKind = { number: 'This is not a number.', boolean: 'Write true or false, yes or no, 1 or 0.' } as const;

function attributesOf(cells: readonly string[], columns: readonly Column[]): AttributeChanges {
  // A Map, because an attribute may have the name of a property that every object has, such as `constructor`.
  const attributes = new Map<string, unknown>();
  for (const [index, column] of columns.entries()) {
    const cell = restore(cells[index] ?? '');
    // An empty cell leaves the attribute as it is.
    if (cell === '') continue;
    if ('field' in column) {
      if (column.field === 'attributes')
        for (const [name, value] of Object.entries(jsonOf(cell))) attributes.set(name, value);
      continue;
    }
    const value = parseCell(cell, column.kind);
    if (column.kind !== 'text' && typeof value !== column.kind)
      throw new RowFault(`attributes.${column.attribute}: ${wrongKind[column.kind]}`);
    attributes.set(column.attribute, value);
  }
  return Object.fromEntries(attributes);
}

/** The patch of a row. Missing cells at its end count as empty, because many exports omit them. @throws RowFault */
export function rowOf(cells: readonly string[], columns: readonly Column[]): ContactPatch {
  if (cells.length > columns.length)
    throw new RowFault(`The row has ${cells.length} cells, but the file has ${columns.length} headings.`);
  const reference: Record<string, string> = {};
  for (const [index, column] of columns.entries()) {
    const cell = restore(cells[index] ?? '').trim();
    if ('field' in column && cell !== '' && column.field !== 'attributes' && column.field !== 'ignored')
      reference[column.field] = cell;
  }
  if (cells.some((cell) => cell.includes('\ufffd') || cell.includes('\0')))
    throw new RowFault('The row contains bytes that are not UTF-8. Save the file as UTF-8.');
  const checked = checkValue(patchSchema, { ...reference, attributes: attributesOf(cells, columns) }, 'The row');
  if (!checked.ok) throw new RowFault(checked.faults.map(faultSentence).join(' '));
  const { attributes, ...names } = checked.data;
  if (Object.keys(names).length === 0) throw new RowFault('The row has neither an external_id nor an email.');
  return { reference: names, attributes, respell: true };
}
