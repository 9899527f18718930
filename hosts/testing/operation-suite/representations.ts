// The check of the media types that an operation returns apart from JSON: the response has bytes of that type, and a replay has
// the same bytes.
import * as assert from 'node:assert/strict';
import type { Fixture, FixtureRequest } from '../../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../../core/contract/declaration/operation.ts';
import { freshKey, type OperationCase, type OperationCheck, succeeds } from './request.ts';

/** The part of the request that selects the type, if an argument of the operation selects it. */
function changesFor(
  { representationArgument: argument, input }: Operation,
  fixture: Fixture,
  type: string,
): FixtureRequest {
  const [value] = Object.entries(argument?.types ?? {}).find(([, named]) => named === type) ?? [];
  if (argument === undefined || value === undefined) return {};
  const part = input.body !== undefined && argument.name in input.body.shape ? 'body' : 'query';
  return { [part]: { ...(fixture[part] as object | undefined), [argument.name]: value } };
}

async function answersBytes(testCase: OperationCase): Promise<void> {
  const { operation, kit } = testCase;
  for (const type of operation.representations.keys()) {
    const freshFixture: OperationCase = { ...testCase, fixture: await operation.fixture(kit) };
    const request = { headers: { accept: type, ...freshKey() } };
    const changes = changesFor(operation, freshFixture.fixture, type);
    const first = await succeeds(freshFixture, changes, request);
    assert.equal(first.headers['Content-Type']?.split(';')[0], type);
    assert.ok(first.bytes.length > 0, `the answer in ${type} is empty`);
    if (operation.idempotency !== 'replay') continue;
    const second = await succeeds(freshFixture, changes, request);
    assert.equal(second.headers['Idempotent-Replay'], 'true');
    assert.ok(second.bytes.equals(first.bytes), `the replay in ${type} has other bytes`);
  }
}

/** The check of operations with representations. */
export const representationsCheck: OperationCheck = { name: 'returns its other media types', run: answersBytes };
