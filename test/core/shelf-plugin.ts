// A plugin with resources and prompts of every form that the MCP endpoint must handle: long lists, keys that a URI must encode, two
// areas, separate scopes, prompts with and without arguments. Used by the tests of the MCP endpoint.
import { z } from 'zod';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import type { PromptDeclaration, ResourceDeclaration } from '../../core/contract/declaration/resource.ts';
import { defineErrors, errorDefinitions } from '../../core/contract/errors/errors.ts';
import { listOf, pageQuery } from '../../core/contract/schemas/fields.ts';
import { decodeCursor, toPage } from '../../core/storage/cursor.ts';

const errors = defineErrors({
  book_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'No book has this key.',
    message: (details: { key: string }) => `There is no book ${details.key}.`,
  },
});

const book = z.object({ key: z.string(), title: z.string(), author: z.string() });
const roomSchema = z.object({ id: z.string(), name: z.string().nullable() });

/** 119 plain books, and a book whose key needs encoding. */
const books = [
  { key: 'ä b/c?', title: 'On odd keys', author: 'Ada' },
  ...Array.from({ length: 119 }, (_, at) => ({ key: `book-${at}`, title: `Volume ${at}`, author: `Author ${at % 7}` })),
];
const rooms = [
  { id: 'attic', name: null },
  { id: 'cellar', name: 'The cellar' },
];

const listBooks = defineOperation({
  id: 'books.list',
  summary: 'List books',
  http: 'GET /v1/books',
  tool: 'list_books',
  scopes: ['books:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(book),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  async handler(_ctx, { query }) {
    const after = decodeCursor('books', query.cursor);
    const from = after === undefined ? 0 : after.createdAt + 1;
    const rows = books.slice(from, from + query.limit + 1).map((row, at) => ({ ...row, at: from + at }));
    return toPage(
      'books',
      rows,
      query.limit,
      ({ at, key }) => ({ createdAt: at, id: key }),
      ({ at: _, ...row }) => row,
    );
  },
});

const readBook = defineOperation({
  id: 'books.read',
  summary: 'Read a book',
  http: 'GET /v1/books/{key}',
  tool: 'read_book',
  scopes: ['books:read'],
  idempotency: 'read',
  input: { params: z.object({ key: z.string().min(1).max(40) }) },
  output: book,
  errors: ['book_not_found'],
  fixture: async () => ({ params: { key: 'book-1' } }),
  async handler(_ctx, { params }) {
    if (params.key === 'burnt') throw new Error('a secret cause');
    const foundBook = books.find(({ key }) => key === params.key);
    if (foundBook === undefined) throw errors.book_not_found({ key: params.key });
    return foundBook;
  },
});

const lendBook = defineOperation({
  id: 'books.lend',
  summary: 'Lend a book',
  http: 'POST /v1/books/{key}/lend',
  tool: 'lend_book',
  scopes: ['books:lend'],
  idempotency: 'replay',
  input: { params: z.object({ key: z.string() }), body: z.object({ to: z.string() }) },
  output: z.object({ key: z.string(), to: z.string() }),
  audit: { action: 'book.lend', target: ({ key }) => ({ kind: 'book', id: key }) },
  fixture: async () => ({ params: { key: 'book-1' }, body: { to: 'Ada' } }),
  handler: async (_ctx, { params, body }) => ({ key: params.key, to: body.to }),
});

const listRooms = defineOperation({
  id: 'rooms.list',
  summary: 'List rooms',
  http: 'GET /v1/rooms',
  tool: 'list_rooms',
  scopes: ['rooms:read'],
  idempotency: 'read',
  output: z.object({ data: z.array(roomSchema) }),
  fixture: async () => ({}),
  handler: async () => ({ data: rooms }),
});

const readRoom = defineOperation({
  id: 'rooms.read',
  summary: 'Read a room',
  http: 'GET /v1/rooms/{id}',
  tool: 'read_room',
  scopes: ['rooms:read'],
  idempotency: 'read',
  input: { params: z.object({ id: z.enum(['attic', 'cellar']) }) },
  output: roomSchema,
  fixture: async () => ({ params: { id: 'attic' } }),
  handler: async (_ctx, { params }) => ({ id: params.id, name: null }),
});

const readOpening = defineOperation({
  id: 'rooms.opening',
  summary: 'Read the opening hours',
  http: 'GET /v1/opening',
  tool: 'read_opening_hours',
  scopes: [],
  anyKey: true,
  idempotency: 'read',
  output: z.object({ from: z.string(), to: z.string() }),
  fixture: async () => ({}),
  handler: async () => ({ from: '09:00', to: '17:00' }),
});

const bookResource: ResourceDeclaration = {
  uri: 'postrider://books/{key}',
  name: 'book',
  title: 'Book',
  description: 'A book on the shelf.',
  operation: 'books.read',
  list: 'books.list',
};

const roomResources: readonly ResourceDeclaration[] = [
  {
    uri: 'postrider://rooms/{id}',
    name: 'room',
    title: 'Room',
    description: 'A room of the library.',
    operation: 'rooms.read',
    list: 'rooms.list',
  },
  {
    uri: 'postrider://opening',
    name: 'opening',
    title: 'Opening hours',
    description: 'When the library is open.',
    operation: 'rooms.opening',
  },
];

const prompts: readonly PromptDeclaration[] = [
  {
    name: 'recommend_book',
    title: 'Recommend a book',
    description: 'Finds a book for a mood.',
    arguments: [
      { name: 'mood', description: 'How you feel.', required: true },
      { name: 'like', description: 'A book that you liked.', required: false, resource: 'postrider://books/{key}' },
    ],
    tools: ['list_books', 'read_book'],
    text: ({ mood, like }) => `Find me a book for a ${mood} day${like === undefined ? '' : `, like ${like}`}.`,
  },
  {
    name: 'lend_book',
    title: 'Lend a book',
    description: 'Finds a book and lends it.',
    arguments: [],
    tools: ['list_books', 'lend_book'],
    text: () => 'Lend me a book.',
  },
];

/** Two plugins, one for each area: books with their prompts, and rooms */
export const shelfPlugins = () => [
  definePlugin({
    id: 'books',
    scopes: [
      { scope: 'books:read', description: 'Read books.' },
      { scope: 'books:lend', description: 'Lend books.' },
    ],
    operations: [listBooks, readBook, lendBook],
    errors: errorDefinitions(errors),
    resources: [bookResource],
    prompts,
  }),
  definePlugin({
    id: 'rooms',
    scopes: [{ scope: 'rooms:read', description: 'Read rooms.' }],
    operations: [listRooms, readRoom, readOpening],
    resources: roomResources,
  }),
];

/** Every scope of the shelf. */
export const shelfScopes = ['books:read', 'books:lend', 'rooms:read'];
