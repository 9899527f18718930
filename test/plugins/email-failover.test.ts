// Deliveries through several providers: the provider in the record of a send, and the wait if a provider asks for a delay.
// full-run: slow
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { failoverMail } from '../../adapters/mail/failover.ts';
import { type MailAdapter, MailError } from '../../plugins/email/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';

const second = 1_000;
const variables = { name: 'Ada' };

/** A provider that accepts no message until `isBusy` is false. */
function provider(id: string) {
  const state = { isBusy: true, tries: 0 };
  const adapter: MailAdapter = {
    ...captureMail(),
    id,
    capabilities: { idempotent: false, captures: false },
    async send() {
      state.tries += 1;
      if (!state.isBusy) return {};
      throw new MailError('transient', 'Too many requests', { unavailable: true, retryAfterMs: 90 * second });
    },
  };
  return { adapter, state };
}

await twoDatabases('failover in deliveries', (test, database) => {
  test('a send waits for as long as its providers ask, and its record names the provider that accepted it', async () => {
    const [first, other] = [provider('first'), provider('second')];
    const time = { now: 0 };
    const mail = failoverMail([first.adapter, other.adapter], { now: () => time.now });
    const bench = await openMailBench(database, { mail });
    await bench.publish('receipt');
    const { body } = await bench.send('receipt', { to: 'ada@example.org', variables });
    await bench.drain();
    bench.advanceClock(60 * second);
    await bench.drain();
    assert.equal([first.state.tries, other.state.tries], [1, 1]);
    assert.is((await bench.readSend(body.id)).status, 'delivery_delayed');
    other.state.isBusy = false;
    time.now = 91 * second;
    bench.advanceClock(31 * second);
    await bench.drain();
    const send = await bench.readSend(body.id);
    assert.equal([send.status, send.connectorProvider, other.state.tries], ['sent', 'second', 2]);
    await bench.close();
  });
});
