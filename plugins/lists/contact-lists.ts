// The contact lists themselves. Both sides of a workspace share them. Their members and counts belong to one side.
import { defineResource, field, type RowOf, type StoredRow, type WorkspaceContext, z } from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { optin, visibility } from './schema.ts';
import { countRows } from './tables.ts';

/** The URL of a public list's subscribe form; null if visitors cannot reach it. */
const subscribeUrlOf = (ctx: WorkspaceContext, list: { readonly id: string; readonly visibility: string }) =>
  list.visibility === 'public' ? (contentUrl(ctx.ports.service, ctx.workspace, `/lists/${list.id}`) ?? null) : null;

export const contactLists = defineResource('lists', {
  title: 'ContactList',
  name: 'list',
  scopes: { read: 'lists:read', write: 'lists:write' },
  notFoundError: errors.list_not_found,
  takenError: ({ value, id }) => errors.list_name_taken({ name: value, id }),
  example: {
    operation: 'lists.create',
    body: (kit) => ({
      name: kit.unique('Product news'),
      description: 'What is new, once a month.',
      optin: 'double',
    }),
  },
  fields: {
    listId: field.ownId('lst'),
    name: field.key(z.string().trim().min(1).max(200).describe('Unique in the workspace.')).shown(z.string()).unique(),
    description: field
      .text(z.string().max(2_000).describe('Shown on the public pages of the list.'))
      .shown(z.string())
      .default(''),
    optin: field.word(optin).default('single'),
    visibility: field.word(visibility).default('private'),
    subscribeUrl: field.computed(
      z
        .string()
        .nullable()
        .describe(
          'The subscribe form of a public list; null for a private one, and where the service has no public address.',
        ),
    ),
    contactCount: field.computed(z.int().describe("Confirmed members on the caller's side.")),
    unconfirmedCount: field.computed(z.int().describe('Members that have not confirmed yet.')),
    createdAt: field.createdAt(),
    updatedAt: field.updatedAt(),
  },
  async computed(ctx, rows) {
    const ids = rows.map(({ id }) => id);
    const counts = new Map((await countRows.findIn(ctx.trx, 'list_id', ids)).map((row) => [row.list_id, row]));
    return (row) => ({
      subscribeUrl: subscribeUrlOf(ctx, row),
      contactCount: counts.get(row.id)?.confirmed ?? 0,
      unconfirmedCount: counts.get(row.id)?.unconfirmed ?? 0,
    });
  },
});

export interface ListRow extends RowOf<typeof contactLists.table> {}
export const listRows = contactLists.rows;

declare module '../../core/contract/open.ts' {
  interface Tables {
    lists: StoredRow<typeof contactLists.table>;
  }
}
