// Raw requests to the tool endpoint and the parts of its answers, for the tests beside it.
import type { NotesService } from './notes-service.ts';

/** An answer of the endpoint. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: {
    readonly id?: unknown;
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
  };
}

/** How a body is sent. (Default: with a new key, which has a rate limit of its own) */
export interface Posting {
  readonly key?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

/** Sends anything to the endpoint. */
export async function postTo(
  notes: NotesService,
  workspaceId: string,
  body: unknown,
  posting: Posting = {},
): Promise<Answer> {
  const { key, query = '', headers = {}, method = 'POST' } = posting;
  const secret = key ?? (await notes.key(workspaceId));
  const response = await fetch(`${notes.url}${query}`, {
    method,
    headers: {
      ...(secret === '' ? {} : { Authorization: `Bearer ${secret}` }),
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : {},
  };
}

/** A JSON-RPC request. */
export const message = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

/** A call of a tool. */
export const callOf = (name: string, args: unknown, meta?: unknown) =>
  message('tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });

/** The structured content of a call's answer. */
export const structured = ({ json }: Answer) =>
  json.result?.structuredContent as Record<string, unknown> & {
    error?: { code: string; message: string; details?: { path: string }[] };
  };

/** The tools of a list's answer. */
export const toolsOf = ({ json }: Answer) =>
  json.result?.tools as { name: string; inputSchema: { properties: Record<string, Record<string, unknown>> } }[];

/** The envelope in the data of a fault. */
export const envelopeOf = ({ json }: Answer) =>
  (json.error?.data as { readonly error: Record<string, unknown> } | undefined)?.error;

/** The envelope that 2026-07-28 demands of every request. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '2' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The headers that go with it. */
export const modernHeaders = (method: string, name?: string) => ({
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...(name === undefined ? {} : { 'Mcp-Name': name }),
});
