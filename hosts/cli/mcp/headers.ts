// The HTTP headers of a message, because messages on stdio have no headers. Supports both generations of the protocol: since 2026-07-28 the
// headers repeat fields of the message. In earlier revisions, they repeat the values negotiated by initialize.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
import { isRecord } from './fault.ts';

/** A request or a notification. */
export interface OutgoingMessage {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The values negotiated by initialize. Undefined before it, and always with a client of 2026-07-28. */
export interface Session {
  readonly revision: string | undefined;
  readonly id: string | undefined;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** The field with the value of Mcp-Name, by method. */
const nameSources: Readonly<Record<string, 'name' | 'uri' | undefined>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

const plainPattern = /^[!-~]([ -~]*[!-~])?$/;
const sentinel = /^=\?base64\?.*\?=$/;

/** A value encoded for a header. */
export function encodeHeader(value: string): string {
  if (plainPattern.test(value) && !sentinel.test(value)) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

function revisionOf(params: Readonly<Record<string, unknown>>): string | undefined {
  const { _meta: meta } = params;
  const revision = isRecord(meta) ? meta[versionKey] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

/** The headers of a message, except the key. */
export function headersOf({ method, params }: OutgoingMessage, session: Session): Record<string, string> {
  const ownRevision = revisionOf(params);
  if (ownRevision === undefined) {
    const { revision, id } = session;
    return {
      ...(revision === undefined || method === 'initialize' ? {} : { 'MCP-Protocol-Version': revision }),
      ...(id === undefined || method === 'initialize' ? {} : { 'Mcp-Session-Id': id }),
    };
  }
  const name = params[nameSources[method] ?? ''];
  return {
    'MCP-Protocol-Version': encodeHeader(ownRevision),
    'Mcp-Method': encodeHeader(method),
    ...(typeof name === 'string' ? { 'Mcp-Name': encodeHeader(name) } : {}),
  };
}
