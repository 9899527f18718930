// One operation under test, and its requests, made from the fixture with the changes of a check. Used by the checks of this
// folder.
import * as assert from 'node:assert/strict';
import type { Fixture, FixtureKit, FixtureRequest } from '../../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import type { AnyTestService, TestRequest, TestResponse } from '../test-service.ts';

/** An operation, a service to call it on, and rows that its fixture created on the live side. */
export interface OperationCase {
  readonly test: AnyTestService;
  readonly operation: Operation;
  readonly kit: FixtureKit;
  readonly fixture: Fixture;
}

/** One generated test of an operation. */
export interface OperationCheck {
  readonly name: string;
  run(testCase: OperationCase): Promise<void>;
}

let sent = 0;

/** An Idempotency-Key that no other request has. */
export function freshKey(): Readonly<Record<string, string>> {
  sent += 1;
  return { 'idempotency-key': `generated-${sent}` };
}

/** Whether the operation changes something. */
export const isMutating = ({ idempotency }: Operation): boolean => idempotency !== 'read';

/** Sends the fixture's request, changed by `changes`, with a new Idempotency-Key unless `request` has one. */
export function send(
  { test, operation, fixture }: OperationCase,
  changes: FixtureRequest = {},
  request: TestRequest = {},
): Promise<TestResponse> {
  const { params = {}, query = {}, body = {} } = { ...fixture, ...changes };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return test.request(search === '' ? path : `${path}?${search}`, {
    method: operation.method,
    ...(operation.input.body === undefined ? {} : { body }),
    ...request,
    headers: { ...(isMutating(operation) ? freshKey() : {}), ...request.headers },
  });
}

/** The logged cause of an `internal_error`, as the end of a message. */
export const causeIn = ({ cause }: TestResponse): string => (cause === undefined ? '' : `\nThe cause: ${cause}`);

/** Sends the fixture's request and requires that it succeeds. */
export async function succeeds(testCase: OperationCase, changes: FixtureRequest = {}, request: TestRequest = {}) {
  const { operation } = testCase;
  const response = await send(testCase, changes, request);
  const statuses = [operation.status, operation.secondSuccess?.status];
  assert.ok(
    statuses.includes(response.status),
    `the fixture of ${operation.id} is refused with ${response.status}: ${JSON.stringify(response.body)}${causeIn(response)}`,
  );
  return response;
}

/** A value with a different last character in each of its texts: ids of the same format that no row has. */
export function withUnknownTexts<T>(value: T): T {
  const changed = (part: unknown): unknown => {
    if (typeof part === 'string') return `${part.slice(0, -1)}${part.endsWith('0') ? '1' : '0'}`;
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, changed(inner)]));
  };
  return changed(value) as T;
}

/** The texts in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
