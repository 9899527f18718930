// The event catalogue of the standard plugins: each example matches the schema of its event, every event that operations and scenarios
// emit has exactly the declared fields, and every declared event is emitted.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { normaliseAddress } from '../../core/contract/values/addresses.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { familyOf } from '../../core/pipeline/event-patterns.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { callExample } from '../../hosts/testing/stage-example.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import type { SendReport } from '../../plugins/email/index.ts';
import { reservedFamilies, reservedNames } from '../../plugins/events/reserved-families.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite('the catalogue of events');
const { events } = createRegistry(bareStandardPlugins, []);

type Service = Awaited<ReturnType<typeof createTestService<(typeof bareStandardPlugins)[number]['id']>>>;

/** An event as stored in its table. */
interface Emitted {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly data: unknown;
}

/** Declared events that this run does not emit, each with the reason and the test that covers it */
const coveredElsewhere: Readonly<Record<string, string>> = {
  'api.deprecation': 'announcements.test.ts',
  'approval.execution_failed': 'needs a check that fails after the approval: approvals-members.test.ts',
  'budget.reached': 'needs a budget that is nearly used up: email-budgets.test.ts',
  'link.abuse_flagged': 'needs a block list: links-abuse.test.ts',
  'link.disabled_for_abuse': 'needs a block list: links-abuse.test.ts',
  'link.reinstated': 'needs a block list: links-abuse.test.ts',
  'creation.failed': 'needs a composer that fails: creations.test.ts',
  'content_plan.run.completed': 'needs decisions between jobs: content-plan-runs.test.ts',
  'content_plan.run.failed': 'needs a decision after a job: content-plan-runs.test.ts',
  'lead_magnet.failed': 'needs a composer that fails: lead-magnets.test.ts',
  'list_member.confirmed': 'needs a token of a mail: lists-confirming.test.ts',
  'page.failed': 'needs a composer that fails: pages-building.test.ts',
  'page.form_submitted': 'needs a visitor: pages-forms.test.ts',
  'page.form_confirmed': 'needs a token of a mail: pages-forms-confirmed.test.ts',
  'reputation.held': 'needs many bounces: reputation.test.ts',
  'reputation.warned': 'needs many bounces: reputation.test.ts',
  'sequence_run.node_reached': 'needs a webhook node: sequences-sends.test.ts',
  'sequence_run.exited': 'needs a run of a sequence that is archived: sequences-runs.test.ts',
  'sequence_run.failed': 'needs a step without permission: sequences-sends.test.ts',
  'social.post.published': 'needs an account whose network answers: social-publication.test.ts',
  'social.post.partially_published': 'needs two accounts: social-publication-ends.test.ts',
  'sms.delivered': 'needs a report of the carrier: sms.test.ts',
  'sms.failed': 'needs a report of the carrier: sms.test.ts',
  'sms.opted_out': 'needs a message of the recipient: sms.test.ts',
  'topic.unsubscribed': 'needs a link of a mail: topics-mail.test.ts',
  'webhook.disabled': 'needs five days of failures: the tests of the plugin webhooks',
};

const scenarios = [
  'delivered',
  'hard_bounced',
  'soft_bounced',
  'delivery_delayed',
  'complained',
  'opened',
  'clicked',
  'failed',
  'suppressed',
] as const;

async function runOperations(bench: Service): Promise<void> {
  const kit = createFixtureKit(bench);
  for (const operation of bench.service.core.registry.operations.values()) {
    const fixture = await operation.fixture(kit);
    const headers = operation.idempotency === 'read' ? {} : { 'idempotency-key': kit.unique('catalogue') };
    // The clock advances because of the rate limit of the key.
    bench.advanceClock(100);
    const { status, body } = await callExample(bench, operation, fixture, headers);
    assert.is(status, operation.status, `${operation.id}: ${JSON.stringify(body)}`);
  }
  await bench.drain();
}

/** Covers the cases without a fixture: reports of providers, scheduled sends, suppressed sends, every scenario, changes. */
async function runScenarios(bench: Service): Promise<void> {
  const { service, workspaceId } = bench;
  const live = service.as(workspaceId);
  for (const plan of ['pro', 'scale']) await live.contacts.upsert({ email: 'ada@example.com', attributes: { plan } });
  const sandbox = service.as(workspaceId, { sandbox: true });
  await live.templates.create({ key: 'catalogue', subject: 'Hello', body: '<p>Hello</p>', mode: 'html' });
  await live.templates.publish({ key: 'catalogue' });
  await live.links.create({ destinationUrl: 'https://example.com/', slug: 'catalogue' });
  await service.dispatch({ method: 'GET', url: '/l/catalogue', headers: {}, body: undefined });
  const template = 'catalogue';
  for (const simulationScenario of scenarios)
    await sandbox.email.send({ template, to: 'ada@example.com', simulationScenario });
  await live.email.send({ template, to: 'later@example.com', send_at: new Date(bench.now() + 60_000).toISOString() });
  await live.suppressions.create({ email: 'no@example.com' });
  await live.email.send({ template, to: 'no@example.com' });
  const { id } = await live.email.send({ template, to: 'A.D.A@gmail.com' });
  await bench.drain();
  const reports: readonly SendReport[] = [
    { kind: 'delivered' },
    { kind: 'opened' },
    { kind: 'clicked', url: 'https://example.com/' },
    { kind: 'unsubscribed' },
    { kind: 'unsubscribed' },
    { kind: 'complained' },
  ];
  const kit = createFixtureKit(bench);
  for (const report of reports) await kit.write((ctx) => service.core.services.sendReports.report(ctx, id, report));
  assert.equal(
    (await live.suppressions.list({ reason: 'complaint' })).data.map(({ email }) => email),
    ['ada@gmail.com'],
  );
}

async function emittedIn(bench: Service): Promise<Emitted[]> {
  const database = await bench.service.core.database();
  const rows = await database.read(bench.workspaceId, ({ db }) =>
    db
      .selectFrom('outbox')
      .select(['id', 'type', 'subject', 'data', 'source'])
      .where('workspace_id', '=', bench.workspaceId)
      .orderBy('id')
      .execute(),
  );
  // Test deliveries are stored together with emitted events: examples, and an empty object in a fixture.
  const isTestDelivery = (type: string, data: string) =>
    data === '{}' || data === JSON.stringify(events.get(type)?.example);
  return rows
    .filter(({ source, type, data }) => source === 'service' && !isTestDelivery(type, data))
    .map(({ source: _, data, ...row }) => ({ ...row, data: JSON.parse(data) }));
}

for (const [type, { data, example, description }] of events)
  test(`the example of ${type} has exactly the declared fields`, () => {
    assert.equal(data.parse(example), example);
    assert.match(description, /^[A-Z].*\.$/);
  });

test('the name and the family of every event are reserved', () => {
  for (const type of events.keys()) {
    assert.ok(reservedNames.has(type), type);
    assert.ok((reservedFamilies as readonly string[]).includes(familyOf(type)), type);
  }
});

test('a run over all operations emits exactly the declared events, with the declared fields', async () => {
  const bench = await createTestService({ plugins: bareStandardPlugins });
  try {
    const database = await bench.service.core.database();
    await database.transact(async (scope) =>
      setInterests(scope.handle(oneSide(bench.workspaceId, false)), { consumer: 'testing', subscriberId: 'testing' }, [
        '*',
      ]),
    );
    await runOperations(bench);
    await runScenarios(bench);
    await bench.service.changelog.publish({ title: 'Faster', date: '2026-01-01', changes: ['All is faster.'] });
    bench.advanceClock(3_600_000);
    await bench.drain();
    const emittedEvents = await emittedIn(bench);
    for (const { type, data } of emittedEvents) {
      const declaration = events.get(type);
      assert.ok(declaration, type);
      const result = declaration?.data.safeParse(data);
      assert.ok(result?.success, `${type}: ${JSON.stringify(data)}`);
      assert.equal(result?.data, data, type);
    }
    const types = new Set(emittedEvents.map(({ type }) => type));
    assert.equal(
      [...events.keys()].filter((type) => !types.has(type)),
      [...events.keys()].filter((type) => type in coveredElsewhere),
    );

    const sends = emittedEvents.filter(({ type }) => /^(send|transactional)\./.test(type));
    assert.ok(sends.length > 20);
    for (const { id, subject, data } of sends) {
      const { to, event, events: timeline } = data as { to: string; event: { id: string }; events: { id: string }[] };
      assert.is(event.id, id, 'the item of the timeline and the event are one fact');
      assert.is(timeline.at(-1)?.id, id);
      assert.is(subject, normaliseAddress(to));
    }
    assert.ok(sends.some(({ subject }) => subject === 'ada@gmail.com'));
    assert.is(sends.filter(({ type }) => type === 'send.unsubscribed').length, 1);
  } finally {
    await bench.close();
  }
});

test('an event that differs from its declaration is refused outside production', async () => {
  const bench = await createTestService({ plugins: bareStandardPlugins });
  try {
    const kit = createFixtureKit(bench);
    const wrong = { key: 'receipt', from: 1, to: 'two', breaking: false, added: [], removed: [] };
    let refusal = '';
    await kit
      .write(async (ctx) => void ctx.emit('schema_contract.changed', wrong as never))
      .catch((error: unknown) => {
        refusal = String(error);
      });
    assert.match(refusal, /expected number/);
  } finally {
    await bench.close();
  }
});

test.run();
