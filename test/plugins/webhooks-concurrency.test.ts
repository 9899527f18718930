// Receivers that do not respond: at most ten open requests per subscription across all processes, and no receiver delays another. Uses
// real connections and compares only the order of events.
// full-run: slow

import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openWebhookBench } from '../support/webhook-bench.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

/** Waits until `holds` returns true, and throws an error with `label` after 2,000 checks. */
async function until(label: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let checks = 0; checks < 2_000; checks += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`This did not happen: ${label}.`);
}

/** Keeps every request open until the test ends all of them with a response. */
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

  respond(status = 200): void {
    this.receiver.answer = status;
    for (const response of this.responses.splice(0)) {
      response.statusCode = status;
      response.end();
    }
  }
}

await eachDatabase('many receivers', (test, database) => {
  test('a working receiver gets every event while a hundred others do not respond', async () => {
    const hanging = await HangingReceivers.start();
    const bench = await openWebhookBench(database);
    try {
      const { service, workspaceId, foreignWorkspaceId } = bench.test;
      const third = await service.workspaces.create({
        name: 'Third',
        defaultFrom: { email: 'hello@example.org', name: 'Third' },
      });
      // A hundred receivers that do not respond, in three workspaces, because a workspace has at most fifty webhooks.
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
      await until(
        'a hundred receivers have open requests',
        () => new Set(hanging.receiver.received.map(({ path }) => path)).size === 100,
      );
      for (let round = 0; round < 12; round += 1) await bench.emit(`Q-${round}`);
      await until('the live receiver got every event', () => bench.receiver.received.length === 24);
      await until('all deliveries are recorded', async () =>
        (await bench.deliveries(live.id)).every(({ status }) => status === 'delivered'),
      );
      assert.ok(
        hanging.responses.every(({ writableEnded }) => !writableEnded),
        'a request of another receiver was ended early',
      );
      assert.is(new Set(hanging.receiver.received.map(({ path }) => path)).size, 100);
      hanging.respond();
      await until('the other receivers got their events', () => hanging.receiver.received.length >= 49 * 24 + 51 * 12);
    } finally {
      hanging.respond();
      await bench.close();
      await hanging.receiver.close();
    }
  });

  test('a subscription has at most ten open requests, with any backlog and any number of processes', async () => {
    const bench = await openWebhookBench(database, (response) => {
      setTimeout(() => response.end(), 5);
    });
    const otherProcess = await openWebhookBench(database, 200, { tablePrefix: await prefixOf(bench) });
    try {
      const { id } = await bench.subscribe(['parcel.moved']);
      for (let parcel = 0; parcel < 150; parcel += 1) await bench.emit(`P-${parcel}`);
      await Promise.all([bench.test.service.start(), otherProcess.test.service.start()]);
      await until('all events are delivered', () => bench.receiver.received.length >= 150);
      await until('all deliveries are recorded', async () => {
        const { data } = await bench.test.service
          .as(bench.test.workspaceId)
          .webhooks.deliveries({ id, status: 'pending', limit: 1 });
        return data.length === 0;
      });
      assert.is(bench.receiver.received.length, 150, 'each event was posted once');
      assert.ok(bench.receiver.max <= 10, `${bench.receiver.max} requests were open at the same time`);
      assert.ok(bench.receiver.max > 1, 'the requests wait for each other although the limit allows more');
    } finally {
      await otherProcess.close();
      await bench.close();
    }
  });

  test('a receiver that failed gets one request at a time until one succeeds', async () => {
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
      assert.ok(bench.receiver.max > 1, 'afterwards it gets several requests at a time again');
    } finally {
      await bench.close();
    }
  });
});

async function prefixOf({ test }: Awaited<ReturnType<typeof openWebhookBench>>): Promise<string> {
  return (await test.service.core.database()).prefix;
}
