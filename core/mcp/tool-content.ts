// An answer's bytes as content of a tool's result: images as image content, all else as an embedded resource, text as
// text. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result. Called by tool-call.ts.
import { hash } from 'node:crypto';
import type { Representation } from '../contract/representation.ts';
import type { JsonSchema } from '../projections/json-schema.ts';

/** Percent-encodes a segment of a URI. */
const step = (name: string): string => encodeURIComponent(name.replace(/\p{Cs}/gu, '_'));

/** Named by a hash of its bytes, so that a replay has the same URI. Clients tell resources apart by it; it cannot be read. */
const uriOf = ({ bytes, filename }: Representation): string =>
  `postrider://answers/${hash('sha256', bytes, 'base64url').slice(0, 22)}${filename === undefined ? '' : `/${step(filename)}`}`;

/** The content block. */
export function contentBlock(representation: Representation): JsonSchema {
  const { contentType, bytes } = representation;
  const mimeType = contentType.split(';', 1)[0] ?? contentType;
  const base64 = () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data: base64() };
  const uri = uriOf(representation);
  const resource = mimeType.startsWith('text/')
    ? { uri, mimeType, text: Buffer.from(bytes).toString('utf8') }
    : { uri, mimeType, blob: base64() };
  return { type: 'resource', resource };
}
