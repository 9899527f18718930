// The checks of every operation: its fixture succeeds, and a key without its scope and an unknown field are refused.
import * as assert from 'node:assert/strict';
import { type OperationCase, type OperationCheck, send, succeeds } from './request.ts';
import { changesBetween, rowsOf } from './rows.ts';
import { droppingObjects } from './unknown-fields.ts';

async function succeedsWithExample(testCase: OperationCase): Promise<void> {
  await succeeds(testCase);
  const { audit } = testCase.operation;
  const entries = await testCase.test.request('/v1/audit?limit=100');
  if (entries.status !== 200 || audit === undefined) return;
  const actions = (entries.body.data as { action: string }[]).map((entry) => entry.action);
  assert.ok(actions.includes(audit.action), `no audit entry ${audit.action} was written`);
}

async function needsScope(testCase: OperationCase): Promise<void> {
  const { test, operation } = testCase;
  assert.equal((await send(testCase, {}, { key: '' })).status, 401);
  const { scopes } = test.service.core.registry;
  const otherScopes = scopes
    .preset('full')
    .filter((scope) => !operation.scopes.some((needed) => scopes.expand([scope]).has(needed)));
  if (operation.anyKey || otherScopes.length === 0) return;
  const key = await test.keyWith(otherScopes);
  const before = await rowsOf(test);
  const refused = await send(testCase, {}, { key });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error.code, 'insufficient_scope');
  for (const scope of operation.scopes)
    assert.ok(refused.body.error.message.includes(scope), 'the message names the scope');
  assert.deepEqual(changesBetween(before, await rowsOf(test)), [], 'a refused call changed rows');
  await succeeds(testCase);
}

async function refusesUnknownField(testCase: OperationCase): Promise<void> {
  const { operation, fixture } = testCase;
  const changes =
    operation.input.body === undefined
      ? { query: { ...fixture.query, surprise: '1' } }
      : { body: { ...(fixture.body as object), surprise: 1 } };
  const { status, body } = await send(testCase, changes);
  assert.equal(status, 422);
  assert.equal(body.error.code, 'validation_failed');
  assert.ok(body.error.details.some((detail: { path: string }) => detail.path === 'surprise'));
  assert.deepEqual(
    droppingObjects(operation),
    [],
    `these objects in the body of ${operation.id} drop fields that they do not know: write z.strictObject in place of z.object`,
  );
}

/** The checks of every operation. */
export const ordinaryChecks: readonly OperationCheck[] = [
  { name: 'succeeds with its example input', run: succeedsWithExample },
  { name: 'needs a key and its scope', run: needsScope },
  { name: 'refuses an unknown field', run: refusesUnknownField },
];
