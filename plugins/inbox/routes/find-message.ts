// Shared by the routes of one message: finds the message and opens its parts.
import { type PublicRequest, type PublicRouteContext, z } from '../../../core/index.ts';
import { checkInput, type PageVisitor, queryOf } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { openPart, readMail, type StoredMail } from '../sealed-mail.ts';
import { findPart, listParts } from '../store.ts';
import { findVisibleMessage, readVisible, type VisibleMessage } from '../visible-workspaces.ts';

/** The query parameter of every route about one message. */
export const workspaceQuery = { workspace: z.string().max(100).optional() };

const plainQuery = z.strictObject(workspaceQuery);

/** The message that the path names. `query` is the parsed query of a route with more parameters. */
export function messageAt(
  ctx: PublicRouteContext,
  request: PublicRequest,
  visitor: PageVisitor,
  query: { readonly workspace?: string | undefined } = checkInput(plainQuery, queryOf(request)),
): Promise<VisibleMessage> {
  return findVisibleMessage(ctx, visitor, query.workspace, request.params.id ?? '');
}

/** One opened part. @throws inbox_message_not_found */
export async function partOf(
  ctx: PublicRouteContext,
  { visible, row }: VisibleMessage,
  position: number,
): Promise<Uint8Array> {
  const part = await readVisible(ctx, visible, (handle) => findPart(handle, row.send_id, position));
  if (part === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
  return openPart(ctx.ports.keyring, part);
}

/** The message without its attachments. */
export const mailOf = async (ctx: PublicRouteContext, message: VisibleMessage): Promise<StoredMail> =>
  readMail(await partOf(ctx, message, 0));

/** The message and the bytes of its attachments, in their order. */
export async function wholeMailOf(
  ctx: PublicRouteContext,
  { visible, row }: VisibleMessage,
): Promise<{ readonly mail: StoredMail; readonly contents: readonly Uint8Array[] }> {
  const parts = await readVisible(ctx, visible, (handle) => listParts(handle, row.send_id));
  const [first, ...contents] = parts.map((part) => openPart(ctx.ports.keyring, part));
  if (first === undefined) throw errors.inbox_message_not_found({ id: row.send_id });
  return { mail: readMail(first), contents };
}
