// Shared by the routes of one message: finds the message and opens its parts.
import { type PublicRequest, type PublicRouteContext, z } from '../../../core/index.ts';
import { checkInput, type PageAccess, queryOf } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { reachMessage, readBoth } from '../scope.ts';
import { type KeptMail, openPart, readMail } from '../sealed-mail.ts';
import { findPart, listParts } from '../store.ts';
import type { InboxMessageRow } from '../tables.ts';

/** The query parameter of every route about one message. */
export const placeQuery = { workspace: z.string().max(100).optional() };

const plainQuery = z.strictObject(placeQuery);

/** The message that the path names. `query` is the parsed query of a route with more parameters. */
export function messageAt(
  context: PublicRouteContext,
  request: PublicRequest,
  access: PageAccess,
  query: { readonly workspace?: string | undefined } = checkInput(plainQuery, queryOf(request)),
): Promise<InboxMessageRow> {
  return reachMessage(context, access, query.workspace, request.params.id ?? '');
}

/** One opened part. @throws inbox_message_not_found */
export async function partOf(context: PublicRouteContext, row: InboxMessageRow, position: number): Promise<Uint8Array> {
  const part = await readBoth(context, row.workspace_id, (handle) => findPart(handle, row.send_id, position));
  if (part === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
  return openPart(context.ports.keyring, part);
}

/** The message without its attachments. */
export const mailOf = async (context: PublicRouteContext, row: InboxMessageRow): Promise<KeptMail> =>
  readMail(await partOf(context, row, 0));

/** The message and the bytes of its attachments, in their order. */
export async function wholeMailOf(
  context: PublicRouteContext,
  row: InboxMessageRow,
): Promise<{ readonly mail: KeptMail; readonly contents: readonly Uint8Array[] }> {
  const parts = await readBoth(context, row.workspace_id, (handle) => listParts(handle, row.send_id));
  const [first, ...contents] = parts.map((part) => openPart(context.ports.keyring, part));
  if (first === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
  return { mail: readMail(first), contents };
}
