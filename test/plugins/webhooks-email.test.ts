// Mail events over webhooks: each fact arrives once, whatever the number of its reports, with its id in the timeline and the metadata of
// the caller. A simulated fact is synthetic.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { BounceDetails } from '../../plugins/email/port/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const bounce: BounceDetails = {
  class: 'hard',
  subType: 'no_mailbox',
  smtpCode: 550,
  enhancedCode: '5.1.1',
  diagnostic: 'no such user',
};

interface Body {
  readonly id: string;
  readonly type: string;
  readonly synthetic?: boolean;
  readonly data: { readonly id: string; readonly metadata?: object; readonly event: { readonly id: string } };
}

const typesOf = (bodies: readonly Body[]): string[] => bodies.map(({ type }) => type).sort();

await eachDatabase('mail and webhooks', (test, database) => {
  /** `bodies` returns the bodies that were posted to the live or the sandbox subscription. */
  const withBoth = async (
    work: (bench: MailBench, bodies: (side?: 'live' | 'sandbox') => Body[]) => Promise<void>,
  ): Promise<void> => {
    const receiver = await WebhookReceiver.start();
    const bench = await openMailBench(database);
    try {
      await bench.publish('receipt');
      for (const side of ['live', 'sandbox'])
        await bench.service
          .as(bench.workspaceId, { sandbox: side === 'sandbox' })
          .webhooks.create({ url: `${receiver.url}/${side}`, events: ['send.*'] });
      await work(bench, (side = 'live') =>
        receiver.received.filter(({ path }) => path.endsWith(side)).map(({ body }) => JSON.parse(body) as Body),
      );
    } finally {
      await bench.close();
      await receiver.close();
    }
  };

  test('a fact that is reported many times at the same moment is one event and one delivery', () =>
    withBoth(async (bench, bodies) => {
      const { body } = await bench.send('receipt', { to: 'ada@example.org', variables: { name: 'Ada' } });
      await bench.drain();
      const kit = createFixtureKit(bench);
      const report = () =>
        kit.write((ctx) => bench.service.core.services.sendReports.report(ctx, body.id, { kind: 'bounced', bounce }));
      await Promise.all([report(), report(), report()]);
      await report();
      await bench.drain();
      assert.equal(typesOf(bodies()), ['send.bounced', 'send.queued', 'send.sent']);
      const { events } = await bench.readSend(body.id);
      assert.equal(
        bodies()
          .map(({ id }) => id)
          .sort(),
        events.map(({ id }: { id: string }) => id).sort(),
        'the event and the item on the timeline have the same id',
      );
      for (const { id, data } of bodies()) assert.is(data.event.id, id);
    }));

  test('the metadata of a send is included, and events of a sandbox key are synthetic and only in the sandbox', () =>
    withBoth(async (bench, bodies) => {
      const metadata = { order: 'A-1042' };
      await bench.send(
        'receipt',
        { to: 'ada@example.org', variables: { name: 'Ada' }, metadata, simulationScenario: 'hard_bounced' },
        { key: bench.testKey },
      );
      await bench.drain();
      assert.equal(typesOf(bodies('sandbox')), ['send.bounced', 'send.queued']);
      for (const { synthetic, data } of bodies('sandbox')) {
        assert.is(synthetic, true);
        assert.equal(data.metadata, metadata);
      }
      assert.equal(bodies('live'), []);
    }));

  test('a live send reaches only live subscriptions, and the test send of a live key only sandbox subscriptions', () =>
    withBoth(async (bench, bodies) => {
      await bench.send('receipt', { to: 'ada@example.org', variables: { name: 'Ada' } });
      await bench.drain();
      assert.equal([typesOf(bodies('live')), bodies('sandbox')], [['send.queued', 'send.sent'], []]);
      const { status, body } = await bench.request('/v1/templates/receipt/send-test', {
        body: { variables: { name: 'Ada' } },
        headers: { 'idempotency-key': 'try' },
      });
      assert.is(status, 202, JSON.stringify(body));
      await bench.drain();
      assert.is(bodies('live').length, 2);
      const sandboxBodies = bodies('sandbox');
      assert.ok(sandboxBodies.length > 0);
      assert.ok(sandboxBodies.every(({ synthetic, data }) => synthetic === true && data.id === body.id));
    }));
});
