// The bytes of stored answers: few bytes are stored in the row of the idempotency record, more bytes in separate rows of
// pieces, so that rows and statements stay small. Both are deleted with the record. Called by idempotency.ts, and by the erasure of
// a person.
import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { StoredBytesRow } from '../storage/core-tables.ts';
import type { ResponseBytes } from './representations.ts';

/** Up to this many bytes are stored in the record itself. */
const maxInRow = 65_536;
/** A piece fits into one packet of every database. */
const pieceSize = 262_144;

/** The column `representation` of the record, as JSON. */
interface StoredRepresentation {
  readonly type: string;
  readonly filename?: string;
  /** A reference into the operation's own store. */
  readonly reference?: string;
  /** The id of the pieces in `stored_bytes`. */
  readonly pieces?: string;
}

/** The columns of a record that describe its bytes. */
export interface BytesColumns {
  readonly representation: string | null;
  readonly bytes: Uint8Array | null;
}

const insertPiece = defineStatement((db, p: StoredBytesRow) =>
  db.insertInto('stored_bytes').values({
    workspace_id: p.workspace_id,
    id: p.id,
    position: p.position,
    content: p.content,
    expires_at: p.expires_at,
  }),
);

const findPieces = defineStatement((db, p: { id: string }) =>
  db.selectFrom('stored_bytes').select('content').where('id', '=', p.id).orderBy('position'),
);

/** Stores bytes that do not fit into the record. Returns the record's columns. */
export async function storeBytes(
  handle: WorkspaceHandle,
  response: ResponseBytes | undefined,
  { newId, expiresAt }: { readonly newId: (prefix: string) => string; readonly expiresAt: number },
): Promise<BytesColumns> {
  if (response === undefined) return { representation: null, bytes: null };
  const { type, filename } = response;
  const columns = (additional: Partial<StoredRepresentation>, bytes: Uint8Array | null): BytesColumns => ({
    representation: JSON.stringify({ type, filename, ...additional } satisfies Partial<Record<string, unknown>>),
    bytes,
  });
  if ('reference' in response) return columns({ reference: response.reference }, null);
  const { bytes } = response;
  if (bytes.length <= maxInRow) return columns({}, bytes);
  const id = newId('byt');
  for (let position = 0, start = 0; start < bytes.length; position += 1, start += pieceSize) {
    const content = bytes.subarray(start, start + pieceSize);
    await handle.run(insertPiece, { id, position, content, expires_at: expiresAt });
  }
  return columns({ pieces: id }, null);
}

/** The bytes of a record; undefined if its answer is JSON. */
export async function findBytes(
  handle: WorkspaceHandle,
  { representation, bytes }: BytesColumns,
): Promise<ResponseBytes | undefined> {
  if (representation === null) return undefined;
  const { type, filename, reference, pieces } = JSON.parse(representation) as StoredRepresentation;
  if (reference !== undefined) return { type, filename, reference };
  if (pieces === undefined) return { type, filename, bytes: Buffer.from(bytes ?? []) };
  const rows = await handle.all(findPieces, { id: pieces });
  return { type, filename, bytes: Buffer.concat(rows.map(({ content }) => content)) };
}

/** Media types whose bytes are plain text. */
const textTypes = /^text\/|[/+](json|xml|csv)$/;

/**
 * The text of a record's bytes. Undefined for pictures and documents, because their text cannot be searched. Empty if the
 * record has no bytes, or refers to the operation's own store: that store's table declares its personal data.
 */
export async function searchableBytes(handle: WorkspaceHandle, columns: BytesColumns): Promise<string | undefined> {
  const response = await findBytes(handle, columns);
  if (response === undefined || 'reference' in response) return '';
  return textTypes.test(response.type) ? response.bytes.toString('utf8') : undefined;
}

const removePieces = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.deleteFrom('stored_bytes').where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

/** Removes the pieces of a record's bytes. */
export async function removeStoredPieces(handle: WorkspaceHandle, representation: string): Promise<void> {
  const { pieces } = JSON.parse(representation) as StoredRepresentation;
  if (pieces !== undefined) await handle.run(removePieces, { id: pieces });
}
