// time-limit: 900
// Sends that a function accepted and had no time to deliver: its instances are frozen as soon as they have answered, and never run again.
// Every send is delivered later, exactly once.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deployExample, sendTo } from '../support/lambda-deployment.ts';
import { httpResponseOf, resultOf } from '../support/lambda-responses.ts';
import { hasLambdaRuntime } from '../support/lambda-runtime.ts';
import { longTests } from '../support/long-tests.ts';
import { hasPostgres } from '../support/postgres-server.ts';

const test = suite('a frozen function');
const sends = longTests ? 10_000 : 120;
/** The time in milliseconds that each instance has to deliver: none, hardly any, and some. */
const settleMs = ['0', '1', '50'];

if ((await hasPostgres()) && hasLambdaRuntime()) {
  test(`all ${sends} accepted sends of frozen instances are delivered later, exactly once`, async () => {
    const deployment = await deployExample();
    try {
      const { sink } = deployment;
      const first = await deployment.start();
      resultOf(await first.invoke({ action: 'migrate' }));
      const { key } = await deployment.seed();
      await first.stop();

      const acceptedIds: string[] = [];
      type Instance = Awaited<ReturnType<typeof deployment.start>>;
      /** Thaws an instance for one send, and freezes it when it has answered. */
      const sendFrom = async (instance: Instance): Promise<void> => {
        const to = `person${acceptedIds.length + 1}@example.com`;
        acceptedIds.push(to);
        instance.child.kill('SIGCONT');
        const { status, body } = httpResponseOf(await instance.invoke(sendTo(key, to)));
        instance.child.kill('SIGSTOP');
        assert.is(status, 202, `${body}\n${instance.output()}`);
      };
      await Promise.all(
        settleMs.map(async (settle) => {
          const instance = await deployment.start({ SETTLE_MS: settle });
          while (acceptedIds.length < sends - 1) await sendFrom(instance);
          // The instance is stopped in its frozen state, and never thawed.
          await instance.stop();
        }),
      );
      // The last instance has no time at all, so at least one send is undelivered, even on a slow machine.
      const last = await deployment.start({ SETTLE_MS: '0' });
      await sendFrom(last);
      await last.stop();
      assert.is(acceptedIds.length, sends);
      assert.ok(sink.messages.length < sends, 'everything was delivered before it was frozen');

      const schedule = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} };
      const laterInstance = await deployment.start();
      for (let hasMore = true; hasMore; ) {
        ({ hasMore } = resultOf<{ hasMore: boolean }>(await laterInstance.invoke(schedule, 15_000)));
      }
      const deliveredTo = sink.messages.flatMap(({ recipients }) => recipients);
      assert.equal(deliveredTo.sort(), acceptedIds.sort());
    } finally {
      await deployment.remove();
    }
  });
}

test.run();
