// A small plugin whose rows move through declared states. For the tests of core/contract/declaration/states.ts.
import { z } from 'zod';
import type { CallsOf } from '../../core/contract/context/api.ts';
import { defineMigration } from '../../core/contract/declaration/migration.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { defineStates } from '../../core/contract/declaration/states.ts';
import { defineErrors, errorDefinitions } from '../../core/contract/errors/errors.ts';
import { column } from '../../core/resources/columns.ts';
import { tenantRows } from '../../core/resources/rows.ts';
import { stateRows } from '../../core/resources/state-rows.ts';
import { defineTable, type StoredRow } from '../../core/resources/table.ts';

export const postStates = defineStates({
  draft: ['ready'],
  ready: ['scheduled', 'deleted'],
  scheduled: ['ready', 'published'],
  published: ['deleted'],
  deleted: [],
});

const posts = defineTable('posts', {
  id: column.id('soc'),
  state: column.word(...postStates.states),
  scheduled_at: column.time().nullable(),
});
const rows = tenantRows(posts);

declare module '../../core/contract/open.ts' {
  interface Tables {
    posts: StoredRow<typeof posts>;
  }
  interface Api {
    posts: CallsOf<typeof operations>;
  }
}

const errors = defineErrors({
  post_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'No post has this id.',
    message: (details: { id: string }) => `There is no post ${details.id}.`,
  },
});

const post = z.object({ id: z.string(), state: z.enum(['draft', 'ready', 'scheduled', 'published', 'deleted']) });
const commonFields = {
  scopes: ['posts:write'],
  idempotency: 'natural',
  output: post,
  audit: { action: 'post.change', target: ({ id }: { id: string }) => ({ kind: 'post', id }) },
} as const;

const operations = [
  defineOperation({
    ...commonFields,
    id: 'posts.create',
    summary: 'Create a post',
    http: 'POST /v1/posts',
    fixture: async () => ({}),
    async handler(ctx) {
      return rows.insert(ctx.trx, { id: ctx.newId('soc'), state: 'draft', scheduled_at: null });
    },
  }),
  defineOperation({
    ...commonFields,
    id: 'posts.move',
    summary: 'Move a post',
    http: 'POST /v1/posts/{id}/move',
    input: {
      params: z.object({ id: z.string() }),
      body: z.object({ to: post.shape.state, from: post.shape.state.optional(), at: z.int().optional() }),
    },
    errors: ['post_not_found', 'state_conflict'],
    fixture: async () => ({ params: { id: 'soc_1' }, body: { to: 'ready' } }),
    async handler(ctx, { params: { id }, body: { to, from, at } }) {
      await postStates.move(stateRows(rows, ctx.trx), {
        id,
        to,
        ...(from === undefined ? {} : { from }),
        ...(at === undefined ? {} : { set: { scheduled_at: at } }),
        notFoundError: () => errors.post_not_found({ id }),
      });
      return { id, state: to };
    },
  }),
] as const;

export const postsPlugin = () =>
  definePlugin({
    id: 'posts',
    scopes: [{ scope: 'posts:write', description: 'Write posts.' }],
    operations,
    errors: errorDefinitions(errors),
    tables: { posts },
    migrations: [
      defineMigration({
        id: '0001-posts',
        changes: [
          {
            create: 'posts',
            columns: { id: 'id', workspace_id: 'id', state: 'id', scheduled_at: 'time?' },
            primaryKey: ['id'],
          },
        ],
      }),
    ],
  });
