// A small plugin that is made with the resource kit, for its tests: cards with columns of every kind, and piles.
import {
  column,
  defineDelete,
  defineErrors,
  defineList,
  defineMigration,
  defineOperation,
  definePlugin,
  defineRead,
  defineScopes,
  defineTable,
  errorDefinitions,
  type FixtureKit,
  isoTime,
  presenter,
  type RowOf,
  type StoredRow,
  tenantRows,
  timestamps,
  z,
} from '../../core/index.ts';

export const cards = defineTable(
  'cards',
  {
    id: column.id('crd'),
    suit: column.word('hearts', 'spades'),
    slug: column.key(),
    words: column.json<string[]>(),
    value: column.integer().nullable(),
    hidden: column.flag(),
    seal: column.bytes().nullable(),
    shown_at: column.time().nullable(),
    ...timestamps,
  },
  { sides: true },
);
export type ExampleCardRow = RowOf<typeof cards>;
export const rows = tenantRows(cards);

/** Piles are ordered by another time column, and have another key column and rows that both sides share. */
export const piles = defineTable('piles', { slug: column.key(), taken_at: column.time() }, { key: 'slug' });
export const pileRows = tenantRows(piles, { time: 'taken_at' });

declare module '../../core/contract/open.ts' {
  interface Tables {
    cards: StoredRow<typeof cards>;
    piles: StoredRow<typeof piles>;
  }
}

export const cardColumns = {
  id: 'id',
  workspace_id: 'id',
  sandbox: 'flag',
  suit: 'id',
  slug: 'key',
  words: 'json',
  value: 'integer?',
  hidden: 'flag',
  seal: 'bytes?',
  shown_at: 'time?',
  created_at: 'time',
  updated_at: 'time',
} as const;

export const migration = defineMigration({
  id: '0001-cards',
  changes: [
    { create: 'cards', columns: cardColumns, primaryKey: ['id'] },
    { index: 'cards_slug', on: 'cards', columns: ['workspace_id', 'sandbox', 'slug'], unique: true },
    { index: 'cards_list', on: 'cards', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    {
      create: 'piles',
      columns: { workspace_id: 'id', slug: 'key', taken_at: 'time' },
      primaryKey: ['workspace_id', 'slug'],
    },
  ],
});

const errors = defineErrors({
  card_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'There is no such card.',
    message: ({ id }: { id: string }) => `There is no card ${id}.`,
  },
  card_hidden: {
    status: 409,
    type: 'conflict_error',
    description: 'The card is hidden.',
    message: () => 'Turn the card first.',
  },
});

export const cardResource = z
  .object({
    id: z.string(),
    suit: z.enum(['hearts', 'spades']),
    words: z.array(z.string()),
    hidden: z.boolean(),
    shownAt: isoTime.nullable(),
    created_at: isoTime,
    length: z.int(),
  })
  .meta({ id: 'Card' });
const present = presenter(cards, cardResource, { length: ({ words }) => words.length });

/** A whole row, in which `overrides` replaces fields */
export const card = (id: string, overrides: Partial<ExampleCardRow> = {}): ExampleCardRow => ({
  id,
  suit: 'hearts',
  slug: id,
  words: [],
  value: null,
  hidden: false,
  seal: null,
  shown_at: null,
  created_at: 1000,
  updated_at: 1000,
  ...overrides,
});

const someCard = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  String((await kit.call('cards.create', { slug: kit.unique('card') }, workspaceId))['id']);

const commonFields = { rows, item: cardResource, present, exampleRow: someCard } as const;
const createCard = defineOperation({
  id: 'cards.create',
  summary: 'Create a card',
  http: 'POST /v1/cards',
  scopes: ['cards:write'],
  idempotency: 'replay',
  input: { body: z.object({ slug: z.string(), hidden: z.boolean().default(false), value: z.int().default(0) }) },
  output: cardResource,
  status: 201,
  audit: { action: 'card.create', target: ({ id }) => ({ kind: 'card', id }) },
  fixture: async (kit) => ({ body: { slug: kit.unique('card') } }),
  handler: async (ctx, { body }) =>
    present(
      await rows.insert(
        ctx.trx,
        card(ctx.newId('crd'), { ...body, words: [body.slug], created_at: ctx.now, updated_at: ctx.now }),
      ),
    ),
});
const listCards = defineList({
  ...commonFields,
  id: 'cards.list',
  summary: 'List cards',
  http: 'GET /v1/cards',
  scopes: ['cards:read'],
  filters: {
    suit: z.enum(['hearts', 'spades']).optional(),
    hidden: z.stringbool().optional(),
    above: z.coerce.number().optional(),
  },
  customFilters: ['above'],
  conditions:
    ({ above }) =>
    (columns) =>
      above === undefined ? [] : [columns('value', '>', above)],
  representations: {
    'text/csv': {
      description: 'The page as a table.',
      render: ({ output }) => ({ bytes: ['id', ...output.data.map(({ id }) => id)].join('\n') }),
    },
  },
});
const readCard = defineRead({
  ...commonFields,
  id: 'cards.read',
  summary: 'Read a card',
  http: 'GET /v1/cards/{card}',
  scopes: ['cards:read'],
  notFoundError: errors.card_not_found,
  entityTag: ({ id }) => id,
  representations: {
    'text/plain': { description: 'Its words.', render: ({ output }) => ({ bytes: output.words.join() }) },
  },
});
const deleteCard = defineDelete({
  ...commonFields,
  id: 'cards.delete',
  summary: 'Delete a card',
  http: 'DELETE /v1/cards/{card}',
  scopes: ['cards:write'],
  notFoundError: errors.card_not_found,
  errors: ['card_hidden'],
  errorCases: {
    card_hidden: async (kit) => {
      const { id } = await kit.call('cards.create', { slug: kit.unique('card'), hidden: true });
      return { params: { card: String(id) } };
    },
  },
  audit: { action: 'card.delete', kind: 'card' },
  before: async (_ctx, { hidden }) => {
    if (hidden) throw errors.card_hidden();
  },
});

export const operations = [listCards, readCard, createCard, deleteCard] as const;

/** Compose this plugin alone. */
export const cardsPlugin = () =>
  definePlugin({
    id: 'cards',
    scopes: defineScopes([
      { scope: 'cards:read', description: 'See cards.' },
      { scope: 'cards:write', description: 'Change cards.' },
    ]),
    operations,
    errors: errorDefinitions(errors),
    tables: { cards, piles },
    migrations: [migration],
  });
