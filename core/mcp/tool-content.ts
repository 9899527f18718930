// The parts of a tool's result other than the JSON: a sentence about a dry run or a second success, and bytes. Images are image
// content. Everything else is an embedded resource; text and SVG are text. Called by tool-call.ts.
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
import { hash } from 'node:crypto';
import type { DryRunReport } from '../contract/context/api.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { Representation } from '../contract/declaration/representation.ts';
import type { DryRunEffects } from '../contract/declaration/second-success.ts';
import { counted } from '../contract/values/counted.ts';
import type { CallResult } from '../pipeline/call.ts';
import { isRecord, type JsonSchema } from '../projections/schema-parts.ts';

/** Percent-encodes a segment of a URI. */
const encodeSegment = (name: string): string => encodeURIComponent(name.replace(/\p{Cs}/gu, '_'));

/**
 * The URI of a representation. It contains a hash of the bytes, so that a replay has the same URI. It only distinguishes
 * resources: resources/read does not accept it.
 */
const uriOf = ({ bytes, filename }: Representation): string =>
  `postrider://answers/${hash('sha256', bytes, 'base64url').slice(0, 22)}${filename === undefined ? '' : `/${encodeSegment(filename)}`}`;

/** The content block of a representation. */
export function contentBlock(representation: Representation): JsonSchema {
  const { contentType, bytes } = representation;
  const mimeType = contentType.split(';', 1)[0] ?? contentType;
  const base64 = () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  // Models read bitmaps as images, and vector graphics as text.
  const isText = mimeType.startsWith('text/') || mimeType === 'image/svg+xml';
  if (!isText && mimeType.startsWith('image/')) return { type: 'image', mimeType, data: base64() };
  const uri = uriOf(representation);
  const resource = isText
    ? { uri, mimeType, text: Buffer.from(bytes).toString('utf8') }
    : { uri, mimeType, blob: base64() };
  return { type: 'resource', resource };
}

const maxListed = 10;

/** How many items of a bulk call were accepted and refused, if its answer has one entry for each item. */
function itemCounts(value: unknown): { readonly accepted: number; readonly refused: number } | undefined {
  const { data } = isRecord(value) ? value : {};
  if (!Array.isArray(data) || data.length === 0) return undefined;
  if (!data.every((item) => isRecord(item) && typeof item.index === 'number')) return undefined;
  const refused = data.filter((item) => isRecord(item.error)).length;
  return { accepted: data.length - refused, refused };
}

/** Describes what a first success would do, with its effects. */
function successOf(value: unknown, { cost, cause }: DryRunEffects): string {
  const effects = [cost, ...(cause === undefined ? [] : [cause])].join(' and ');
  const counts = itemCounts(value);
  if (counts === undefined || counts.refused === 0) return `succeed and ${effects}`;
  return `accept ${counts.accepted} and refuse ${counts.refused} of its items, each with its error, and ${effects}`;
}

function effectsOf({ credits, events }: DryRunReport): DryRunEffects {
  const types = [...new Set(events)];
  const more = types.length > maxListed ? ` and ${types.length - maxListed} more` : '';
  return {
    cost: `cost ${credits === 0 ? 'nothing' : counted(credits, 'credit')}`,
    cause:
      types.length === 0
        ? undefined
        : `cause the event${types.length === 1 ? '' : 's'} ${types.slice(0, maxListed).join(', ')}${more}`,
  };
}

/**
 * The sentence before the JSON, if the JSON alone would suggest that the call did more than it did: for a dry run, or a success
 * with a notice. The sentence names routes.
 */
export function sentenceOf({ secondSuccess, tool }: Operation, result: CallResult): string | undefined {
  const { status, report } = result;
  const second = status === secondSuccess?.status ? secondSuccess.notice : undefined;
  const isFirst = status !== secondSuccess?.status;
  if (report === undefined && second === undefined && (!isFirst || tool?.notice === undefined)) return undefined;
  const body: unknown = result.value ?? JSON.parse(result.json);
  const first = isFirst ? tool?.notice?.(body, { dryRun: report !== undefined }) : undefined;
  if (report === undefined) return second?.of(body) ?? first;
  const ctx = effectsOf(report);
  const success = second === undefined ? successOf(body, ctx) : second.wouldDo(body, ctx);
  const notice = first === undefined ? '' : ` ${first}`;
  return `Dry run: nothing was stored, changed, deleted or sent. The real call would ${success}.${notice} Its response would look like the following JSON, but the ids and secrets of new resources there are placeholders.`;
}
