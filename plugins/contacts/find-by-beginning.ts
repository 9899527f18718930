// Finds contacts by the beginning of their address or external id, with an index. If none begins with the text and the side has few contacts,
// finds contacts that contain the text elsewhere. Reads a bounded number of rows, however many contacts there are.
import { containsAnyCase, type WorkspaceHandle } from '../../core/index.ts';
import type { FilterPage } from './filters.ts';

/** The maximum number of matches for an address, and for an external id. */
const maxMatches = 1_000;
/** The maximum number of contacts for which texts are also searched in the middle. */
const maxSearched = 10_000;
/** The greatest character. Every text with a beginning sorts before this beginning followed by this character. */
const lastCharacter = '\u{10ffff}';

interface Match {
  readonly id: string;
  readonly created_at: number;
}

const begins = ({ db }: WorkspaceHandle, column: 'email' | 'external_id', text: string): Promise<Match[]> =>
  db
    .selectFrom('contacts')
    .select(['id', 'created_at'])
    .where(column, '>=', text)
    .where(column, '<', text + lastCharacter)
    .orderBy(column)
    .limit(maxMatches)
    .execute();

async function contains({ db }: WorkspaceHandle, text: string): Promise<Match[]> {
  const firstContacts = await db
    .selectFrom('contacts')
    .select('id')
    .limit(maxSearched + 1)
    .execute();
  if (firstContacts.length > maxSearched) return [];
  return db
    .selectFrom('contacts')
    .select(['id', 'created_at'])
    .where((columns) =>
      columns.or([containsAnyCase(columns.ref('email'), text), containsAnyCase(columns.ref('external_id'), text)]),
    )
    .orderBy('created_at', 'desc')
    .limit(maxMatches)
    .execute();
}

const isAfter = ({ id, created_at: at }: Match, { createdAt, id: last }: NonNullable<FilterPage['after']>): boolean =>
  Number(at) < createdAt || (Number(at) === createdAt && id < last);

/** A page of the ids of the matching contacts, newest first. */
export async function findByBeginning(
  handle: WorkspaceHandle,
  text: string,
  { after, limit }: FilterPage,
): Promise<string[]> {
  const byBeginning = [
    ...(await begins(handle, 'email', text.toLowerCase())),
    ...(await begins(handle, 'external_id', text)),
  ];
  const matches = new Map(
    (byBeginning.length > 0 ? byBeginning : await contains(handle, text)).map((match) => [match.id, match]),
  );
  return [...matches.values()]
    .filter((match) => after === undefined || isAfter(match, after))
    .sort((one, other) => Number(other.created_at) - Number(one.created_at) || (one.id < other.id ? 1 : -1))
    .slice(0, limit)
    .map(({ id }) => id);
}
