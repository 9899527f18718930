// The error envelope of this endpoint. A model cannot call routes, so a message that names a route or header of the REST API
// names the tool and its arguments instead. Called by tool-call.ts and endpoint.ts.
import type { ErrorEnvelope, PostriderError } from '../contract/errors/errors.ts';
import type { Registry } from '../pipeline/core.ts';
import { errorEnvelope } from '../projections/envelope.ts';
import { isTool } from '../projections/mcp.ts';
import { type CallerWords, withCallerNames } from '../projections/route-words.ts';

/** `share_note (key: n1)` for `POST /v1/notes/n1/share`. */
const toolWords: CallerWords = {
  call(operation, args) {
    if (!isTool(operation)) return undefined;
    const { name } = operation.tool;
    const argumentList = args.map(([argument, value]) => `${argument}: ${value}`).join(', ');
    return argumentList === '' ? name : `${name} (${argumentList})`;
  },
  headers: [
    [/\bIdempotency-Key\b/g, 'idempotency_key'],
    [/\bRetry-After\b/g, 'retry_after_seconds'],
    [/\b(?:[Tt]he header )?Dry-Run\b/g, 'dry_run'],
  ],
};

/** Replaces the routes in a text with the names of tools. */
export const withToolNames = (registry: Registry, text: string): string => withCallerNames(toolWords, registry, text);

/** The envelope of a refusal, reworded for tools. */
export function toolEnvelope(registry: Registry, refusal: PostriderError, requestId: string): ErrorEnvelope {
  const { error } = errorEnvelope(refusal, requestId);
  const details = error.details?.map((detail) => ({ ...detail, message: withToolNames(registry, detail.message) }));
  return {
    error: {
      ...error,
      message: withToolNames(registry, error.message),
      ...(details === undefined ? {} : { details }),
    },
  };
}
