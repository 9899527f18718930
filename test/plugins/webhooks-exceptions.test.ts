// Special cases of deliveries: a subscription that changes during a request, and a secret that cannot be decrypted.
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { openWebhookBench, type WebhookBench } from '../support/webhook-bench.ts';
import type { ScriptedResponse } from '../support/webhook-receiver.ts';

const day = 86_400_000;

const withWebhooks =
  (database: TestDatabase) =>
  async (work: (bench: WebhookBench) => Promise<void>, answer: ScriptedResponse = 200) => {
    const bench = await openWebhookBench(database, answer);
    try {
      await work(bench);
    } finally {
      await bench.close();
    }
  };

const callsOf = ({ test }: WebhookBench) => test.service.as(test.workspaceId).webhooks;

await twoDatabases('exceptions of webhooks', (test, database) => {
  const withBench = withWebhooks(database);

  test('a webhook is not disabled if it changes while its receiver responds 410', () =>
    withBench(async (bench) => {
      const { id } = await bench.subscribe();
      bench.receiver.answer = (response) => {
        bench.test.advanceClock(1);
        void callsOf(bench)
          .update({ id, description: 'Repaired at this moment' })
          .then(() => response.writeHead(410).end());
      };
      await bench.emit();
      await bench.test.drain();
      assert.is((await bench.delivery(id)).status, 'failed');
      const { enabled, description } = await callsOf(bench).read({ id });
      assert.equal([enabled, description], [true, 'Repaired at this moment']);
      bench.receiver.answer = 410;
      await bench.emit();
      await bench.test.drain();
      assert.is((await callsOf(bench).read({ id })).enabled, false, 'the next 410 counts');
    }));

  test('if a secret cannot be decrypted, its deliveries fail with a reason, and rotating the secret repairs the webhook', () =>
    withBench(async (bench) => {
      const { id } = await bench.subscribe();
      await createFixtureKit(bench.test).write(async ({ trx }) => {
        await trx.db
          .updateTable('webhooks')
          .set({ secrets: Buffer.from('sealed by a key that is lost') })
          .where('workspace_id', '=', trx.workspaceId)
          .where('id', '=', id)
          .execute();
      });
      await bench.emit();
      for (let days = 0; days < 9; days += 1) {
        await bench.test.drain();
        bench.test.advanceClock(day);
      }
      const failedDelivery = await bench.delivery(id);
      assert.is(failedDelivery.status, 'failed');
      assert.match(failedDelivery.attempts.at(-1)?.error ?? '', /could not make this delivery/);
      assert.is(bench.receiver.received.length, 0);
      const { secret } = await callsOf(bench).rotate({ id });
      assert.match(secret, /^whsec_[\w+/=]{40}$/);
      await callsOf(bench).replay({ deliveryId: failedDelivery.id });
      await bench.test.drain();
      assert.is((await bench.delivery(id)).status, 'delivered');
    }));
});
