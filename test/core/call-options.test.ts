// Unknown options of in-process calls are refused by name: with a misspelt `trx`, mail would leave outside the caller's
// transaction; with a misspelt `sandbox`, mail would be sent.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite('options of calls');

const under = await createTestService({ plugins: bareStandardPlugins });
const { email } = under.service.as(under.workspaceId);
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

test('refuses a misspelt option, suggests the right name, and sends nothing', async () => {
  const opts = { idempotencyKey: 'k', transaction: {} };
  // A variable instead of an object literal, because TypeScript would reject the literal.
  const error = await email.send(message, opts).catch((thrown: unknown) => thrown);
  assert.equal(detailOf(error), [
    'transaction',
    'unknown_field',
    'The second argument has no option transaction. Did you mean trx?',
  ]);
  for (const [given, meant] of [
    ['tx', 'trx'],
    ['idempotency_key', 'idempotencyKey'],
    ['dryrun', 'dryRun'],
    ['request_id', 'requestId'],
  ] as const)
    assert.equal(await refusal({ [given]: 'x' }), [
      given,
      'unknown_field',
      `The second argument has no option ${given}. Did you mean ${meant}?`,
    ]);
  const [, , listing] = await refusal({ quux: 1 });
  assert.is(
    listing,
    'The second argument has no option quux. There are: idempotencyKey, dryRun, requestId, signal, trx, representation.',
  );
  await under.drain();
  assert.is(under.lastMailTo('ada@example.com'), undefined);
});

test('refuses options that are not an object', async () => {
  for (const given of [null, 'k', 7])
    assert.match((await refusal(given))[2], /^The second argument must be an object with idempotencyKey, dryRun, /);
});

test('the refusal has a request id', async () => {
  const error = await email.send(message, { transaction: {} } as never).catch((thrown: unknown) => thrown);
  assert.match(isPostriderError(error) ? (error.requestId ?? '') : '', /^req_/);
});

test('accepts known options', async () => {
  const { signal } = new AbortController();
  const { suppressions } = under.service.as(under.workspaceId);
  const options = { idempotencyKey: 'k', dryRun: true, requestId: 'r', signal };
  const made = await suppressions.create({ email: 'ada@example.com' }, options);
  assert.is(made.email, 'ada@example.com');
});

test('as() refuses a misspelt sandbox option', () => {
  const given = { sandBox: true };
  try {
    under.service.as(under.workspaceId, given as never);
    assert.unreachable('accepted');
  } catch (error) {
    assert.equal(detailOf(error), [
      'sandBox',
      'unknown_field',
      'The caller has no option sandBox. Did you mean sandbox?',
    ]);
  }
});

test.after(() => under.close());

test('as() immediately refuses a value that is not a workspace id', () => {
  for (const id of [undefined, null, '', 7, {}])
    assert.throws(
      () => under.service.as(id as never),
      (error: unknown) => /^as\(\) takes the id of a workspace/.test((error as Error).message),
    );
});

test.run();
