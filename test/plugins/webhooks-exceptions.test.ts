// Exceptions of deliveries: a subscription that changes during a request, and a secret that cannot be decrypted.
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { openWebhookBench, type WebhookBench } from '../support/webhook-bench.ts';
import type { ScriptedResponse } from '../support/webhook-receiver.ts';

const day = 86_400_000;

const on =
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
  const withBench = on(database);

  test('a webhook that is changed while its receiver responds 410 is not disabled', () =>
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
      assert.is((await callsOf(bench).read({ id })).enabled, false, 'the next one counts');
    }));

  test('a secret that cannot be decrypted fails its deliveries with a reason, and rotating it repairs the webhook', () =>
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
      const lost = await bench.delivery(id);
      assert.is(lost.status, 'failed');
      assert.match(lost.attempts.at(-1)?.error ?? '', /could not make this delivery/);
      assert.is(bench.receiver.received.length, 0);
      const { secret } = await callsOf(bench).rotate({ id });
      assert.match(secret, /^whsec_[\w+/=]{40}$/);
      await callsOf(bench).replay({ deliveryId: lost.id });
      await bench.test.drain();
      assert.is((await bench.delivery(id)).status, 'delivered');
    }));
});
