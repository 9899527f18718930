// The response to a successful call: JSON, or bytes of another media type, with their headers. Called by rest.ts.

import type { Deprecation } from '../contract/declaration/deprecation.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { Representation } from '../contract/declaration/representation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { parseIfMatch, type Version, versionTag } from '../contract/http/conditional.ts';
import { contentDisposition } from '../contract/http/content-disposition.ts';
import { matchesIfNoneMatch } from '../contract/http/entity-tag.ts';
import { headerText } from '../contract/http/header-text.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import type { CallResult, OperationCall } from '../pipeline/call.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { negotiate } from './accept.ts';

/** The content type of JSON answers. */
export const jsonContentType = 'application/json; charset=utf-8';

/** RFC 9745, RFC 8594, RFC 8288. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(Date.parse(since) / 1_000)}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}

/** Headers of every answer of an operation, including refusals. */
export function operationHeaders({ deprecated, representations }: Operation): Record<string, string> {
  return {
    ...(deprecated === undefined ? {} : deprecationHeaders(deprecated)),
    ...(representations.size === 0 ? {} : { Vary: 'Accept' }),
  };
}

/** In a patch format, the same JSON has another meaning than as application/json (RFC 7396, RFC 6902). */
const patchPattern = /^\s*(application\/[a-z0-9.-]*patch\+json)\s*(?:;|$)/i;

/**
 * Refuses a condition that the operation does not check: if it were ignored, the call would overwrite the change of
 * another caller. `*` requires no version, and reads change nothing.
 * @throws validation_failed
 */
function refuseCondition({ ifMatch, idempotency }: Operation, input: string | undefined): void {
  if (ifMatch || idempotency === 'read' || input === undefined || input.trim() === '*') return;
  const message = 'This operation checks no version: leave the header If-Match out.';
  throw validationFailed([{ path: 'If-Match', code: 'unsupported', message }]);
}

/**
 * The headers Accept and If-Match, for operations that read them.
 * @throws validation_failed, for example for If-Match on a change that does not check the version; media_type_unsupported for a
 * patch format that the operation does not declare
 */
export function readConditions(
  operation: Operation,
  { headers }: HttpRequest,
): Pick<OperationCall, 'choose' | 'ifMatch'> {
  const { method, representations, ifMatch, accepts } = operation;
  refuseCondition(operation, headers['if-match']);
  const patch = method === 'GET' ? undefined : patchPattern.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (patch !== undefined && !accepts.includes(patch)) {
    const acceptedTypes = ['application/json', ...accepts].join(' or ');
    throw coreErrors.media_type_unsupported({ received: patch.slice(0, 100), accepted: acceptedTypes });
  }
  const header = ifMatch ? headers['if-match'] : undefined;
  const expectedTags = header === undefined ? undefined : parseIfMatch(header);
  if (header !== undefined && expectedTags === undefined) {
    const message =
      'The header If-Match must contain entity tags in quotes, separated by commas, or *. Otherwise leave it out.';
    throw validationFailed([{ path: 'If-Match', code: 'invalid_value', message }]);
  }
  return {
    ...(representations.size === 0 ? {} : { choose: (offered) => negotiate(headers.accept, offered) }),
    ifMatch: expectedTags,
  };
}

/** A browser may save the bytes or show a known type, but must never run them as a page of this host. */
const bytesHeaders = ({ contentType, filename }: Representation): Record<string, string> => ({
  'Content-Type': contentType,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  ...(filename === undefined ? {} : { 'Content-Disposition': contentDisposition('attachment', filename) }),
});

function dryRunHeaders({ report }: CallResult): Record<string, string> {
  if (report === undefined) return {};
  return {
    'Dry-Run': 'true',
    'Dry-Run-Credits': String(report.credits),
    // Callers choose the names of custom events, which may contain commas.
    'Dry-Run-Events': report.events.map((type) => headerText(type).replaceAll(',', '%2C')).join(', '),
    'Dry-Run-Jobs': report.jobs.join(', '),
  };
}

/** The ETag of the operation's own success: the second success has no version. */
function tagOf({ entityTag, status }: Operation, result: CallResult): string | undefined {
  if (entityTag === undefined || result.status !== status) return undefined;
  const value = result.replayed ? JSON.parse(result.json) : result.value;
  const version: Version = entityTag(value as never);
  return `"${versionTag(version, result.representation?.contentType.split(';', 1)[0])}"`;
}

/** The whole response, or 304 if a GET names the current ETag. `shared`: the headers of every answer to the caller. */
export function successResponse(
  operation: Operation,
  request: HttpRequest,
  result: CallResult,
  shared: Readonly<Record<string, string>>,
): HttpResponse {
  const { representation } = result;
  const tag = tagOf(operation, result);
  const headers: Record<string, string> =
    representation === undefined ? { 'Content-Type': jsonContentType } : bytesHeaders(representation);
  if (result.replayed) headers['Idempotent-Replay'] = 'true';
  Object.assign(
    headers,
    dryRunHeaders(result),
    operationHeaders(operation),
    tag === undefined ? {} : { ETag: tag },
    shared,
  );
  if (tag !== undefined && operation.method === 'GET' && matchesIfNoneMatch(request, tag)) {
    const { 'Content-Type': _, ...rest } = headers;
    return { status: 304, headers: rest, body: '' };
  }
  return { status: result.status, headers, body: representation?.bytes ?? result.json };
}
