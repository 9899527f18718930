// Imports some rows in one transaction, and counts the results. Called by the job. A dry run counts the whole file.
import { normaliseAddress, pseudonymOf, type TransactionContext } from '../../../core/index.ts';
import type { ContactPatch } from '../resolution-rules.ts';
import { type ContactBatchResult, upsertContacts } from '../upsert-contacts.ts';
import type { ReadRows } from './import-file.ts';
import { rowTopicsByContact, type TopicsByContact } from './row-topics.ts';
import { type ImportFault, maxFaults } from './schema.ts';
import type { ContactImportRow } from './tables.ts';

/** The pseudonyms under which an import remembers an erased person. */
export const erasurePseudonyms = (
  workspaceId: string,
  { externalId, emails }: { readonly externalId: string | null; readonly emails: readonly string[] },
): string[] => [
  ...emails.map((email) => pseudonymOf(workspaceId, normaliseAddress(email))),
  ...(externalId === null ? [] : [pseudonymOf(workspaceId, `external_id:${externalId}`)]),
];

const isErased = (
  workspaceId: string,
  { reference: { email, external_id } }: ContactPatch,
  erased: ReadonlySet<string>,
): boolean =>
  erased.size > 0 &&
  erasurePseudonyms(workspaceId, {
    externalId: external_id ?? null,
    emails: email === undefined ? [] : [email],
  }).some((name) => erased.has(name));

const erasedFault = (line: number): ImportFault => ({
  line,
  code: 'contact_erased',
  message: 'The person was erased after the file was accepted.',
});

export type ImportCounts = Pick<ContactImportRow, 'created' | 'updated' | 'unchanged' | 'rejected' | 'faults'>;

/** The counts of an import before its first row. */
export const noCounts: ImportCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0, faults: [] };

/**
 * Adds the outcomes of some rows to the counts. @param faults the faults of rows that were refused before `rows` were applied, with these
 * outcomes
 */
export function countRows(
  before: ImportCounts,
  faults: readonly ImportFault[],
  rows: ReadRows['valid'],
  outcomes: readonly ContactBatchResult[],
): ImportCounts {
  const refused = outcomes.flatMap((result, index): ImportFault[] =>
    result.outcome === 'rejected' ? [{ line: rows[index]?.line ?? 0, code: result.code, message: result.reason }] : [],
  );
  const allFaults = [...faults, ...refused].toSorted((one, other) => one.line - other.line);
  const countOf = (outcome: ContactBatchResult['outcome']) =>
    outcomes.filter((result) => result.outcome === outcome).length;
  return {
    created: before.created + countOf('created'),
    updated: before.updated + countOf('updated'),
    unchanged: before.unchanged + countOf('unchanged'),
    rejected: before.rejected + allFaults.length,
    faults: [...before.faults, ...allFaults].slice(0, maxFaults),
  };
}

/** An import after some rows. */
export interface ImportedRows {
  readonly counts: ImportCounts;
  /** The contacts of the rows. */
  readonly contactIds: readonly string[];
  readonly topics: TopicsByContact;
}

/** Stores the contacts of some rows. */
export async function importRowsOf(
  ctx: TransactionContext,
  before: Pick<ContactImportRow, 'erased'> & ImportCounts,
  { valid, faults }: ReadRows,
): Promise<ImportedRows> {
  const { workspaceId } = ctx.trx;
  const erased = new Set(before.erased);
  const erasedRows = valid.filter(({ patch }) => isErased(workspaceId, patch, erased));
  const remainingRows = valid.filter((row) => !erasedRows.includes(row));
  const outcomes = await upsertContacts(
    ctx,
    remainingRows.map(({ patch }) => patch),
  );
  return {
    counts: countRows(before, [...faults, ...erasedRows.map(({ line }) => erasedFault(line))], remainingRows, outcomes),
    contactIds: outcomes.flatMap((result) => (result.outcome === 'rejected' ? [] : [result.id])),
    topics: rowTopicsByContact(remainingRows, outcomes),
  };
}
