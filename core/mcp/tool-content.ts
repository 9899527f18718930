// What a tool's result has beside the JSON: the sentence of a dry run, and bytes. Images are image content, all else is
// an embedded resource, text as text. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result. Called by tool-call.ts.
import { hash } from 'node:crypto';
import type { DryRunReport } from '../contract/api.ts';
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

const maxListed = 10;

/** What a dry run is, what the real call would cost and which events it would cause. */
export function dryRunSentence({ credits, events }: DryRunReport): string {
  const types = [...new Set(events)];
  const more = types.length > maxListed ? ` and ${types.length - maxListed} more` : '';
  const effects = [
    `cost ${credits === 0 ? 'nothing' : `${credits} credit${credits === 1 ? '' : 's'}`}`,
    ...(types.length === 0 ? [] : [`cause the events ${types.slice(0, maxListed).join(', ')}${more}`]),
  ];
  return `Dry run: nothing was stored, changed, deleted or sent. The real call would succeed and ${effects.join(' and ')}. Its answer would look like the following JSON, where the ids of new things are placeholders that exist nowhere.`;
}
