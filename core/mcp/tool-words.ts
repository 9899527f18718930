// The error envelope of this endpoint: messages that name a route of the REST API or its headers name the tool and its
// arguments instead, since a model can call no route. Called by tool-call.ts and endpoint.ts.
import type { ErrorEnvelope, PostriderError } from '../contract/errors.ts';
import type { Registry } from '../pipeline/core.ts';
import { errorEnvelope } from '../projections/envelope.ts';
import { isTool } from '../projections/mcp.ts';
import type { Routing } from '../projections/routing.ts';
import { createRouting } from '../projections/routing.ts';

const route = /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^\s,;)"'`]*)/g;

/** Headers of REST by what stands for them here. */
const headerWords: readonly (readonly [RegExp, string])[] = [
  [/\bIdempotency-Key\b/g, 'idempotency_key'],
  [/\bRetry-After\b/g, 'retry_after_seconds'],
  [/\b(?:[Tt]he header )?Dry-Run\b/g, 'dry_run'],
];

const routings = new WeakMap<Registry, Routing>();

function routingOf(registry: Registry): Routing {
  const known = routings.get(registry) ?? createRouting(registry.operations.values(), []);
  routings.set(registry, known);
  return known;
}

/** `share_note (key: n1)` for `POST /v1/notes/n1/share`; undefined where there is no tool. */
function toolOf(routing: Routing, method: string, target: string): string | undefined {
  const [path = '', search] = target.split('?', 2);
  const [match] = routing.find({ method, url: target, headers: {}, body: undefined }, path);
  if (match === undefined || !('operation' in match.target) || !isTool(match.target.operation)) return undefined;
  const { tool, rename } = match.target.operation;
  const args = [
    ...Object.entries(match.params).map(([name, value]) => [rename[name] ?? name, value] as const),
    ...new URLSearchParams(search),
  ];
  // `{key}` stands for any value.
  const known = args.filter(([, value]) => !/^\{.*\}$/.test(value)).map(([name, value]) => `${name}: ${value}`);
  return known.length === 0 ? tool.name : `${tool.name} (${known.join(', ')})`;
}

/** A text that names routes, naming tools. */
export function inToolWords(registry: Registry, text: string): string {
  const routing = routingOf(registry);
  const named = text.replace(route, (whole, method: string, rest: string) => {
    const target = rest.replace(/[.:?!]+$/, '');
    const tool = toolOf(routing, method, target);
    return tool === undefined ? whole : tool + rest.slice(target.length);
  });
  return headerWords.reduce((words, [header, argument]) => words.replace(header, argument), named);
}

/** The envelope of a refusal in the words of tools. */
export function toolEnvelope(registry: Registry, refusal: PostriderError, requestId: string): ErrorEnvelope {
  const { error } = errorEnvelope(refusal, requestId);
  const details = error.details?.map((detail) => ({ ...detail, message: inToolWords(registry, detail.message) }));
  return {
    error: {
      ...error,
      message: inToolWords(registry, error.message),
      ...(details === undefined ? {} : { details }),
    },
  };
}
