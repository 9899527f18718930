// Unknown fields of operations, and the suggestions in the error: another argument, the right place for a call option, or another
// operation, in the terms of each interface
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('unknown fields');

const testService = await createTestService({ plugins: standardPlugins });

interface Refused {
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

function hintsOf({ code, details }: Refused, path: string): readonly string[] {
  assert.is(code, 'validation_failed');
  return details.filter((detail) => detail.path === path).map((detail) => `${detail.code}: ${detail.message}`);
}

async function overRest(target: string, body: object, path: string): Promise<readonly string[]> {
  const answer = await testService.request(target, { body });
  assert.is(answer.status, 422);
  return hintsOf(answer.body.error, path);
}

async function overTools(name: string, input: object, path: string): Promise<readonly string[]> {
  const params = { name, arguments: input };
  const { body } = await testService.request('/v1/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  return hintsOf(body.result.structuredContent.error, path);
}

async function refusal(call: Promise<unknown>): Promise<Refused> {
  const error: unknown = await call.then(
    () => assert.unreachable('accepted'),
    (thrown: unknown) => thrown,
  );
  if (!isPostriderError(error) || error.details === undefined) throw error;
  return { code: error.code, details: error.details };
}

const inProcess = async (call: Promise<unknown>, path: string): Promise<readonly string[]> =>
  hintsOf(await refusal(call), path);

const to = 'ada@example.com';
const { email, contacts, events, sends } = testService.service.as(testService.workspaceId);

test('for the field key of a template, the error suggests template', async () => {
  const expectedHints = ['unknown_field: There is no field key here. Did you mean template?'];
  const input = { key: 'receipt', to };
  assert.equal(await overRest('/v1/templates/receipt/send', input, 'key'), expectedHints);
  assert.equal(await overRest('/v1/transactional/send', input, 'key'), expectedHints);
  assert.equal(await overRest('/v1/transactional/batch', input, 'key'), expectedHints);
  assert.equal(await overRest('/v1/transactional/preview', input, 'key'), expectedHints);
  assert.equal(await overTools('send_transactional', input, 'key'), expectedHints);
  assert.equal(await overTools('send_test', input, 'key'), expectedHints);
  assert.equal(await inProcess(email.send(input as never), 'key'), expectedHints);
  // Without the field template in its body, this call refuses key, too, because the path names the template.
  assert.equal(await overRest('/v1/templates/receipt/send-test', input, 'key'), [
    'unknown_field: There is no field key here. Available: to, variables, draft, locale, from, replyTo, reply_to, metadata, tags, headers, attachments.',
  ]);
});

test('a tool without idempotency keys refuses a key and says what a repetition does', async () => {
  const idempotency_key = 'k1';
  assert.equal(await overTools('create_template', { idempotency_key }, 'idempotency_key'), [
    'unknown_field: There is no field idempotency_key here. This call takes no idempotency key: if you do not know whether it took effect, check before you repeat it.',
  ]);
  assert.equal(await overTools('list_sends', { idempotency_key }, 'idempotency_key'), [
    'unknown_field: There is no field idempotency_key here. This call takes no idempotency key: repeating it does no harm.',
  ]);
});

test('a missing field is reported with the name that the caller can pass', async () => {
  assert.equal(await inProcess(email.send({ to } as never), 'template'), ['required: template is required.']);
  assert.equal(await overTools('send_transactional', { to }, 'template'), ['required: template is required.']);
});

test('a misspelt path parameter gets a suggestion', async () => {
  const expectedHints = ['unknown_field: There is no field idd here. Did you mean id?'];
  assert.equal(await inProcess(sends.read({ idd: 'snd_x' } as never), 'idd'), expectedHints);
  assert.equal(await overTools('read_send', { idd: 'snd_x' }, 'idd'), expectedHints);
});

test('call options in the input are refused, and the error names their place', async () => {
  const say = (name: string, hint: string) => [`unknown_field: There is no field ${name} here. ${hint}`];
  for (const name of ['dryRun', 'dry_run', 'DRYRUN']) {
    const header = say(name, 'For a dry run, send the header Dry-Run: true.');
    assert.equal(await overRest('/v1/contacts', { email: to, [name]: true }, name), header);
    assert.equal(await overRest(`/v1/contacts?${name}=true`, { email: to }, name), header);
    const second = say(name, 'For a dry run, pass { dryRun: true } as the second argument.');
    assert.equal(await inProcess(contacts.upsert({ email: to, [name]: true } as never), name), second);
  }
  const argument = say('dryRun', 'For a dry run, give the argument dry_run: true.');
  assert.equal(await overTools('upsert_contact', { email: to, dryRun: true }, 'dryRun'), argument);

  const key = { email: to, idempotencyKey: 'k' };
  const inHeader = say('idempotencyKey', 'Send the header Idempotency-Key.');
  assert.equal(await overRest('/v1/contacts', key, 'idempotencyKey'), inHeader);
  const input = say('idempotencyKey', 'Give the argument idempotency_key.');
  assert.equal(await overTools('upsert_contact', key, 'idempotencyKey'), input);
  const inOptions = say('idempotencyKey', 'Pass { idempotencyKey } as the second argument.');
  assert.equal(await inProcess(contacts.upsert(key as never), 'idempotencyKey'), inOptions);

  const { body } = await testService.request('/v1/contacts', { body: { email: to } });
  assert.equal(
    (await testService.request('/v1/contacts')).body.data.length,
    1,
    'nothing of the refused calls is stored',
  );
  assert.is(body.email, to);
});

test('a read refuses a dry run without suggesting another place', async () => {
  assert.equal(await inProcess(sends.read({ id: 'snd_x', dryRun: true } as never), 'dryRun'), [
    'unknown_field: There is no field dryRun here. Available: id.',
  ]);
});

test('for a field without a similar name, the error lists the valid fields, the same on each interface', async () => {
  const inBody = 'unknown_field: There is no field colours here. Available: email, reason, scope, note, expires_at.';
  const input = { email: to, colours: 'red', steps: [] };
  assert.equal(await overRest('/v1/suppressions', input, 'colours'), [inBody]);
  assert.equal(await overTools('create_suppression', input, 'colours'), [inBody]);
  const { suppressions, templates } = testService.service.as(testService.workspaceId);
  assert.equal(await inProcess(suppressions.create(input as never), 'colours'), [inBody]);
  // The fields are listed only once in each response.
  assert.equal(await overTools('create_suppression', input, 'steps'), [
    'unknown_field: There is no field steps here. Check its spelling, or leave it out.',
  ]);

  // A call also lists the arguments in the path and in the query.
  const expectedHint = /^unknown_field: There is no field zzz here\. Available: key, /;
  assert.match((await overTools('update_template', { key: 'a', zzz: 1 }, 'zzz'))[0] ?? '', expectedHint);
  assert.match((await inProcess(templates.update({ key: 'a', zzz: 1 } as never), 'zzz'))[0] ?? '', expectedHint);
  const nestedInput = { destinationUrl: 'https://example.com', utm: { zzz: 1 } };
  assert.match((await overTools('create_short_link', nestedInput, 'utm.zzz'))[0] ?? '', /Available: source, medium/);
});

test('attributes in the contact of an event are refused, and the error names the call that sets them', async () => {
  const input = { type: 'order.placed', contact: { email: to, attributes: { plan: 'pro' } } };
  const path = 'contact.attributes';
  const say = (call: string) => [
    `unknown_field: There is no field attributes here. An event changes no attributes: set them with ${call}.`,
  ];
  assert.equal(await overRest('/v1/events', input, path), say('POST /v1/contacts'));
  assert.equal(await overTools('emit_event', input, path), say('upsert_contact'));
  assert.equal(await inProcess(events.emit(input as never), path), say('contacts.upsert()'));
});

test.after(() => testService.close());

test.run();
