// The official clients of both protocol generations, connected over real HTTP, behind one interface. Used by the tests
// of the MCP endpoint.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** A tool as a client sees it. */
export interface Tool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown> | undefined;
  readonly annotations?: Record<string, unknown> | undefined;
}

/** The result of a tool call. */
export interface Result {
  readonly content: readonly { type: string; text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

/** A prompt as a client sees it. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** The methods that both clients have. */
export interface AnyClient {
  listTools(): Promise<{ tools: readonly Tool[] }>;
  callTool(call: {
    name: string;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<Result>;
  listResources(params?: { cursor?: string }): Promise<{
    readonly resources: readonly { uri: string; name: string; title?: string; mimeType?: string }[];
    readonly nextCursor?: string;
  }>;
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly { uriTemplate: string; name: string }[] }>;
  readResource(params: {
    uri: string;
  }): Promise<{ readonly contents: readonly { uri: string; mimeType?: string; text?: string }[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly Prompt[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{
    readonly description?: string;
    readonly messages: readonly { role: string; content: { type: string; text?: string } }[];
  }>;
  complete(params: {
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
  }): Promise<{ readonly completion: { readonly values: readonly string[]; readonly hasMore?: boolean } }>;
  getServerVersion(): { name: string; version: string } | undefined;
  getServerCapabilities(): Record<string, unknown> | undefined;
  close(): Promise<void>;
}

/** The name and version that the clients of the tests send */
export const clientInfo = { name: 'test-client', version: '9.1' };

/** Connects a client. The transports differ from the interface of the clients only in optional properties. */
export async function connectClient<C extends { connect(transport: never): Promise<void> }>(
  client: C,
  transport: unknown,
): Promise<AnyClient> {
  await client.connect(transport as never);
  return client as unknown as AnyClient;
}

/** A client that sends initialize first. */
export const legacyClient = () => new Client(clientInfo);

/** A client with the given mode of version negotiation */
export const modernClient = (mode?: 'auto' | { pin: string }) =>
  new ModernClient(clientInfo, mode === undefined ? {} : { versionNegotiation: { mode } });

const headersOf = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });
const modern = (mode?: 'auto' | { pin: string }) => (key: string, url: string) =>
  connectClient(modernClient(mode), new ModernTransport(new URL(url), headersOf(key)));

/** Every way in which the official clients connect over HTTP. */
export const generations: Readonly<Record<string, (key: string, url: string) => Promise<AnyClient>>> = {
  'the 1.x client': (key, url) =>
    connectClient(legacyClient(), new StreamableHTTPClientTransport(new URL(url), headersOf(key))),
  'the 2.x client with initialize': modern(),
  'the 2.x client that negotiates': modern('auto'),
  'the 2.x client on 2026-07-28': modern({ pin: '2026-07-28' }),
};
