// What operations that change something are held to: a dry run leaves every row as it was, a repeated key is replayed.
import * as assert from 'node:assert/strict';
import type { FixtureRequest } from '../../contract/fixture.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Case, Check } from './request.ts';
import { send, succeeds, unlike } from './request.ts';
import { changesBetween, rowsOf } from './rows.ts';

async function leavesNothing(one: Case): Promise<void> {
  const { test } = one;
  const before = await rowsOf(test);
  const { headers } = await succeeds(one, {}, { headers: { 'dry-run': 'true' } });
  assert.equal(headers['Dry-Run'], 'true');
  assert.deepEqual(changesBetween(before, await rowsOf(test)), [], 'the dry run changed rows');
  await succeeds(one);
  assert.notDeepEqual(changesBetween(before, await rowsOf(test)), [], 'the control changed nothing either');
}

/** A valid field with another value than the fixture's: the first that takes one of these. */
function differing({ id, input }: Operation, body: object): Record<string, unknown> {
  const given = body as Record<string, unknown>;
  for (const [name, schema] of Object.entries(input.body?.shape ?? {})) {
    const twice = Array.isArray(given[name]) ? [[...given[name], ...given[name]]] : [];
    const { options } = schema as { readonly options?: unknown };
    const words = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
    const values = ['different', 'different@example.org', true, null, 'manual', 7, ['different'], {}];
    for (const value of [...values, ...words, ...twice]) {
      if (
        JSON.stringify(given[name]) !== JSON.stringify(value) &&
        (schema as { safeParse(v: unknown): { success: boolean } }).safeParse(value).success
      ) {
        return { [name]: value };
      }
    }
  }
  throw new Error(`No field of ${id} takes another value.`);
}

/** Another request: with another body, or on another row where no body is taken; undefined where all requests are the same. */
function otherThan({ operation, fixture: { params, body } }: Case): FixtureRequest | undefined {
  const { input } = operation;
  if (input.body === undefined && input.params === undefined) return undefined;
  if (input.body === undefined) return { params: unlike(params ?? {}) };
  const given = (body ?? {}) as object;
  return { body: { ...given, ...differing(operation, given) } };
}

async function replays(one: Case): Promise<void> {
  const { test } = one;
  const keyed = { headers: { 'idempotency-key': `replay-${one.operation.id}` } };
  const first = await succeeds(one, {}, keyed);
  const rows = await rowsOf(test);
  const second = await send(one, {}, keyed);
  assert.equal(second.status, first.status);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['Idempotent-Replay'], 'true');
  assert.deepEqual(changesBetween(rows, await rowsOf(test)), [], 'the replay wrote something');
  const another = otherThan(one);
  if (another === undefined) return;
  const other = await send(one, another, keyed);
  assert.equal(other.body.error?.code, 'idempotency_key_mismatch', JSON.stringify(other.body));
  test.advanceClock(86_400_000 - 1);
  assert.equal((await send(one, {}, keyed)).headers['Idempotent-Replay'], 'true', 'replayed for 24 hours');
}

/** The checks of what changes something. The replay moves the clock a day: it comes last. */
export const changeChecks = ({ idempotency }: Operation): readonly Check[] => [
  ...(idempotency === 'read' ? [] : [{ name: 'leaves nothing behind a dry run', run: leavesNothing }]),
  ...(idempotency === 'replay'
    ? [{ name: 'replays its answer to a repeated key, and only to the same request', run: replays }]
    : []),
];
