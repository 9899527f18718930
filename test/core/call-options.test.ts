// Unknown options of in-process calls are refused by name: with a misspelt `trx`, mail would be sent outside the caller's transaction;
// with a misspelt `sandbox`, real mail would be sent.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite('options of calls');

const testService = await createTestService({ plugins: bareStandardPlugins });
const { email } = testService.service.as(testService.workspaceId);
const message = { template: 'login-code', to: 'ada@example.com', variables: { code: '1', expires_in: '1 minute' } };

function detailOf(error: unknown): readonly [path: string, code: string, message: string] {
  if (!isPostriderError(error, 'validation_failed')) throw error;
  const [detail] = error.details ?? [];
  if (detail === undefined) throw error;
  assert.ok(error.message.includes(detail.message), error.message);
  return [detail.path, detail.code, detail.message];
}

async function refusal(options: unknown) {
  const error = await email.send(message, options as never).then(
    () => assert.unreachable('accepted'),
    (thrown: unknown) => thrown,
  );
  return detailOf(error);
}

test('a call refuses a misspelt option, suggests the right name, and sends nothing', async () => {
  const opts = { idempotencyKey: 'k', transaction: {} };
  // This is a variable, because TypeScript would refuse an object literal.
  const error = await email.send(message, opts).catch((thrown: unknown) => thrown);
  assert.equal(detailOf(error), [
    'transaction',
    'unknown_field',
    'The second argument has no option transaction. Did you mean trx?',
  ]);
  for (const [option, meant] of [
    ['tx', 'trx'],
    ['idempotency_key', 'idempotencyKey'],
    ['dryrun', 'dryRun'],
    ['request_id', 'requestId'],
  ] as const)
    assert.equal(await refusal({ [option]: 'x' }), [
      option,
      'unknown_field',
      `The second argument has no option ${option}. Did you mean ${meant}?`,
    ]);
  const [, , listing] = await refusal({ quux: 1 });
  assert.is(
    listing,
    'The second argument has no option quux. Available: idempotencyKey, dryRun, requestId, signal, trx, representation.',
  );
  await testService.drain();
  assert.is(testService.lastMailTo('ada@example.com'), undefined);
});

test('a call refuses options that are not an object', async () => {
  for (const options of [null, 'k', 7])
    assert.match((await refusal(options))[2], /^The second argument must be an object with idempotencyKey, dryRun, /);
});

test('the refusal has a request id', async () => {
  const error = await email.send(message, { transaction: {} } as never).catch((thrown: unknown) => thrown);
  assert.match(isPostriderError(error) ? (error.requestId ?? '') : '', /^req_/);
});

test('a call accepts known options', async () => {
  const { signal } = new AbortController();
  const { suppressions } = testService.service.as(testService.workspaceId);
  const options = { idempotencyKey: 'k', dryRun: true, requestId: 'r', signal };
  const created = await suppressions.create({ email: 'ada@example.com' }, options);
  assert.is(created.email, 'ada@example.com');
});

test('as() refuses a misspelt sandbox option', () => {
  const options = { sandBox: true };
  try {
    testService.service.as(testService.workspaceId, options as never);
    assert.unreachable('accepted');
  } catch (error) {
    assert.equal(detailOf(error), [
      'sandBox',
      'unknown_field',
      'The caller has no option sandBox. Did you mean sandbox?',
    ]);
  }
});

test.after(() => testService.close());

test('as() refuses at once a value that is not a workspace id', () => {
  for (const id of [undefined, null, '', 7, {}])
    assert.throws(
      () => testService.service.as(id as never),
      (error: unknown) => /^as\(\) takes the id of a workspace/.test((error as Error).message),
    );
});

test.run();
