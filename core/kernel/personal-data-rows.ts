// Decides to which person the data in a row belongs, if the row may name several people. Pure. Used by the erasure of declared
// tables and by plugins that export such rows; no other code decides this.

import type { ColumnType } from '../contract/declaration/migration.ts';
import type { AddressFinder, PersonIdentifiers } from '../contract/declaration/personal-data.ts';
import { emptyValueOf, type PersonalTable } from '../contract/declaration/personal-fields.ts';
import { normaliseAddress, parseAddress } from '../contract/values/addresses.ts';
import { createAddressFinder, isPseudonym, pseudonymOf } from './personal-data-addresses.ts';

type Row = Readonly<Record<string, unknown>>;

type NameKind = 'person' | 'address';

/** The columns by which a table names people. */
export const namingColumns = ({ columns }: PersonalTable): [string, NameKind][] =>
  Object.entries(columns).flatMap(([name, kind]) => (kind === 'person' || kind === 'address' ? [[name, kind]] : []));

/** Whether rows of the table may name two people. An id and an address in the same row belong to one person. */
export const namesSeveral = (personal: PersonalTable): boolean =>
  new Set(namingColumns(personal).map(([, kind]) => kind)).size < namingColumns(personal).length;

/** The text of a value, to search for names. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return JSON.stringify(value) ?? '';
}

/** Finds an id as a whole word: `con_1` is not in `con_12`. */
const idIn = (text: string, id: string): boolean =>
  new RegExp(`(?<![\\w-])${id.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\w-])`).test(text);

/** The people whom a row names, other than the erased or exported person. */
interface OtherPeople {
  readonly ids: readonly string[];
  readonly finder: AddressFinder;
}

/** A row, as it concerns one of the people whom it names. */
export class PersonalRow {
  readonly #row: Row;
  readonly workspaceId: string;
  readonly #subject: PersonIdentifiers;
  readonly #finder: AddressFinder;
  readonly #others: OtherPeople | undefined;
  /** The person's address in the row, if an address column contains it. */
  readonly #address: string | undefined;

  constructor(workspaceId: string, personal: PersonalTable, row: Row, subject: PersonIdentifiers) {
    this.#row = row;
    this.workspaceId = workspaceId;
    this.#subject = subject;
    this.#finder = createAddressFinder(workspaceId, subject.emails);
    const naming = namingColumns(personal);
    const ownAddressColumn = naming.find(([name, kind]) => kind === 'address' && this.isNamedBy(name));
    this.#address = ownAddressColumn === undefined ? undefined : String(row[ownAddressColumn[0]]);
    this.#others = namesSeveral(personal) ? this.#othersIn(naming) : undefined;
  }

  /** Whether the id or the address in this column is one of the person's. */
  isNamedBy(column: string): boolean {
    const value = this.#row[column];
    if (typeof value !== 'string') return false;
    return value === this.#subject.personId || this.#subject.emails.includes(value);
  }

  #othersIn(naming: readonly [string, NameKind][]): OtherPeople | undefined {
    const otherNames = naming.flatMap(([name, kind]) => {
      const value = this.#row[name];
      return typeof value !== 'string' || isPseudonym(value) || this.isNamedBy(name) ? [] : [{ kind, value }];
    });
    if (otherNames.length === 0) return undefined;
    const valuesOfKind = (wantedKind: NameKind) =>
      otherNames.flatMap(({ kind, value }) => (kind === wantedKind ? [value] : []));
    return { ids: valuesOfKind('person'), finder: createAddressFinder(this.workspaceId, valuesOfKind('address')) };
  }

  /**
   * Whether words belong to the person alone, only to other people in the row, or to both. If words name nobody, they belong to
   * all people in the row, so the first erasure removes them.
   */
  ownerOfWords(value: unknown): 'person' | 'others' | 'both' {
    const others = this.#others;
    if (others === undefined) return 'person';
    const text = textOf(value);
    const { personId } = this.#subject;
    const namesPerson = (personId !== null && idIn(text, personId)) || this.#finder.isIn(text);
    const namesOthers = others.ids.some((id) => idIn(text, id)) || others.finder.isIn(text);
    if (!namesOthers) return 'person';
    return namesPerson ? 'both' : 'others';
  }

  /** The address after the erasure, in a column that stores the spelling in which it was given. */
  eraseSpelling(text: string): string {
    const address = text.trim();
    if (this.#subject.emails.includes(normaliseAddress(address))) return pseudonymOf(this.workspaceId, address);
    if (isPseudonym(address)) return text;
    const erased = this.#finder.erase(text);
    const isOthers = this.#others !== undefined || parseAddress(address) !== undefined;
    // In the row of one person, a text that is not a plain address is still a spelling of the person's own address.
    return this.#address === undefined || isOthers ? erased : pseudonymOf(this.workspaceId, this.#address);
  }

  /** Text or JSON with pseudonyms in place of the person's addresses. */
  eraseMentions(text: string, type: ColumnType): string {
    if (!type.startsWith('json')) return this.#finder.erase(text);
    return text.includes('@') ? this.#finder.eraseJson(text) : text;
  }
}

/**
 * The row as the export of one of its people may show it: words that belong only to other people are emptied. For plugins whose
 * tables name several people in a row.
 * @param table - the result of `defineTable`
 */
export function withoutWordsOfOthers<R extends object>(
  table: { readonly personal?: PersonalTable },
  row: R,
  subject: PersonIdentifiers,
): R {
  const { personal } = table;
  if (personal === undefined) return row;
  const personalRow = new PersonalRow('', personal, row as Row, subject);
  const entries = Object.entries(row).map(([name, value]) => {
    const kind = personal.columns[name];
    const isWords = kind === 'text' && value !== null && value !== undefined;
    return [name, isWords && personalRow.ownerOfWords(value) === 'others' ? emptyValueOf(value) : value];
  });
  return Object.fromEntries(entries) as R;
}
