// Options that createService refuses: the error names each with its valid form, before anything is composed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { createService } from '../../core/kernel/compose.ts';

const test = suite('options of createService');

/** Returns the message of the refusal. */
function refusalOf(options: unknown, whole = false): string {
  const storage = sqliteStorage({ filename: ':memory:' });
  try {
    createService((whole ? options : { plugins: [], storage, ...(options as object) }) as never);
  } catch (error) {
    assert.is((error as Error).name, 'CompositionError');
    return (error as Error).message;
  }
  return 'accepted';
}

test('a setting among the limits is refused, and the message says where the setting belongs', () => {
  assert.match(
    refusalOf({ limits: { maxBodyBytes: 10 } }),
    /limits .* must be a limit store.*maxBodyBytes belongs in settings/,
  );
  assert.match(refusalOf({ limits: { keyRate: 10 } }), /Rate limits belong in plans/);
});

test('unknown options and members are refused by name, with a suggestion', () => {
  assert.match(refusalOf({ setings: {} }), /no option setings.*Did you mean settings\?/);
  assert.match(refusalOf({ service: {} }), /no option service/);
  assert.match(
    refusalOf({ settings: { maxBodyByte: 5 } }),
    /no option settings\.maxBodyByte\. Did you mean maxBodyBytes\?/,
  );
  assert.match(refusalOf({ openapi: { pubic: true } }), /no option openapi\.pubic\. Did you mean public\?/);
  assert.match(refusalOf({ retention: { audits: '1 day' } }), /no retention\.audits\. Did you mean audit\?/);
  assert.match(refusalOf({ plans: { pro: { rate: 1 } } }), /plans\.pro has no limit rate/);
});

test('one error names all values of the wrong form, each with the right form', () => {
  const message = refusalOf({
    name: 5,
    environment: 'staging',
    publicUrl: 'app.example.com',
    settings: { maxBodyBytes: '10mb', onStoreFailure: 'ignore', jobConcurrency: 0, durableJobEnds: 1 },
    openapi: true,
    logger: console.log,
    members: ['Ada'],
    outgoing: { allow: 'localhost' },
  });
  for (const line of [
    'option name ',
    "'development' or 'production'",
    'publicUrl',
    'settings.maxBodyBytes of createService must be a whole number of bytes',
    "settings.onStoreFailure of createService must be 'allow' or 'deny'",
    'settings.jobConcurrency of createService must be a whole number of jobs, at least 1',
    'settings.durableJobEnds of createService must be true or false',
    'openapi of createService must be an object',
    'methods debug, info, warn and error',
    'option members',
    'outgoing.allow of createService must be a list of strings',
  ])
    assert.ok(message.includes(line), `${line} is missing in:\n${message}`);
});

test('retention accepts durations in words, but no duration that is shorter than the rows are needed', () => {
  assert.match(refusalOf({ retention: { audit: 90 } }), /retention\.audit must be a time such as '30 days'/);
  assert.match(refusalOf({ retention: { audit: '90 weeks' } }), /retention\.audit must be a time such as/);
  assert.match(refusalOf({ retention: { outbox: '1 hour' } }), /retention\.outbox must be at least '2 days'/);
  assert.is(refusalOf({ retention: { audit: 'forever', jobs: '36 hours', outbox: '2.5 days' } }), 'accepted');
});

test('callers in plain JavaScript learn what plugins and storage must be', () => {
  assert.match(refusalOf(undefined, true), /createService takes one object of options/);
  assert.match(
    refusalOf({}, true),
    /storage of createService must be a storage adapter[\s\S]*plugins of createService must be a list of plugins/,
  );
  assert.match(refusalOf({ plugins: [() => undefined] }), /plugins\[0\] is not a plugin, but a function: call it/);
  assert.match(refusalOf({ plugins: [{ id: 'notes' }] }), /plugins\[0\] is not a plugin: make it with definePlugin/);
});

test('a misspelt field of definePlugin is refused by name', () => {
  const notes = definePlugin({ id: 'notes', opertions: [] } as never);
  assert.match(
    refusalOf({ plugins: [notes] }),
    /The plugin notes has the field opertions, which definePlugin does not know\. Did you mean operations\?/,
  );
  const full = definePlugin({ id: 'notes', start: () => undefined, flush: () => undefined, stop: () => undefined });
  assert.is(refusalOf({ plugins: [full] }), 'accepted');
});

test('a string as defaultFrom also gets a clear message', async () => {
  const service = createService({ plugins: [], storage: sqliteStorage({ filename: ':memory:' }), logger: quiet });
  await service.migrate();
  const refused = await service.workspaces
    .create({ name: 'Acme', defaultFrom: 'hello@acme.example' as never })
    .catch((error: unknown) => error as { code: string; message: string });
  assert.equal('code' in refused && refused.code, 'validation_failed');
  assert.match('message' in refused ? refused.message : '', /defaultFrom must be \{ email, name \}/);
  await service.stop();
});

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test.run();
