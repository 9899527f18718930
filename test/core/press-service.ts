// The press plugin as a service on a database, called over REST, with tools and in process. For the tests of representations, second
// successes and versions.
import type { HttpResponse } from '../../core/contract/http/http.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { createTestService, type TestRequest, type TestService } from '../../hosts/testing/test-service.ts';
import type { TestDatabase } from '../support/databases.ts';
import { pressPlugin } from './press-plugin.ts';

/** One content block of a tool's result. */
interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly resource?: {
    readonly uri: string;
    readonly mimeType: string;
    readonly text?: string;
    readonly blob?: string;
  };
}

/** A tool's result. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Readonly<Record<string, unknown>> & { readonly error?: { readonly code: string } };
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A test service with the press plugin. */
export interface PressService extends Omit<TestService<'press'>, 'service'> {
  readonly service: Service<'press'>;
  /** The stored bytes that exports refer to. */
  readonly shelf: Map<string, Uint8Array>;
  /** The number of reads from the shelf */
  reads(): number;
  /** Sends a request without parsing the response. */
  send(path: string, request?: TestRequest): Promise<HttpResponse>;
  /** Calls a tool with the live key. */
  tool(name: string, args: object): Promise<ToolResult>;
  /** The tool's entry in tools/list. */
  shown(name: string): Promise<Readonly<Record<string, Record<string, Record<string, unknown>>>>>;
}

const accepts = 'application/json, text/event-stream';

/** Opens a press service with new tables. */
export async function openPress(database: TestDatabase): Promise<PressService> {
  const shelf = new Map<string, Uint8Array>();
  let reads = 0;
  const plugin = pressPlugin(shelf, () => {
    reads += 1;
  });
  const test = await createTestService({
    storage: database.createStorage(),
    tablePrefix: database.newPrefix(),
    plugins: [plugin],
  });
  const send: PressService['send'] = (path, { method, key = test.liveKey, body, headers = {} } = {}) =>
    test.service.dispatch({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      url: path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      address: '127.0.0.1',
    });
  const rpc = async (method: string, params: object, query = '') => {
    const headers = { accept: accepts, 'mcp-protocol-version': '2025-06-18' };
    const { body } = await send(`/v1/mcp${query}`, { body: { jsonrpc: '2.0', id: 1, method, params }, headers });
    return JSON.parse(String(body)).result;
  };
  return {
    ...test,
    shelf,
    send,
    reads: () => reads,
    tool: (name, args) => rpc('tools/call', { name, arguments: args }),
    shown: async (name) =>
      (await rpc('tools/list', {}, '?schemas=full')).tools.find((tool: { name: string }) => tool.name === name),
  };
}
