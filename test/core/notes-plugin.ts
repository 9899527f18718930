// A small plugin with one operation of every form that the projections must handle. It stores no rows, because these tests look at the
// rows that the pipeline writes.
import { z } from 'zod';
import { defineEvent } from '../../core/contract/declaration/events.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { defineErrors, errorDefinitions } from '../../core/contract/errors/errors.ts';
import { listOf, pageQuery } from '../../core/contract/schemas/fields.ts';

const errors = defineErrors({
  note_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'No note has this key.',
    message: (details: { key: string }) => `There is no note ${details.key}.`,
  },
});

const note = z
  .object({
    key: z.string().describe('Its handle.'),
    title: z.string(),
    stars: z.number().int().default(0),
    tags: z.array(z.string()).default([]),
  })
  .meta({ id: 'Note', description: 'A note.' });

const label = z
  .object({ text: z.string().max(40), colour: z.enum(['red', 'blue']).default('red') })
  .meta({ id: 'Label' });

export const listNotes = defineOperation({
  id: 'notes.list',
  summary: 'List notes',
  http: 'GET /v1/notes',
  tool: 'list_notes',
  scopes: ['notes:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      archived: z.stringbool().default(false).describe('Archived ones, too.'),
      pinned: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
      tags: z
        .string()
        .transform((text) => text.split(','))
        .optional(),
      kind: z.union([z.string(), z.array(z.string())]).optional(),
      since: z.iso
        .datetime({ offset: true })
        .transform((text) => Date.parse(text))
        .optional(),
    }),
  },
  output: listOf(note),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  handler: async (_ctx, { query }) => ({
    data: [{ key: 'n1', title: JSON.stringify(query), stars: query.limit, tags: query.tags ?? [] }],
    next_cursor: null,
  }),
});

export const readNote = defineOperation({
  id: 'notes.read',
  summary: 'Read a note',
  description: 'With its tags.',
  http: 'GET /v1/notes/{key}',
  tool: 'read_note',
  scopes: ['notes:read'],
  idempotency: 'read',
  input: { params: z.object({ key: z.string().min(1).max(20).describe('The key of the note.') }) },
  output: note,
  errors: ['note_not_found'],
  fixture: async () => ({ params: { key: 'n1' } }),
  handler: async (_ctx, { params }) => {
    if (params.key.startsWith('missing')) throw errors.note_not_found({ key: params.key });
    return { key: params.key, title: 'A note', stars: 1, tags: [] };
  },
});

export const createNote = defineOperation({
  id: 'notes.create',
  summary: 'Create a note',
  http: 'POST /v1/notes',
  tool: 'create_note',
  scopes: ['notes:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      title: z.string().min(1).max(100),
      stars: z.number().int().min(0).max(5).optional(),
      labels: z.array(label).optional(),
      extra: z.record(z.string(), z.unknown()).optional(),
    }),
  },
  output: z.object({ note, label: label.nullable() }),
  status: 201,
  audit: { action: 'note.create', target: ({ note: created }) => ({ kind: 'note', id: created.key }) },
  idempotencyKeyRequiredFromTier: 3,
  fixture: async () => ({ body: { title: 'A note' } }),
  handler: async (ctx, { body }) => {
    const key = ctx.newId('note');
    return { note: { key, title: body.title, stars: body.stars ?? 0 }, label: null };
  },
});

export const shareNote = defineOperation({
  id: 'notes.share',
  summary: 'Share a note',
  http: 'POST /v1/notes/{key}/share',
  tool: {
    name: 'share_note',
    openWorld: true,
    workspaceSchema: async (context, schema, { compact }) => {
      const { properties } = schema as { properties: Record<string, Record<string, unknown>> };
      return compact
        ? schema
        : {
            ...schema,
            properties: { ...properties, note: { ...properties.note, enum: [`of ${context.workspace.name}`] } },
          };
    },
  },
  scopes: ['notes:share', 'notes:write'],
  idempotency: 'replay',
  rename: { key: 'note' },
  input: {
    params: z.object({ key: z.string().min(1).max(20).describe('The key of the note.') }),
    query: z.object({ silent: z.stringbool().optional() }),
    body: z.object({ note: z.string().optional(), to: z.email(), message: z.string().optional() }),
  },
  output: z.object({ shared: z.string(), to: z.string(), body: z.string() }),
  status: 202,
  errors: ['note_not_found'],
  audit: { action: 'note.share', target: (_output, { params }) => ({ kind: 'note', id: params.key }) },
  fixture: async () => ({ params: { key: 'n1' }, body: { to: 'ada@example.com' } }),
  handler: async (ctx, { params, body }) => {
    if (params.key.startsWith('missing')) throw errors.note_not_found({ key: params.key });
    if (params.key === 'broken') throw new Error('a secret cause');
    await ctx.charge(2, 'share');
    ctx.note({ key_kind: 'plain' });
    return { shared: params.key, to: body.to, body: JSON.stringify(body) };
  },
});

export const archiveNote = defineOperation({
  id: 'archive.note',
  summary: 'Archive a note',
  http: 'DELETE /v1/notes/{key}',
  tool: { name: 'archive_note', destructive: true },
  scopes: ['notes:write'],
  idempotency: 'natural',
  input: { params: z.object({ key: z.string().min(1).max(20) }) },
  output: z.discriminatedUnion('state', [
    z.object({ state: z.literal('archived'), key: z.string() }),
    z.object({ state: z.literal('gone'), key: z.string() }),
  ]),
  deprecated: { since: '2026-01-01', sunset: '2026-12-01', link: 'https://example.com/notice' },
  audit: { action: 'note.archive', target: ({ key }) => ({ kind: 'note', id: key }) },
  fixture: async () => ({ params: { key: 'n1' } }),
  handler: async (_ctx, { params }) => ({ state: 'archived' as const, key: params.key }),
});

export const noteShared = defineEvent({
  type: 'note.shared',
  description: 'A note was shared.',
  data: z.object({ note }),
  example: { note: { key: 'n1', title: 'A note', stars: 2, tags: [] } },
});

const operations = [listNotes, readNote, createNote, shareNote, archiveNote] as const;

export const notesPlugin = () =>
  definePlugin({
    id: 'notes',
    scopes: [
      { scope: 'notes:read', description: 'Read notes.' },
      { scope: 'notes:write', description: 'Write notes.' },
      { scope: 'notes:share', description: 'Share notes.' },
    ],
    operations,
    events: [noteShared],
    errors: errorDefinitions(errors),
  });
