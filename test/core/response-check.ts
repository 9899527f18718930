// Checks that every response must pass, for any request: no 5xx, JSON, the documented error envelope for an error, an X-Request-Id, and
// at most four seconds of processor time. Called by fuzz-target.ts. Returns all faults and throws no error.
import type { ErrorDefinition } from '../../core/contract/errors/errors.ts';
import type { HttpRequest, HttpResponse } from '../../core/contract/http/http.ts';
import { bodyBytes } from '../../hosts/testing/body-bytes.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';

/** A line that the service logged. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A response and its faults */
export interface CheckedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Json;
  /** One sentence for each fault. Empty if the response is correct. */
  readonly faults: readonly string[];
}

/** A parsed response, for tests that know which fields to expect. */
export type Json = TestResponse['body'];

/** The milliseconds of processor time that one response may take. Time of other processes does not count. */
const maxMs = 4_000;

/** The maximum length of a text in an envelope, so that a response cannot repeat a caller's input many times */
const maxTextLength = 1_001;

const requestIdPattern = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
const headerNamePattern = /^[A-Za-z0-9-]+$/;
const headerValuePattern = /^[ -~]*$/;
const types = new Set([
  ...['validation_error', 'authentication_error', 'permission_error', 'billing_error', 'not_found_error'],
  ...['conflict_error', 'rate_limit_exceeded', 'api_error'],
]);
const members = new Set(['type', 'code', 'message', 'request_id', 'retry_after_seconds', 'details', 'docs_url']);
const isToolEndpoint = (url: string): boolean => /^\/v1\/mcp\/?(\?|$)/.test(url);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The faults of an error envelope. `status` is the HTTP status of the response, if it is known. */
function envelopeFaults(
  body: unknown,
  status: number | undefined,
  requestId: string | undefined,
  known: ReadonlyMap<string, ErrorDefinition>,
): string[] {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error)) return ['a refusal without an envelope'];
  const faults: string[] = [];
  const { type, code, message, request_id: id, details } = error;
  const definition = typeof code === 'string' ? known.get(code) : undefined;
  if (definition === undefined) faults.push(`the code ${String(code)} is declared nowhere`);
  if (!types.has(type as string) || (definition !== undefined && definition.type !== type))
    faults.push(`the type ${String(type)} is not that of ${String(code)}`);
  const expectedStatus = status ?? definition?.status ?? 0;
  if (definition !== undefined && definition.status !== expectedStatus)
    faults.push(`${String(code)} came with status ${expectedStatus}`);
  if (expectedStatus >= 500)
    faults.push(`the envelope of an answer with status ${expectedStatus} has the code ${String(code)}`);
  if (typeof message !== 'string' || message === '' || message.length > maxTextLength)
    faults.push('the envelope has no message, or its message is too long');
  if (id !== requestId) faults.push(`the envelope names the request ${String(id)}, the header ${String(requestId)}`);
  for (const name of Object.keys(error)) if (!members.has(name)) faults.push(`the envelope has a member ${name}`);
  if (details !== undefined) faults.push(...detailFaults(details));
  return faults;
}

function detailFaults(details: unknown): string[] {
  if (!Array.isArray(details) || details.length === 0 || details.length > 50)
    return ['details are not a list of 1 to 50'];
  const isDetail = (detail: unknown) =>
    isRecord(detail) &&
    Object.keys(detail).sort().join() === 'code,message,path' &&
    Object.values(detail).every((value) => typeof value === 'string' && value.length <= maxTextLength);
  return details.every(isDetail) ? [] : ['a detail is not { path, code, message }'];
}

function rpcFaults(
  json: unknown,
  requestId: string | undefined,
  known: ReadonlyMap<string, ErrorDefinition>,
): string[] {
  if (!isRecord(json) || json.jsonrpc !== '2.0' || !('id' in json)) return ['the answer is not a JSON-RPC message'];
  const { error, result } = json;
  if ((error === undefined) === (result === undefined))
    return ['the answer does not have exactly one of result and error'];
  if (error !== undefined) {
    if (!isRecord(error) || !Number.isInteger(error.code) || typeof error.message !== 'string')
      return ['the fault is not { code, message }'];
    if (error.code === -32603) return ['an internal error of the protocol'];
    return isRecord(error.data) && 'error' in error.data ? envelopeFaults(error.data, undefined, requestId, known) : [];
  }
  if (!isRecord(result) || !Array.isArray(result.content)) return [];
  const isDryRun = isRecord(result._meta) && 'dry-run' in result._meta;
  // A sentence may precede the JSON: in a dry run, if a call waits, or about the consequences of a call.
  const blocks = result.content as { text?: string }[];
  const sentence = isDryRun ? blocks[0] : undefined;
  const block =
    blocks.find(({ text }) => text === JSON.stringify(result.structuredContent)) ?? blocks[isDryRun ? 1 : 0];
  if (isDryRun && sentence?.text?.startsWith('Dry run: ') !== true) return ['a dry run does not say that it is one'];
  if (result.structuredContent !== undefined && block?.text !== JSON.stringify(result.structuredContent))
    return ['the text is not the JSON of the structured content'];
  return result.isError === true ? envelopeFaults(result.structuredContent, undefined, requestId, known) : [];
}

function headerFaults(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    headerNamePattern.test(name) && typeof value === 'string' && headerValuePattern.test(value)
      ? []
      : [`the header ${JSON.stringify(name)} is ${JSON.stringify(value)}`],
  );
}

function parse(text: string): { readonly json: unknown; readonly isJson: boolean } {
  try {
    return { json: JSON.parse(text), isJson: true };
  } catch {
    return { json: undefined, isJson: false };
  }
}

/** Creates a function that checks responses against the declared errors and the log. */
export function createResponseCheck(known: ReadonlyMap<string, ErrorDefinition>, log: readonly LogLine[]) {
  return async (request: HttpRequest, answer: () => Promise<HttpResponse>): Promise<CheckedResponse> => {
    const linesBefore = log.length;
    const before = process.cpuUsage();
    const { status, headers, body } = await answer();
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1_000;
    const text = (await bodyBytes(body)).toString('utf8');
    const { json, isJson } = parse(text);
    const requestId = headers['X-Request-Id'];
    const faults = headerFaults(headers);
    const isTool = isToolEndpoint(request.url) && request.method === 'POST';
    if (!Number.isInteger(status) || status < 200 || status >= 500) faults.push(`status ${status}`);
    if (!requestIdPattern.test(requestId ?? '')) faults.push(`the X-Request-Id is ${String(requestId)}`);
    if (tookMs > maxMs) faults.push(`it took ${Math.round(tookMs)} ms of processor time`);
    if (!isJson && !(isTool && status === 202 && text === '')) faults.push('the body is not JSON');
    else if (isTool && isJson) faults.push(...rpcFaults(json, requestId, known));
    else if (status >= 400) faults.push(...envelopeFaults(json, status, requestId, known));
    for (const line of log.slice(linesBefore))
      if (line.level === 'error') faults.push(`logged: ${line.message} ${JSON.stringify(line.fields).slice(0, 2_000)}`);
    return { status, headers, text, json, faults };
  };
}
