// Unknown options of in-process calls are refused by name: a misspelt `trx` would let mail leave outside the
// caller's transaction, a misspelt `sandbox` would send it.
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

test('a misspelt option is refused by name with the one that was meant, and nothing is sent', async () => {
  const opts = { idempotencyKey: 'k', transaction: {} };
  // No literal, so that it compiles.
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

test('what is no object is refused, too', async () => {
  for (const given of [null, 'k', 7])
    assert.match((await refusal(given))[2], /^The second argument must be an object with idempotencyKey, dryRun, /);
});

test('the refusal has a request id', async () => {
  const error = await email.send(message, { transaction: {} } as never).catch((thrown: unknown) => thrown);
  assert.match(isPostriderError(error) ? (error.requestId ?? '') : '', /^req_/);
});

test('known options are taken', async () => {
  const { signal } = new AbortController();
  const { suppressions } = under.service.as(under.workspaceId);
  const options = { idempotencyKey: 'k', dryRun: true, requestId: 'r', signal };
  const made = await suppressions.create({ email: 'ada@example.com' }, options);
  assert.is(made.email, 'ada@example.com');
});

test('a caller with a misspelt sandbox does not send', () => {
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

test('as() refuses what is no id of a workspace at once', () => {
  for (const id of [undefined, null, '', 7, {}])
    assert.throws(
      () => under.service.as(id as never),
      (error: unknown) => /^as\(\) takes the id of a workspace/.test((error as Error).message),
    );
});

test.run();
