// For the tests of the MCP endpoint: raw requests, and helpers for their responses.
import type { NotesService } from './notes-service.ts';

/** A response of the endpoint. */
export interface McpWireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: {
    readonly id?: unknown;
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
  };
}

/** The way in which a body is sent. (Default: with a new key, which has its own rate limit) */
export interface PostOptions {
  readonly key?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

/** Sends any body to the endpoint. */
export async function postTo(
  notes: NotesService,
  workspaceId: string,
  body: unknown,
  posting: PostOptions = {},
): Promise<McpWireResponse> {
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

/** A tool call. */
export const callOf = (name: string, args: unknown, meta?: unknown) =>
  message('tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });

/** The structured content in the result of a tool call */
export const structuredContent = ({ json }: McpWireResponse) =>
  json.result?.structuredContent as Record<string, unknown> & {
    error?: { code: string; message: string; details?: { path: string }[] };
  };

/** The tools in a list result. */
export const toolsOf = ({ json }: McpWireResponse) =>
  json.result?.tools as { name: string; inputSchema: { properties: Record<string, Record<string, unknown>> } }[];

/** The envelope in the data of an error. */
export const envelopeOf = ({ json }: McpWireResponse) =>
  (json.error?.data as { readonly error: Record<string, unknown> } | undefined)?.error;

/** The metadata that 2026-07-28 requires in every request. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '2' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The headers that 2026-07-28 requires with it. */
export const modernHeaders = (method: string, name?: string) => ({
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...(name === undefined ? {} : { 'Mcp-Name': name }),
});
