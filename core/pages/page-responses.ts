// Shared by all routes of a page: the gate, headers that keep answers private, checked queries and bodies.
import type { z } from 'zod';
import {
  definePublicRoute,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../contract/declaration/public-route.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { type ErrorDetail, isPostriderError, PostriderError } from '../contract/errors/errors.ts';
import { checkValue, faultSummary } from '../contract/errors/input-faults.ts';
import { entityResponse, entityTag } from '../contract/http/entity-tag.ts';
import type { HttpResponse } from '../contract/http/http.ts';
import { findRawFault } from '../pipeline/raw-faults.ts';
import type { PageGate, PageVisitor } from './access.ts';

/** For every answer: no caching, no embedding, no content sniffing, no scripts. */
export const privateHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** A handler that gets the visitor of the page. Undefined: the route does not serve this request. */
export type PageHandler = (
  context: PublicRouteContext,
  request: PublicRequest,
  visitor: PageVisitor,
) => Promise<HttpResponse | undefined>;

/** Writes a refusal in a format other than the JSON envelope. If it returns undefined, the JSON envelope is sent. */
export type RefusalWriter = (
  error: PostriderError,
  context: PublicRouteContext,
  request: PublicRequest,
) => Promise<HttpResponse | undefined>;

type RouteSpec = Omit<Parameters<typeof definePublicRoute>[0], 'handler'>;

/** The same refusal with the headers of private answers. */
function asPrivate(error: unknown): unknown {
  if (!isPostriderError(error)) return error;
  const { code, status, type, message, details, retryAfterSeconds, headers } = error;
  return new PostriderError({ code, status, type, description: message }, message, {
    cause: error.cause,
    headers: { ...privateHeaders, ...headers },
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** A route behind the gate. */
export function pageRoute(
  gate: PageGate,
  spec: RouteSpec,
  handler: PageHandler,
  writeRefusal?: RefusalWriter,
): PublicRoute {
  return definePublicRoute({
    ...spec,
    async handler(context, request) {
      try {
        const visitor = await gate(context, request);
        return 'status' in visitor ? visitor : await handler(context, request, visitor);
      } catch (error) {
        const answer = isPostriderError(error) ? await writeRefusal?.(error, context, request) : undefined;
        if (answer !== undefined) return answer;
        throw asPrivate(error);
      }
    },
  });
}

/** JSON with an ETag: a client that has the same bytes gets 304. */
export function jsonResponse(request: PublicRequest, value: unknown): HttpResponse {
  const body = JSON.stringify(value);
  return entityResponse(request, entityTag(body), body, 'application/json; charset=utf-8', privateHeaders);
}

/** 204 without a body. */
export const noContentResponse = (): HttpResponse => ({ status: 204, headers: { ...privateHeaders }, body: '' });

/** Bytes or text of another type. `headers` override the headers of private answers. */
export const plainResponse = (
  type: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({ status: 200, headers: { ...privateHeaders, 'Content-Type': type, ...headers }, body });

function invalid(details: readonly ErrorDetail[]): PostriderError {
  const summary = details.length === 0 ? 'The input is not valid.' : faultSummary(details);
  return coreErrors.validation_failed({ summary }, { details });
}

/** The input as parsed by the schema. @throws validation_failed naming each field */
export function checkInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const fault = findRawFault(input);
  if (fault !== undefined) throw invalid([fault]);
  const checked = checkValue(schema, input);
  if (checked.ok) return checked.data;
  throw invalid(checked.faults);
}

/** A query as an object; for a repeated name, the last value counts. */
export const queryOf = ({ query }: PublicRequest): Record<string, string> => Object.fromEntries(query);
