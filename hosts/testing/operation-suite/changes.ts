// The checks of operations that change something: a dry run leaves every row unchanged, and a repeated key is replayed.
import * as assert from 'node:assert/strict';
import type { FixtureRequest } from '../../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import { differingBody } from './differing-body.ts';
import { type OperationCase, type OperationCheck, send, succeeds, withUnknownTexts } from './request.ts';
import { changesBetween, rowsOf } from './rows.ts';

async function leavesNothing(testCase: OperationCase): Promise<void> {
  const { test } = testCase;
  const before = await rowsOf(test);
  const { headers } = await succeeds(testCase, {}, { headers: { 'dry-run': 'true' } });
  assert.equal(headers['Dry-Run'], 'true');
  assert.deepEqual(changesBetween(before, await rowsOf(test)), [], 'the dry run changed rows');
  await succeeds(testCase);
  assert.notDeepEqual(
    changesBetween(before, await rowsOf(test)),
    [],
    'the same call without a dry run changed nothing either',
  );
}

/** A different request, with another body or for another row. Undefined if all requests are the same. */
function differentRequest({
  operation,
  fixture: { params, body, otherBody },
}: OperationCase): FixtureRequest | undefined {
  const { id, input } = operation;
  if (otherBody !== undefined) return { body: otherBody };
  const fields = input.body?.shape ?? {};
  if (Object.keys(fields).length === 0)
    return input.params === undefined ? undefined : { params: withUnknownTexts(params ?? {}) };
  const fixtureBody = (body ?? {}) as Readonly<Record<string, unknown>>;
  const other = differingBody(fields, fixtureBody);
  assert.ok(
    other !== undefined,
    `No field of ${id} takes another value that the test knows: give its fixture otherBody.`,
  );
  return { body: other };
}

async function replays(testCase: OperationCase): Promise<void> {
  const { test } = testCase;
  const withKey = { headers: { 'idempotency-key': `replay-${testCase.operation.id}` } };
  const first = await succeeds(testCase, {}, withKey);
  const rows = await rowsOf(test);
  const second = await send(testCase, {}, withKey);
  assert.equal(second.status, first.status);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['Idempotent-Replay'], 'true');
  assert.deepEqual(changesBetween(rows, await rowsOf(test)), [], 'the replay wrote something');
  const another = differentRequest(testCase);
  if (another === undefined) return;
  const other = await send(testCase, another, withKey);
  assert.equal(other.body.error?.code, 'idempotency_key_mismatch', JSON.stringify(other.body));
  test.advanceClock(86_400_000 - 1);
  assert.equal((await send(testCase, {}, withKey)).headers['Idempotent-Replay'], 'true', 'replayed for 24 hours');
}

/** The checks of mutating operations. The replay comes last, because it advances the clock by a day. */
export const changeChecks = ({ idempotency }: Operation): readonly OperationCheck[] => [
  ...(idempotency === 'read' ? [] : [{ name: 'leaves nothing behind a dry run', run: leavesNothing }]),
  ...(idempotency === 'replay'
    ? [{ name: 'replays its answer to a repeated key, and only to the same request', run: replays }]
    : []),
];
