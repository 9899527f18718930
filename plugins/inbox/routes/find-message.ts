// Shared by the routes of one message: finds the message and opens its parts.
import { type PublicRequest, type PublicRouteContext, z } from '../../../core/index.ts';
import { checkInput, type PageAccess, queryOf } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { openPart, readMail, type StoredMail } from '../sealed-mail.ts';
import { findPart, listParts } from '../store.ts';
import type { InboxMessageRow } from '../tables.ts';
import { findVisibleMessage, readBoth } from '../visible-workspaces.ts';

/** The query parameter of every route about one message. */
export const workspaceQuery = { workspace: z.string().max(100).optional() };

const plainQuery = z.strictObject(workspaceQuery);

/** The message that the path names. `query` is the parsed query of a route with more parameters. */
export function messageAt(
  ctx: PublicRouteContext,
  request: PublicRequest,
  access: PageAccess,
  query: { readonly workspace?: string | undefined } = checkInput(plainQuery, queryOf(request)),
): Promise<InboxMessageRow> {
  return findVisibleMessage(ctx, access, query.workspace, request.params.id ?? '');
}

/** One opened part. @throws inbox_message_not_found */
export async function partOf(ctx: PublicRouteContext, row: InboxMessageRow, position: number): Promise<Uint8Array> {
  const part = await readBoth(ctx, row.workspace_id, (handle) => findPart(handle, row.send_id, position));
  if (part === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
  return openPart(ctx.ports.keyring, part);
}

/** The message without its attachments. */
export const mailOf = async (ctx: PublicRouteContext, row: InboxMessageRow): Promise<StoredMail> =>
  readMail(await partOf(ctx, row, 0));

/** The message and the bytes of its attachments, in their order. */
export async function wholeMailOf(
  ctx: PublicRouteContext,
  row: InboxMessageRow,
): Promise<{ readonly mail: StoredMail; readonly contents: readonly Uint8Array[] }> {
  const parts = await readBoth(ctx, row.workspace_id, (handle) => listParts(handle, row.send_id));
  const [first, ...contents] = parts.map((part) => openPart(ctx.ports.keyring, part));
  if (first === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
  return { mail: readMail(first), contents };
}
