// Messages for callers who do not call the REST API. If a text names a REST route or header, the message names the tool or the
// typed call instead. Called by the MCP endpoint and by calls in process.

import type { Operation } from '../contract/declaration/operation.ts';
import { isPostriderError, PostriderError } from '../contract/errors/errors.ts';
import type { Registry } from '../pipeline/core.ts';
import { callName } from './call-name.ts';
import { createRouting, type Routing } from './routing.ts';

/** The names that callers of one kind use. */
export interface CallerWords {
  /** Names a call with the known arguments; undefined if these callers do not have the call. */
  call(operation: Operation, args: readonly (readonly [name: string, value: string])[]): string | undefined;
  /** The replacements for REST headers. */
  readonly headers: readonly (readonly [RegExp, string])[];
}

const route = /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^\s,;)"'`]*)/g;

const routings = new WeakMap<Registry, Routing>();

function routingOf(registry: Registry): Routing {
  const routing = routings.get(registry) ?? createRouting(registry.operations.values(), []);
  routings.set(registry, routing);
  return routing;
}

function callOf(routing: Routing, words: CallerWords, method: string, target: string): string | undefined {
  const [path = '', search] = target.split('?', 2);
  const [match] = routing.find({ method, url: target, headers: {}, body: undefined }, path);
  if (match === undefined || !('operation' in match.target)) return undefined;
  const { operation } = match.target;
  const args = [
    ...Object.entries(match.params).map(([name, value]) => [operation.rename[name] ?? name, value] as const),
    ...new URLSearchParams(search),
  ];
  // `{key}` matches any value.
  return words.call(
    operation,
    args.filter(([, value]) => !/^\{.*\}$/.test(value)),
  );
}

/** A text that names routes and headers, reworded for these callers. */
export function withCallerNames(words: CallerWords, registry: Registry, text: string): string {
  const rewordedText = text.replace(route, (match, method: string, remainingText: string) => {
    const target = remainingText.replace(/[.:?!]+$/, '');
    const call = callOf(routingOf(registry), words, method, target);
    return call === undefined ? match : call + remainingText.slice(target.length);
  });
  return words.headers.reduce((sentence, [header, replacement]) => sentence.replace(header, replacement), rewordedText);
}

const quoted = (value: string): string => `'${value.replace(/['\\]/g, '\\$&')}'`;

/** `notes.share({ key: 'n1' })` */
const processWords: CallerWords = {
  call({ id }, args) {
    const { area, name } = callName(id);
    const argumentList = args.map(([argument, value]) => `${argument}: ${quoted(value)}`).join(', ');
    return `${area}.${name}(${argumentList === '' ? '' : `{ ${argumentList} }`})`;
  },
  headers: [
    [/\bIdempotency-Key\b/g, 'idempotencyKey'],
    [/\b(?:[Tt]he header )?Dry-Run\b/g, 'dryRun'],
  ],
};

/**
 * A refusal, reworded for callers in the process. An error that is not a refusal, or that does not name a route, stays
 * as it is.
 */
export function processRefusal(registry: Registry, error: unknown): unknown {
  if (!isPostriderError(error)) return error;
  const rewordText = (text: string): string => withCallerNames(processWords, registry, text);
  const message = rewordText(error.message);
  const details = error.details?.map((detail) => ({ ...detail, message: rewordText(detail.message) }));
  if (
    message === error.message &&
    details?.every((detail, at) => detail.message === error.details?.[at]?.message) !== false
  )
    return error;
  const { status, type, code, retryAfterSeconds, headers, cause } = error;
  const rewordedError = new PostriderError({ status, type, code, description: '' }, message, {
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
    headers,
  });
  rewordedError.requestId = error.requestId;
  return rewordedError;
}
