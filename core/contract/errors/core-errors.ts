// The error codes of the core: codes that the pipeline throws, and codes that several plugins throw about their own resources.
import { counted } from '../values/counted.ts';
import { defineErrors } from './errors.ts';

interface TakenName {
  readonly resource?: string;
  readonly optional?: boolean;
}

const takenBy = (resource: string | undefined): string => (resource === undefined ? '' : ` by another ${resource}`);
const orOmit = (optional = false): string => (optional ? ', or leave it out, and one is generated' : '');

/** An unknown, a revoked and an expired key get the same message, so that a guessed key reveals nothing. */
const keyFaults = {
  missing: 'The API key is missing. Send it in the header Authorization: Bearer <key>.',
  malformed:
    'This is not a complete API key of this service: its format or its checksum is wrong. Copy the key again, and send it as Authorization: Bearer <key>.',
  unknown: 'This key is unknown, revoked or expired. Use another key, or make a new one.',
} as const;

export const coreErrors = defineErrors({
  json_invalid: {
    status: 400,
    type: 'validation_error',
    description: 'The body is not JSON. Send a JSON object with Content-Type: application/json.',
    message: (details: { reason: string }) => `The body is not valid JSON: ${details.reason}`,
  },
  cursor_invalid: {
    status: 400,
    type: 'validation_error',
    description: 'The cursor does not decode, or belongs to another list. Start again without a cursor.',
    message: () => 'The cursor does not belong to this list. Leave it out to start from the first page.',
  },
  not_acceptable: {
    status: 406,
    type: 'validation_error',
    description: 'The operation offers none of the requested media types; the message lists the offered ones.',
    message: (details: { offered: readonly string[] }) =>
      `The operation cannot respond in the requested media type. Request ${details.offered.join(' or ')}.`,
  },
  payload_too_large: {
    status: 413,
    type: 'validation_error',
    description:
      'The body is larger than settings.maxBodyBytes. Send less, or raise the limit in the embedding program.',
    message: (details: { limit: number }) => `The body is larger than ${details.limit} bytes. Send a smaller one.`,
  },
  answer_too_large: {
    status: 500,
    type: 'api_error',
    description:
      'The response is larger than the platform allows: 6 MB for a function on AWS Lambda, 1 MB behind a load balancer. Send Accept-Encoding: gzip, ask for less, or use a function URL that streams.',
    message: (details: { limit: number }) =>
      `The response is larger than ${details.limit} bytes, the limit of the platform. Send Accept-Encoding: gzip, ask for fewer rows or a smaller file, or let this function answer through a function URL that streams (lambdaHost(service, { streaming: true })).`,
  },
  media_type_unsupported: {
    status: 415,
    type: 'validation_error',
    description:
      'The body has a media type that the operation does not accept. Send application/json, unless the message names another.',
    message: (details: { received: string; accepted?: string }) =>
      `Content-Type ${details.received} is not supported. Send ${details.accepted ?? 'application/json'}.`,
  },
  body_invalid: {
    status: 400,
    type: 'validation_error',
    description: 'The body of a request to a public route is not UTF-8 text. Send it in UTF-8.',
    message: () => 'The body is not UTF-8 text. Send it in UTF-8.',
  },
  body_already_consumed: {
    status: 500,
    type: 'api_error',
    description: 'A body parser of the embedding program read the body and did not keep it.',
    message: () =>
      'The request body was consumed before it arrived here. Mount the messaging host before the body parser.',
  },
  body_already_parsed: {
    status: 500,
    type: 'api_error',
    description:
      'A body parser of the embedding program kept only the parsed body, but the operation needs the original bytes. Mount the host before that parser, or keep the bytes with its verify.',
    message: () =>
      'The original bytes of the body are no longer available, because a parser has read them. Mount the messaging host before the body parser, or keep them: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes; } }).',
  },
  validation_failed: {
    status: 422,
    type: 'validation_error',
    description: 'A field is missing, unknown or has the wrong format; details name each one.',
    message: (details: { summary: string }) => details.summary,
  },
  variables_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The variables do not fit their contract; there is one detail for each fault, with its path.',
    /**
     * `resource`: the thing that declares the variables, as callers name it. `summary`: the first fault. `faults`: the number of
     * faults.
     */
    message: (details: { resource: string; summary: string; faults: number }) =>
      details.faults === 1
        ? `The variables do not fit the contract of ${details.resource}: ${details.summary}`
        : `The variables do not fit the contract of ${details.resource} in ${details.faults} places. The first: ${details.summary}`,
  },
  idempotency_key_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The Idempotency-Key is empty, longer than 200 characters, or missing where it is required.',
    message: (details: { reason: string }) => details.reason,
  },
  sandbox_only: {
    status: 422,
    type: 'validation_error',
    description: 'The field is only for sandbox keys.',
    message: (details: { field: string }) =>
      `${details.field} works with sandbox keys only. Leave it out, or use a test key.`,
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    description: 'The key is missing, mistyped, unknown, expired or revoked. Send Authorization: Bearer <key>.',
    message: (details: { fault: 'missing' | 'malformed' | 'unknown' }) => keyFaults[details.fault],
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    description: 'The key lacks the scope of this operation; the message names it. Use a key that has it.',
    scopes: (details: { scopes: readonly string[] }) => details.scopes,
    message: (details: { scopes: readonly string[]; instead?: string }) =>
      `This needs the scope ${details.scopes.join(' or ')}, which the key does not have. Use a key that has it${details.instead === undefined ? '' : `, or ${details.instead}`}.`,
  },
  plan_required: {
    status: 403,
    type: 'permission_error',
    description:
      "The workspace's plan does not include this; the message names a plan that does. Ask the operator to move the workspace to such a plan.",
    message: (details: { plan: string; what: string }) => `${details.what} needs the plan ${details.plan} or higher.`,
  },
  leash_exceeded: {
    status: 403,
    type: 'permission_error',
    description:
      'The leash of the key does not allow the call; the message names the limit, the remaining amount and when the limit renews. Nothing was changed. Wait, make the call smaller, or ask the operator to change the leash.',
    /** `reason`: whole sentences. */
    message: (details: { reason: string }) => details.reason,
  },
  live_key_required: {
    status: 403,
    type: 'permission_error',
    description:
      'The call changes what the live side of the workspace uses. Use a live key; a sandbox key can only read it and create and edit drafts.',
    message: () =>
      'This changes what live traffic uses, so a sandbox key may not do it. Use a live key; with a sandbox key you can read it and edit drafts.',
  },
  workspace_suspended: {
    status: 403,
    type: 'permission_error',
    description: 'The embedding program suspended the workspace. Until it is resumed, only reads work.',
    message: () => 'The workspace is suspended: nothing can be changed or sent until it is resumed.',
  },
  credits_exhausted: {
    status: 402,
    type: 'billing_error',
    description:
      'The credits do not cover the price; nothing was changed. Wait for the next month (UTC), or ask the operator to grant credits or to choose a larger plan.',
    /** `renewsAt`: when the plan grants the next credits. */
    message: (details: { price: number; balance: number; plan: string; monthly: number; renewsAt: string }) =>
      `This costs ${counted(details.price, 'credit')}; the workspace has ${details.balance}. Nothing was charged. The plan ${details.plan} grants ${counted(details.monthly, 'credit')} a month; the next credits are granted at ${details.renewsAt}. Until then, the workspace needs a grant or a larger plan.`,
  },
  route_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'No operation has this path.',
    /** `nearest`: the route that was probably meant. `option`: the option with which the program enables the route. */
    message: (details: { path: string; nearest?: string | undefined; option?: string | undefined }) => {
      const missing = `There is no ${details.path} here`;
      if (details.option !== undefined)
        return `${missing}. The embedding program can enable it with ${details.option}.`;
      return `${missing}.${details.nearest === undefined ? '' : ` Did you mean ${details.nearest}?`} GET /v1/openapi.json lists all routes.`;
    },
  },
  workspace_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'No workspace has this id.',
    message: (details: { id: string }) => `There is no workspace ${details.id}.`,
  },
  key_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no API key with this id.',
    message: (details: { id: string }) => `There is no API key ${details.id}.`,
  },
  method_not_allowed: {
    status: 405,
    type: 'validation_error',
    description: 'The path exists, but with another method; the header Allow names it.',
    /** `nearest`: the route with this method that was probably meant. */
    message: (details: { method: string; allowed: readonly string[]; nearest?: string | undefined }) =>
      `${details.method} does not work here. Use ${details.allowed.join(' or ')}.${details.nearest === undefined ? '' : ` Did you mean ${details.nearest}?`}`,
  },
  request_timeout: {
    status: 408,
    type: 'api_error',
    description: 'The operation took too long and was ended; it changed nothing. Retry.',
    message: (details: { seconds: number }) =>
      `The operation did not end within ${details.seconds} seconds and was rolled back. Try again.`,
  },
  idempotency_key_mismatch: {
    status: 409,
    type: 'conflict_error',
    description: 'The Idempotency-Key was used with another input. Use a new key for a new request.',
    message: () => 'This Idempotency-Key was used with a different request. Use a new key for a new request.',
  },
  idempotency_key_in_progress: {
    status: 409,
    type: 'conflict_error',
    description: 'Another request with this Idempotency-Key is still running. Retry after the time in Retry-After.',
    message: () => 'Another request with this Idempotency-Key is still running. Try again in a moment.',
  },
  state_conflict: {
    status: 409,
    type: 'conflict_error',
    description:
      'The state of the resource does not allow this; the message names the allowed operations, if there are any.',
    /** `reason`: a whole sentence. `allowed`: the transitions that the present state allows. */
    message: ({ reason, allowed }: { reason: string; allowed?: readonly string[] }) => {
      if (allowed === undefined) return reason;
      return `${reason} ${allowed.length === 0 ? 'No operation is allowed in this state.' : `Allowed now: ${allowed.join(', ')}.`}`;
    },
  },
  key_taken: {
    status: 409,
    type: 'conflict_error',
    description: 'Another resource of this kind, perhaps an archived one, has the key. Choose another key.',
    /**
     * `resource`: the kind of resource that has the key. `change`: the route that changes that resource, if the caller may
     * have meant it. `optional`: whether a key is generated for a call without one.
     */
    message: ({ key, resource, change, optional }: TakenName & { readonly key: string; readonly change?: string }) => {
      const choose = change === undefined ? 'Choose' : `To change the existing resource: ${change}. Otherwise choose`;
      return `The key ${key} is taken${takenBy(resource)}. ${choose} another${orOmit(optional)}.`;
    },
  },
  slug_taken: {
    status: 409,
    type: 'conflict_error',
    description: 'Another resource of this kind, perhaps an archived one, has the slug. Choose another slug.',
    /**
     * `resource`: the kind of resource that has the slug, such as `page`. `optional`: whether a slug is generated if none is
     * given.
     */
    message: ({ slug, resource, optional }: TakenName & { readonly slug: string }) =>
      `The slug ${slug} is taken${takenBy(resource)}. Choose another${orOmit(optional)}.`,
  },
  limit_reached: {
    status: 409,
    type: 'conflict_error',
    description: 'The workspace has reached its limit of resources of this kind. Remove one that you no longer need.',
    /** `resources`: the counted resources in the plural, such as `pages`. */
    message: (details: { limit: number; resources: string }) =>
      `The workspace has ${details.limit} ${details.resources}, which is its limit. Remove one that you no longer need.`,
  },
  placeholders_left: {
    status: 409,
    type: 'conflict_error',
    description:
      'The content still has placeholders for words that its writer did not know. `details` lists each with its place. Replace or remove them, then repeat the call.',
    /** `what`: the content with its article, such as `The page`. `named`: some of the placeholders, as readers would see them. */
    message: ({ what, named, count }: { what: string; named: readonly string[]; count: number }) =>
      `${what} still has ${counted(count, 'placeholder')}: ${named.join(', ')}${count > named.length ? ' …' : ''}. Replace or remove ${count === 1 ? 'it' : 'each'}, then repeat the call.`,
  },
  version_conflict: {
    status: 412,
    type: 'conflict_error',
    description:
      'The resource no longer has the version that If-Match or expectedVersion names. Read it again, and repeat the change on the present version.',
    message: (details: { current: string | number }) =>
      `The version is now ${details.current}: the resource has changed since you read it. Read it again, then repeat the change.`,
  },
  key_rate_limit: {
    status: 429,
    type: 'rate_limit_exceeded',
    description: 'The key sent too many requests. Wait for Retry-After seconds.',
    message: (details: { plan: string; rate: number; burst: number; seconds: number }) =>
      `This key sends too many requests: the plan ${details.plan} allows each key ${details.rate} a second, ${details.burst} at once. Try again in ${details.seconds} s. For more, use a larger plan or a higher keyRate.`,
  },
  workspace_rate_limit: {
    status: 429,
    type: 'rate_limit_exceeded',
    description: "The workspace's keys together sent too many requests. Wait for Retry-After seconds.",
    message: (details: { plan: string; perMinute: number; seconds: number }) =>
      `The keys of this workspace together send too many requests: the plan ${details.plan} allows ${details.perMinute} a minute. Try again in ${details.seconds} s. For more, use a larger plan or a higher workspacePerMinute.`,
  },
  address_rate_limit: {
    status: 429,
    type: 'rate_limit_exceeded',
    description: 'A public route received too many requests from one client address. Wait for Retry-After seconds.',
    message: () => 'Too many requests come from your address. Wait for the time given in Retry-After.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    description: 'The service failed; the cause is in the log under the request id. Nothing was changed.',
    message: () =>
      'Something went wrong on our side and nothing was changed. The log has the cause under this request id.',
  },
  text_renderer_missing: {
    status: 501,
    type: 'api_error',
    description:
      'The Markdown worker file is missing on the server. The operator must mark postrider as external in the bundler, or put the file next to the bundle.',
    message: (details: { file: string }) =>
      `The Markdown worker file ${details.file} is missing. Mark postrider as external in your bundler, or bundle postrider/markdown-worker into a file of this name next to your bundle.`,
  },
  compose_failed: {
    status: 502,
    type: 'api_error',
    description:
      'The composer did not write the requested text. Nothing was stored or charged. Retry, or write it yourself.',
    /** `what`: the text that was to be written, such as `the post`. Never pass the cause: it belongs in the log. */
    message: (details: { what: string }) =>
      `The composer could not write ${details.what}. Nothing was stored or charged. Try again, or write it yourself.`,
  },
  provider_timeout: {
    status: 504,
    type: 'api_error',
    description: 'A provider did not answer in time. Nothing was stored or charged. Retry.',
    /** `provider`: the beginning of the sentence, such as `The composer`. */
    message: (details: { provider: string }) =>
      `${details.provider} did not answer in time. Nothing was stored or charged. Try again shortly.`,
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    description:
      'The database did not answer or was busy for too long, or this process has stopped its service. Retry.',
    message: () => 'The database is busy, or the service cannot reach it right now. Try again shortly.',
  },
});
