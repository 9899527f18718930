// What a tool's result has beside the JSON: a sentence on a dry run or a second success, and bytes. Images are image content, all else is
// an embedded resource, text as text. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result. Called by tool-call.ts.
import { hash } from 'node:crypto';
import type { DryRunReport } from '../contract/api.ts';
import type { Operation } from '../contract/operation.ts';
import type { Representation } from '../contract/representation.ts';
import type { SuccessNotice } from '../contract/second-success.ts';
import type { CallResult } from '../pipeline/call.ts';
import type { JsonSchema } from '../projections/json-schema.ts';
import { isRecord } from '../projections/json-schema.ts';

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

/** How many items of a call for many were accepted and refused, where its answer has one entry for each. */
function itemCounts(value: unknown): { readonly accepted: number; readonly refused: number } | undefined {
  const { data } = isRecord(value) ? value : {};
  if (!Array.isArray(data) || data.length === 0) return undefined;
  if (!data.every((item) => isRecord(item) && typeof item.index === 'number')) return undefined;
  const refused = data.filter((item) => isRecord(item.error)).length;
  return { accepted: data.length - refused, refused };
}

/** What the real call would do, to go on with what it would cost. */
function successOf(notice: SuccessNotice | undefined, value: unknown): string {
  if (notice !== undefined) return notice.wouldDo;
  const counts = itemCounts(value);
  if (counts === undefined || counts.refused === 0) return 'succeed and';
  return `accept ${counts.accepted} and refuse ${counts.refused} of its items, each with its error, and`;
}

/** What a dry run is, what the real call would cost and which events it would cause. */
function dryRunSentence({ credits, events }: DryRunReport, success: string): string {
  const types = [...new Set(events)];
  const more = types.length > maxListed ? ` and ${types.length - maxListed} more` : '';
  const effects = [
    `cost ${credits === 0 ? 'nothing' : `${credits} credit${credits === 1 ? '' : 's'}`}`,
    ...(types.length === 0 ? [] : [`cause the events ${types.slice(0, maxListed).join(', ')}${more}`]),
  ];
  return `Dry run: nothing was stored, changed, deleted or sent. The real call would ${success} ${effects.join(' and ')}. Its answer would look like the following JSON, where the ids of new things are placeholders that exist nowhere.`;
}

/**
 * The sentence before the JSON, where a reader of the JSON alone would take the call for more than it is: a dry run, or a second success
 * with a notice. It names routes.
 */
export function sentenceOf({ alsoSucceeds }: Operation, result: CallResult): string | undefined {
  const { status, report } = result;
  const notice = status === alsoSucceeds?.status ? alsoSucceeds.notice : undefined;
  if (report === undefined && notice === undefined) return undefined;
  const value: unknown = result.value ?? JSON.parse(result.json);
  return report === undefined ? notice?.of(value) : dryRunSentence(report, successOf(notice, value));
}
