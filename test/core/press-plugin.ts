// A plugin whose operations return more than JSON: pictures, tables and documents as bytes, a second success status, and versions that
// callers can name. For the tests in this folder. Its posters are rows, and their representations are made from their texts.
import { z } from 'zod';
import type { CallsOf } from '../../core/contract/context/api.ts';
import { defineStatement, type WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { defineMigration } from '../../core/contract/declaration/migration.ts';
import { defineOperation, defineOperationWithPrepare } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { respond } from '../../core/contract/declaration/second-success.ts';
import { coreErrors } from '../../core/contract/errors/core-errors.ts';

interface PosterRow {
  id: string;
  workspace_id: string;
  title: string;
  version: number;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    posters: PosterRow;
  }
}

const insertPoster = defineStatement((db, p: PosterRow) =>
  db.insertInto('posters').values({ id: p.id, workspace_id: p.workspace_id, title: p.title, version: p.version }),
);

const selectPoster = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.selectFrom('posters').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const updatePoster = defineStatement((db, p: PosterRow) =>
  db
    .updateTable('posters')
    .set({ title: p.title, version: p.version })
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
);

async function findPoster(handle: WorkspaceHandle, id: string): Promise<PosterRow> {
  const row = await handle.one(selectPoster, { id });
  if (row === undefined) throw coreErrors.state_conflict({ reason: `There is no poster ${id}.` });
  return { ...row, version: Number(row.version) };
}

const poster = z.object({ id: z.string(), title: z.string(), version: z.int() });
type Poster = z.output<typeof poster>;
const target = ({ id }: { id: string }) => ({ kind: 'poster', id });
const byId = z.object({ id: z.string() });
const present = ({ id, title, version }: PosterRow): Poster => ({ id, title, version });

/** Fake picture bytes for a title: invalid as text, with the given size */
export const picture = (title: string, size = 8): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (title.charCodeAt(at % title.length) * 31 + at * 7) % 256);

const createPoster = defineOperation({
  id: 'posters.create',
  summary: 'Create a poster',
  http: 'POST /v1/posters',
  tool: 'create_poster',
  scopes: ['posters:write'],
  idempotency: 'replay',
  input: { body: z.object({ title: z.string().min(1) }) },
  output: poster,
  status: 201,
  entityTag: ({ version }) => version,
  representations: {
    'text/csv': {
      description: 'The poster as a row.',
      render: ({ output }) => ({ bytes: `title\r\n${output.title}\r\n` }),
    },
  },
  audit: { action: 'poster.create', target },
  fixture: async () => ({ body: { title: 'Open day' } }),
  async handler(ctx, { body }) {
    const row = { id: ctx.newId('pos'), title: body.title, version: 1 };
    await ctx.trx.run(insertPoster, row);
    return row;
  },
});

const readPoster = defineOperation({
  id: 'posters.read',
  summary: 'Read a poster',
  http: 'GET /v1/posters/{id}',
  tool: 'read_poster',
  scopes: ['posters:read'],
  idempotency: 'read',
  input: { params: byId },
  output: poster,
  entityTag: ({ version }) => version,
  representations: {
    'image/svg+xml': {
      description: 'The poster as a drawing.',
      render: ({ output }) => ({ bytes: `<svg><title>${output.title}</title></svg>`, filename: `${output.title}.svg` }),
    },
    'text/csv': {
      description: 'The poster as a row.',
      render: async ({ output }) => ({ bytes: `title,version\r\n${output.title},${output.version}\r\n` }),
    },
  },
  fixture: async () => ({ params: { id: 'pos_1' } }),
  handler: async (ctx, { params }) => present(await findPoster(ctx.trx, params.id)),
});

const changePoster = defineOperation({
  id: 'posters.update',
  summary: 'Change a poster',
  http: 'PATCH /v1/posters/{id}',
  tool: 'update_poster',
  scopes: ['posters:write'],
  idempotency: 'replay',
  input: { params: byId, body: z.object({ title: z.string().min(1), expectedVersion: z.int().optional() }) },
  accepts: ['application/merge-patch+json'],
  output: poster,
  entityTag: ({ version }) => version,
  ifMatch: true,
  audit: { action: 'poster.update', target },
  fixture: async () => ({ params: { id: 'pos_1' }, body: { title: 'Open day' } }),
  async handler(ctx, { params, body }) {
    const row = await findPoster(ctx.trx, params.id);
    ctx.expectVersion(row.version, body.expectedVersion);
    const changedRow = { ...row, title: body.title, version: row.version + 1 };
    await ctx.trx.run(updatePoster, changedRow);
    return present(changedRow);
  },
});

/** An argument selects the representation, as for a QR code. Charges for each print. */
const printPoster = defineOperationWithPrepare({
  id: 'posters.print',
  summary: 'Print a poster',
  http: 'POST /v1/posters/{id}/print',
  tool: 'print_poster',
  scopes: ['posters:read'],
  idempotency: 'replay',
  input: {
    params: byId,
    body: z.object({ format: z.enum(['png', 'png-print', 'pdf', 'outline']), size: z.int().min(1).default(8) }),
  },
  output: z.object({ id: z.string(), bytes: z.int(), dataBase64: z.string().optional() }),
  errors: ['credits_exhausted'],
  audit: { action: 'poster.print', target },
  fixture: async () => ({ params: { id: 'pos_1' }, body: { format: 'png' } }),
  async prepare(ctx, { params, body }) {
    const { title } = await ctx.read(({ trx }) => findPoster(trx, params.id));
    return picture(title, body.size);
  },
  representationArgument: {
    name: 'format',
    types: { png: 'image/png', 'png-print': 'image/png', pdf: 'application/pdf' },
  },
  representations: {
    'image/png': {
      description: 'The printed poster as a picture.',
      render: ({ input }, prepared: Uint8Array) => ({ bytes: prepared, filename: `${input.body.format}.png` }),
    },
    'application/pdf': {
      description: 'The printed poster as a document.',
      render: (_source, prepared: Uint8Array) => ({ bytes: prepared, filename: 'poster.pdf' }),
    },
  },
  async handler(ctx, { params, body }, prepared) {
    await ctx.charge(2, 'a print');
    const isJson = ctx.representation === 'application/json' && body.format !== 'outline';
    const dataBase64 = isJson ? Buffer.from(prepared).toString('base64') : undefined;
    return { id: params.id, bytes: prepared.length, dataBase64 };
  },
});

/** The bytes are in the plugin's own store, and the result refers to them. `reads` is called for each read of them. */
const exportPoster = (shelf: ReadonlyMap<string, Uint8Array>, reads: () => void) =>
  defineOperation({
    id: 'posters.export',
    summary: 'Export a poster',
    http: 'POST /v1/posters/{id}/export',
    tool: 'export_poster',
    scopes: ['posters:read'],
    idempotency: 'replay',
    input: { params: byId },
    output: z.object({ id: z.string(), assetId: z.string() }),
    audit: { action: 'poster.export', target },
    representations: {
      'application/pdf': {
        description: 'The exported document.',
        render: ({ output }) => ({ reference: output.assetId, filename: 'Übersicht "1".pdf' }),
        async read(_context, reference) {
          reads();
          const bytes = shelf.get(reference);
          if (bytes === undefined) throw coreErrors.state_conflict({ reason: 'The document was removed.' });
          return bytes;
        },
      },
    },
    fixture: async () => ({ params: { id: 'pos_1' } }),
    handler: async (_ctx, { params }) => ({ id: params.id, assetId: 'asset_1' }),
  });

/** Publishes at once, or returns a pending approval if the body says that a policy holds the call. */
const publishPoster = defineOperation({
  id: 'posters.publish',
  summary: 'Publish a poster',
  http: 'POST /v1/posters/{id}/publish',
  tool: 'publish_poster',
  scopes: ['posters:write'],
  idempotency: 'replay',
  input: { params: byId, body: z.object({ held: z.boolean().default(false) }) },
  output: z.object({ id: z.string(), published: z.literal(true) }),
  secondSuccess: {
    status: 202,
    output: z.object({ id: z.string(), approval: z.object({ requestId: z.string(), status: z.literal('pending') }) }),
    description: 'A policy holds it: it is published once it is approved.',
    auditAction: 'poster.hold',
  },
  audit: { action: 'poster.publish', target },
  fixture: async () => ({ params: { id: 'pos_1' }, body: {} }),
  async handler(ctx, { params, body }) {
    if (!body.held) return { id: params.id, published: true as const };
    return respond(202, { id: params.id, approval: { requestId: ctx.newId('apr'), status: 'pending' } });
  },
});

/** Declares one success status and returns another. */
const promisePoster = defineOperation({
  id: 'posters.promise',
  summary: 'Answer a success that is not declared',
  http: 'POST /v1/promises',
  scopes: ['posters:write'],
  idempotency: 'replay',
  output: z.object({}),
  audit: { action: 'poster.promise', target: () => ({ kind: 'poster', id: 'none' }) },
  fixture: async () => ({}),
  handler: (async () => respond(202, {})) as never,
});

const operations = (shelf: ReadonlyMap<string, Uint8Array>, reads: () => void) =>
  [
    createPoster,
    readPoster,
    changePoster,
    printPoster,
    exportPoster(shelf, reads),
    publishPoster,
    promisePoster,
  ] as const;

/** The plugin's operations, for typed calls. */
export type PressOperations = ReturnType<typeof operations>;

/** Creates the plugin. `shelf` holds the bytes for exports; `reads` is called for each read of it. */
export const pressPlugin = (shelf: ReadonlyMap<string, Uint8Array> = new Map(), reads: () => void = () => undefined) =>
  definePlugin({
    id: 'press',
    scopes: [
      { scope: 'posters:read', description: 'Read posters.' },
      { scope: 'posters:write', description: 'Change posters.' },
    ],
    operations: operations(shelf, reads),
    tables: { posters: { tenant: true } },
    migrations: [
      defineMigration({
        id: '0001-posters',
        changes: [
          {
            create: 'posters',
            columns: { id: 'id', workspace_id: 'id', title: 'text', version: 'integer' },
            primaryKey: ['workspace_id', 'id'],
          },
        ],
      }),
    ],
  });

declare module '../../core/contract/open.ts' {
  interface Api {
    press: CallsOf<PressOperations>;
  }
}
