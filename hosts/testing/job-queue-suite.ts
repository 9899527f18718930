// The shared tests of external job queues: the guarantees on which the relay and the worker rely. An adapter's test file calls
// the suite with its runner's `test(name, fn)`. It knows no vendor and no test library. Order and exactly-once delivery are not
// required.
import * as assert from 'node:assert/strict';
import { type Lane, lanes } from '../../core/contract/declaration/jobs.ts';
import type { JobQueue, JobReference, OutgoingReference, QueueConsumer } from '../../core/contract/ports/queue.ts';

/** An empty queue for one test. */
export interface QueueUnderTest {
  /** Opens the queue. Each call returns a new adapter on the same queue, as in another process. */
  open(): JobQueue;
  remove(): Promise<void>;
}

/** The maximum time for a delivery. */
const deliveredMs = 20_000;
const pollMs = 10;

async function until(condition: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + deliveredMs;
  while (!holds()) {
    assert.ok(performance.now() < deadline, `${condition}, not within ${deliveredMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const references = (count: number, lane: Lane, delayMs = 0): OutgoingReference[] =>
  Array.from({ length: count }, (_, index) => ({
    jobId: `job_${lane}_${index}`,
    workspaceId: `ws_${index % 3}`,
    lane,
    dueAt: 1_793_000_000_000 + index,
    delayMs,
  }));

const withoutDelay = ({ jobId, workspaceId, lane, dueAt }: JobReference): JobReference => ({
  jobId,
  workspaceId,
  lane,
  dueAt,
});
const idsOf = (list: readonly JobReference[]): string[] => list.map(({ jobId }) => jobId).sort();

/** Collects the references of a consumer, and can block its handlers until they are released. */
class Inbox {
  readonly received: JobReference[] = [];
  readonly faults: unknown[] = [];
  #holding: (() => void)[] | undefined;

  consume(
    queue: JobQueue,
    handle?: (reference: JobReference, times: number) => void,
    prefetch = 50,
  ): Promise<QueueConsumer> {
    return queue.consume(
      async (reference) => {
        this.received.push(reference);
        handle?.(reference, this.received.filter(({ jobId }) => jobId === reference.jobId).length);
        const holding = this.#holding;
        if (holding !== undefined) await new Promise<void>((resolve) => holding.push(resolve));
      },
      { prefetch: () => prefetch, maxPrefetch: () => prefetch, onError: (error) => this.faults.push(error) },
    );
  }

  hold(): void {
    this.#holding = [];
  }

  release(): void {
    for (const resolve of this.#holding ?? []) resolve();
    this.#holding = undefined;
  }
}

/**
 * Registers the tests of the queue port.
 * @param create makes an empty queue
 * @param test the runner's own registration
 */
export function jobQueueSuite(
  name: string,
  create: () => Promise<QueueUnderTest>,
  test: (name: string, run: () => Promise<void>) => void,
): void {
  const check = (title: string, run: (queue: JobQueue, subject: QueueUnderTest) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => {
      const place = await create();
      const queue = place.open();
      try {
        await run(queue, place);
      } finally {
        await queue.close();
        await place.remove();
      }
    });
  };

  check('delivers every reference of every lane as it was sent', async (queue) => {
    await queue.check();
    const sent = lanes.flatMap((lane) => references(25, lane));
    assert.deepEqual(await queue.send(sent), []);
    const inbox = new Inbox();
    const consumer = await inbox.consume(queue);
    await until('everything is delivered', () => new Set(idsOf(inbox.received)).size === sent.length);
    await consumer.stop();
    const first = new Map(inbox.received.map((reference) => [reference.jobId, withoutDelay(reference)]));
    assert.deepEqual(first, new Map(sent.map((reference) => [reference.jobId, withoutDelay(reference)])));
    assert.deepEqual(inbox.faults, []);
  });

  check('delivers to consumers of another process', async (queue, place) => {
    const other = place.open();
    const inbox = new Inbox();
    const consumer = await inbox.consume(other);
    await queue.send(references(40, 'normal'));
    await until('everything is delivered', () => new Set(idsOf(inbox.received)).size === 40);
    await consumer.stop();
    await other.close();
  });

  check('delivers a reference again if its handler failed', async (queue) => {
    const inbox = new Inbox();
    const consumer = await inbox.consume(queue, (_, times) => {
      if (times === 1) throw new Error('the database is unavailable');
    });
    await queue.send(references(3, 'normal'));
    await until('each is delivered twice', () =>
      references(3, 'normal').every(({ jobId }) => inbox.received.filter((one) => one.jobId === jobId).length >= 2),
    );
    await consumer.stop();
  });

  check('does not deliver handled references again to a later consumer', async (queue, place) => {
    const inbox = new Inbox();
    const consumer = await inbox.consume(queue);
    await queue.send(references(20, 'bulk'));
    await until('everything is delivered', () => inbox.received.length === 20);
    await consumer.stop();
    const other = place.open();
    const later = new Inbox();
    const second = await later.consume(other);
    await other.send(references(1, 'urgent'));
    await until('the new one is delivered', () => later.received.length > 0);
    await second.stop();
    await other.close();
    assert.deepEqual(idsOf(later.received), ['job_urgent_0']);
  });

  check('delivers delayed references only after their delay', async (queue) => {
    if (queue.maxDelayMs === 0) return;
    const inbox = new Inbox();
    const consumer = await inbox.consume(queue);
    const sentAt = Date.now();
    await queue.send([...references(1, 'normal', 2_000), ...references(1, 'urgent')]);
    await until('both are delivered', () => inbox.received.length === 2);
    const tookMs = Date.now() - sentAt;
    await consumer.stop();
    assert.deepEqual(
      inbox.received.map(({ lane }) => lane),
      ['urgent', 'normal'],
    );
    // A second less, because some queues count in seconds.
    assert.ok(tookMs >= 1_000, `delivered after ${tookMs} ms`);
  });

  check('delivers urgent references before waiting bulk references', async (queue) => {
    const inbox = new Inbox();
    inbox.hold();
    const consumer = await inbox.consume(queue, undefined, 4);
    await queue.send(references(200, 'bulk'));
    await until('the consumer is busy with bulk ones', () => inbox.received.length >= 2);
    await queue.send(references(1, 'urgent'));
    await until('the urgent one is delivered while they are held', () =>
      inbox.received.some(({ lane }) => lane === 'urgent'),
    );
    assert.ok(inbox.received.length < 60, `${inbox.received.length} were delivered at once`);
    const stopped = consumer.stop();
    inbox.release();
    await stopped;
  });

  check('waits for handlers when it stops, and delivers the rest to the next consumer', async (queue, place) => {
    const inbox = new Inbox();
    inbox.hold();
    const consumer = await inbox.consume(queue, undefined, 5);
    await queue.send(references(60, 'normal'));
    await until('the consumer is busy', () => inbox.received.length >= 2);
    let stopped = false;
    const stopping = consumer.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(stopped, false);
    inbox.release();
    await stopping;
    const before = inbox.received.length;
    const other = place.open();
    const later = new Inbox();
    const next = await later.consume(other);
    const all = references(60, 'normal').length;
    await until(
      'the rest is delivered',
      () => new Set([...idsOf(inbox.received), ...idsOf(later.received)]).size === all,
    );
    await next.stop();
    await other.close();
    assert.equal(inbox.received.length, before, 'the stopped consumer went on');
  });

  check('stops a consumer that waits for messages', async (queue) => {
    const consumer = await new Inbox().consume(queue);
    await consumer.stop();
  });
}
