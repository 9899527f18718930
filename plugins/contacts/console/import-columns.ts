// The columns of a file that a person imports in the console: the fields that the form offers, and the field that it proposes for a
// heading.
import { restore } from '../../../core/unstable.ts';
import { parseText } from '../csv/parse-rows.ts';

/** The maximum number of rows that are read to propose a field. */
const sampleRows = 20;
/** The maximum number of columns in the form. */
const maxColumns = 100;

/** A column of the file and the field that is chosen for it; an empty field imports nothing. */
export interface ChosenColumn {
  readonly heading: string;
  readonly field: string;
  /** The first value of the column. */
  readonly sample: string;
}

/** The name of the form's field for a column. */
export const nameOfField = (index: number): string => `column_${index}`;

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());

const nameOfAttribute = (heading: string): string => heading.trim().slice(0, 64);

/** The field that the form proposes for a column. `isTaken`: another column already is the address. */
function proposedField(heading: string, values: readonly string[], isTaken: boolean): string {
  const plain = heading.trim().toLowerCase();
  if (plain === '') return '';
  if (['id', 'external_id', 'attributes'].includes(plain)) return plain;
  if (['subscribed', 'created_at', 'updated_at'].includes(plain)) return '';
  if (/^(attributes|topic)\../.test(plain)) return heading.trim();
  const filled = values.filter((value) => value.trim() !== '');
  // Only half of the values must be addresses, because a few may be mistyped.
  const isMostlyAddresses = filled.filter(isAddress).length * 2 > filled.length;
  if (!isTaken && (/^e-?mail\b/.test(plain) || isMostlyAddresses)) return 'email';
  return `attributes.${nameOfAttribute(heading)}`;
}

/** The columns of the file, with the fields that the form chose, or with the proposed fields of a new file. @throws CsvFault */
export async function columnsIn(
  csv: string,
  fields: Readonly<Record<string, string>>,
): Promise<readonly ChosenColumn[]> {
  const rows = parseText(csv);
  const first = await rows.next();
  if (first.done === true) return [];
  const samples: (readonly string[])[] = [];
  for await (const { cells } of rows) {
    samples.push(cells);
    if (samples.length === sampleRows) break;
  }
  const isChosen = fields[nameOfField(0)] !== undefined;
  const columns: ChosenColumn[] = [];
  for (const [index, cell] of first.value.cells.slice(0, maxColumns).entries()) {
    const heading = restore(cell).trim();
    const values = samples.map((cells) => restore(cells[index] ?? ''));
    const isTaken = columns.some(({ field }) => field === 'email');
    const field = isChosen ? (fields[nameOfField(index)] ?? '') : proposedField(heading, values, isTaken);
    columns.push({ heading, field, sample: values.find((value) => value !== '') ?? '' });
  }
  return columns;
}

/** The choices for a column. `topics`: the keys of the topics of the workspace. */
export function choicesFor({ heading, field }: ChosenColumn, topics: readonly string[]): (readonly [string, string])[] {
  const attribute = `attributes.${nameOfAttribute(heading)}`;
  const choices: (readonly [string, string])[] = [
    ['', 'Not imported'],
    ['email', 'Address'],
    ['external_id', 'External id'],
    ['id', 'Id of the contact'],
    [attribute, 'Attribute, as text'],
    [`${attribute}:number`, 'Attribute, as a number'],
    [`${attribute}:boolean`, 'Attribute, yes or no'],
    ['attributes', 'Attributes, as JSON'],
    ...topics.map((key) => [`topic.${key}`, `Topic ${key}`] as const),
  ];
  return choices.some(([value]) => value === field) ? choices : [...choices, [field, field]];
}

/** The mapping for the operation. A mapping names columns by their headings, so columns without a heading are not imported. */
export const mappingOf = (columns: readonly ChosenColumn[]): Record<string, string> =>
  Object.fromEntries(columns.filter(({ heading }) => heading !== '').map(({ heading, field }) => [heading, field]));
