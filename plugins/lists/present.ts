// Lists and members as the API shows them.
import {
  type OperationContext,
  presenter,
  type ServiceContext,
  toIsoTime,
  toIsoTimeOrNull,
  type Workspace,
} from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import type { ContactNames } from '../contacts/index.ts';
import { type ListResource, listResourceObject } from './schema.ts';
import { type CountsRow, countRows, type ListRow, lists, type MemberRow, type TrappedFormRow } from './tables.ts';

const presentColumns = presenter(
  lists,
  listResourceObject.omit({
    subscribeUrl: true,
    contactCount: true,
    unconfirmedCount: true,
    createdAt: true,
    updatedAt: true,
  }),
  { listId: ({ id }) => id },
);

/** The subscribe form of a public list; null where visitors cannot reach it. */
const subscribeUrlOf = ({ ports }: ServiceContext, workspace: Workspace, { id, visibility }: ListRow): string | null =>
  visibility === 'public' ? (contentUrl(ports.service, workspace, `/lists/${id}`) ?? null) : null;

/** A list with its counts on the caller's side. */
export const presentList = (ctx: OperationContext, row: ListRow, counts: CountsRow | undefined): ListResource => ({
  ...presentColumns(row),
  subscribeUrl: subscribeUrlOf(ctx, ctx.workspace, row),
  contactCount: counts?.confirmed ?? 0,
  unconfirmedCount: counts?.unconfirmed ?? 0,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
});

/** Reads the counts of one list and presents it. */
export const showList = async (ctx: OperationContext, row: ListRow): Promise<ListResource> =>
  presentList(ctx, row, await countRows.find(ctx.trx, row.id));

/** A member; `contact` is undefined for one that is being erased. */
export const presentMember = (row: MemberRow, contact: ContactNames | undefined) => ({
  contactId: row.contact_id,
  email: contact?.email ?? null,
  external_id: contact?.external_id ?? null,
  status: row.status,
  source: row.source,
  addedAt: toIsoTime(row.added_at),
  confirmedAt: toIsoTimeOrNull(row.confirmed_at),
});

/** A form that the trap dropped. */
export const presentTrapped = ({ id, email, fields, created_at: at }: TrappedFormRow) => ({
  id,
  email,
  fields: { ...fields },
  at: toIsoTime(at),
});
