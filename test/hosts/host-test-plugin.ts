// A plugin whose public routes use everything that a host must support: hosts, limits, forms, exact bytes, streams and
// files. Composed by bench.ts.
import { createHash } from 'node:crypto';
import { definePlugin, definePublicRoute, fileResponse, type HttpResponse } from '../../core/index.ts';

/** The file at /file: 3,000 bytes in chunks of 1,000. */
export const fileText = Array.from({ length: 3_000 }, (_, index) => String(index % 10)).join('');

/** The file's modification time. */
export const fileModifiedAt = Date.UTC(2026, 0, 2, 3, 4, 5);

/** The events of the streams, by the name in their query, to test how a host handles streams. */
export interface StreamLog {
  readonly started: string[];
  readonly ended: string[];
  /** The total number of chunks of all streams. */
  chunks: number;
}

const plain = (body: HttpResponse['body'], status = 200): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
});

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 1_000) yield Buffer.from(text.slice(at, at + 1_000));
}

/** A stream that records itself in the log. `next` makes its chunks, and ends it with undefined. */
function loggedStream(log: StreamLog, name: string, next: (index: number) => Uint8Array | undefined) {
  return {
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      log.started.push(name);
      try {
        for (let index = 0; ; index += 1) {
          const chunk = next(index);
          if (chunk === undefined) return;
          log.chunks += 1;
          yield chunk;
        }
      } finally {
        log.ended.push(name);
      }
    },
  };
}

const fail = (reason: string): never => {
  throw new Error(reason);
};

/** The plugin. It writes to `log` while its streams are read. */
export function hostTestPlugin(log: StreamLog) {
  const stream = (
    path: `/${string}`,
    headers: Record<string, string>,
    next: (index: number) => Uint8Array | undefined,
  ) =>
    definePublicRoute({
      http: `GET ${path}`,
      description: 'A stream.',
      handler: async (_context, { query }) => {
        const answer = plain(loggedStream(log, query.get('name') ?? path, next));
        return { ...answer, headers: { ...answer.headers, ...headers } };
      },
    });
  return definePlugin({
    id: 'doors',
    publicRoutes: [
      definePublicRoute({
        http: 'GET /{slug}',
        description: 'Short links of the hosts that the program names.',
        hosts: ['go.example', 'bücher.example'],
        handler: async (_context, { host, params }) => plain(`short ${params['slug']} on ${host}`),
      }),
      definePublicRoute({
        http: 'GET /{page}',
        description: 'Pages of the hosts that customers brought; the handler knows which.',
        hosts: (host) => host.endsWith('.customers.example'),
        handler: async (_context, { host, params }) =>
          host === 'ada.customers.example' ? plain(`page ${params['page']} on ${host}`) : undefined,
      }),
      definePublicRoute({
        http: 'GET /everywhere',
        description: 'The same on every host.',
        handler: async () => plain('everywhere'),
      }),
      definePublicRoute({
        http: 'POST /hooks/provider',
        description: 'What a provider reports, signed over the exact bytes.',
        maxBodyBytes: 10_000,
        handler: async (_context, request) => {
          const bytes = await request.bytes();
          const digest = createHash('sha256').update(bytes).digest('hex');
          return plain(`${bytes.length} ${digest}`);
        },
      }),
      definePublicRoute({
        http: 'POST /form',
        description: 'A form.',
        handler: async (_context, request) => plain(JSON.stringify([...(await request.form())])),
      }),
      definePublicRoute({
        http: 'POST /text',
        description: 'Any text, told back as it was read.',
        handler: async (_context, request) => plain(`${await request.text()}|${(await request.bytes()).length}`),
      }),
      definePublicRoute({
        http: 'GET /limited',
        description: 'A page that one client may ask for twice at once.',
        limit: { perMinute: 6, burst: 2 },
        handler: async () => plain('within the limit'),
      }),
      definePublicRoute({
        http: 'GET /file',
        description: 'A file.',
        handler: async (_context, request) =>
          fileResponse(request, {
            size: fileText.length,
            etag: '"v1"',
            type: 'text/plain; charset=utf-8',
            lastModified: fileModifiedAt,
            name: 'Über/“digits”.txt',
            disposition: 'attachment',
            headers: { 'Cache-Control': 'public, max-age=60' },
            open: ({ start, end }) => chunksOf(fileText.slice(start, end + 1)),
          }),
      }),
      definePublicRoute({
        http: 'POST /stream',
        description: 'A stream that is answered before the body was read.',
        handler: async () => plain(chunksOf(fileText)),
      }),
      definePublicRoute({
        http: 'GET /smuggles',
        description: 'A header with a line break.',
        handler: async () => ({ ...plain('x'), headers: { Location: 'x\r\nSet-Cookie: stolen=1' } }),
      }),
      stream('/stream', {}, (index) => (index < 3 ? Buffer.from(`part ${index}\n`) : undefined)),
      stream('/endless', {}, () => Buffer.alloc(65_536, 'x')),
      stream('/fails/first', {}, () => fail('it failed before its first byte')),
      stream('/fails/later', {}, (index) => (index < 2 ? Buffer.from('a part') : fail('it failed in the middle'))),
      stream('/fails/short', { 'Content-Length': '10' }, (index) => (index < 1 ? Buffer.from('a part') : undefined)),
      stream('/fails/long', { 'Content-Length': '10' }, () => Buffer.from('a part')),
    ],
  });
}
