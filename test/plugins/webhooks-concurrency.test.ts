// Hanging receivers: at most ten open requests per subscription across all processes, and no receiver delays another. Uses real connections
// and compares only the order of events.
// full-run: slow

import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openWebhookBench } from '../support/webhook-bench.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

/** Waits until `holds` returns true, and throws with `what` after 2,000 checks. */
async function until(label: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let checks = 0; checks < 2_000; checks += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`It never came to this: ${label}.`);
}

/** Keeps every request open until `letGo` is called. */
class HangingReceivers {
  readonly responses: ServerResponse[] = [];
  readonly receiver: WebhookReceiver;

  private constructor(receiver: WebhookReceiver) {
    this.receiver = receiver;
    receiver.answer = (response) => void this.responses.push(response);
  }

  static async start(): Promise<HangingReceivers> {
    return new HangingReceivers(await WebhookReceiver.start());
  }

  letGo(status = 200): void {
    this.receiver.answer = status;
    for (const response of this.responses.splice(0)) {
      response.statusCode = status;
      response.end();
    }
  }
}

await eachDatabase('many receivers', (test, database) => {
  test('a working receiver gets everything while a hundred others hang', async () => {
    const hanging = await HangingReceivers.start();
    const bench = await openWebhookBench(database);
    try {
      const { service, workspaceId, foreignWorkspaceId } = bench.test;
      const third = await service.workspaces.create({
        name: 'Third',
        defaultFrom: { email: 'hello@example.org', name: 'Third' },
      });
      // A hundred hanging receivers in three workspaces, because a workspace has at most fifty.
      const workspaceIds = [workspaceId, foreignWorkspaceId, third.id];
      for (const [id, count] of [49, 50, 1].entries())
        for (let index = 0; index < count; index += 1) {
          const url = `${hanging.receiver.url}/${id}/${index}`;
          await service.as(workspaceIds[id] ?? '').webhooks.create({ url, events: ['parcel.moved'] });
        }
      const live = await bench.subscribe();
      await service.start();
      for (const index of workspaceIds)
        for (let round = 0; round < 12; round += 1) await bench.emit(`P-${round}`, 'parcel.moved', index);
      await until('a hundred hang', () => new Set(hanging.receiver.received.map(({ path }) => path)).size === 100);
      for (let round = 0; round < 12; round += 1) await bench.emit(`Q-${round}`);
      await until('the live receiver got all', () => bench.receiver.received.length === 24);
      await until('all are written down', async () =>
        (await bench.deliveries(live.id)).every(({ status }) => status === 'delivered'),
      );
      assert.ok(
        hanging.responses.every(({ writableEnded }) => !writableEnded),
        'and nobody was let go for it',
      );
      assert.is(new Set(hanging.receiver.received.map(({ path }) => path)).size, 100);
      hanging.letGo();
      await until('the others got theirs', () => hanging.receiver.received.length >= 49 * 24 + 51 * 12);
    } finally {
      hanging.letGo();
      await bench.close();
      await hanging.receiver.close();
    }
  });

  test('a subscription has at most ten open requests, whatever its backlog and the number of processes', async () => {
    const bench = await openWebhookBench(database, (response) => {
      setTimeout(() => response.end(), 5);
    });
    const other = await openWebhookBench(database, 200, { tablePrefix: await prefixOf(bench) });
    try {
      const { id } = await bench.subscribe(['parcel.moved']);
      for (let parcel = 0; parcel < 150; parcel += 1) await bench.emit(`P-${parcel}`);
      await Promise.all([bench.test.service.start(), other.test.service.start()]);
      await until('all are delivered', () => bench.receiver.received.length >= 150);
      await until('all are written down', async () => {
        const { data } = await bench.test.service
          .as(bench.test.workspaceId)
          .webhooks.deliveries({ id, status: 'pending', limit: 1 });
        return data.length === 0;
      });
      assert.is(bench.receiver.received.length, 150, 'each once');
      assert.ok(bench.receiver.max <= 10, `${bench.receiver.max} were open at once`);
      assert.ok(bench.receiver.max > 1, 'they do not wait for each other without need');
    } finally {
      await other.close();
      await bench.close();
    }
  });

  test('a receiver that failed gets one request at a time until it succeeds', async () => {
    const bench = await openWebhookBench(database, 500);
    try {
      await bench.subscribe(['parcel.moved']);
      await bench.emit('first');
      await bench.test.drain();
      bench.receiver.max = 0;
      bench.receiver.answer = (response) => {
        setTimeout(() => {
          response.statusCode = 500;
          response.end();
        }, 5);
      };
      for (let parcel = 0; parcel < 30; parcel += 1) await bench.emit(`P-${parcel}`);
      await bench.test.drain();
      assert.equal([bench.receiver.received.length, bench.receiver.max], [31, 1]);
      bench.receiver.answer = (response) => {
        setTimeout(() => response.end(), 5);
      };
      bench.test.advanceClock(60_000);
      await bench.test.drain();
      assert.is(bench.receiver.received.length, 62);
      assert.ok(bench.receiver.max > 1, 'then it gets its width back');
    } finally {
      await bench.close();
    }
  });
});

async function prefixOf({ test }: Awaited<ReturnType<typeof openWebhookBench>>): Promise<string> {
  return (await test.service.core.database()).prefix;
}
