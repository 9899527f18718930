// The expiry of a send: a code that is valid for minutes is never delivered after its expiry, even if something delayed it.
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { TestRequest } from '../../hosts/testing/index.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { loginCode } from '../../plugins/templates/starters/login-code.ts';
import { magicLink } from '../../plugins/templates/starters/magic-link.ts';
import { passwordReset } from '../../plugins/templates/starters/password-reset.ts';
import { welcome } from '../../plugins/templates/starters/welcome.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { deadPort } from '../support/smtp-server.ts';

const minute = 60_000;
const variables = { name: 'Ada' };

await twoDatabases('the expiry of a send', (test, database) => {
  let bench: MailBench;
  let dead = 0;
  let isDown = false;
  const smtpAt = (port: number) => smtpMail({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  test.before.each(async () => {
    isDown = false;
    dead = await deadPort();
    let opened: MailBench | undefined;
    const mail = (): MailAdapter => ({
      ...smtpAt(dead),
      send: (message, options) => smtpAt(isDown ? dead : (opened?.sink.port ?? dead)).send(message, options),
    });
    opened = await openMailBench(database, { mail });
    bench = opened;
    await bench.publish('receipt');
  });
  test.after.each(() => bench.close());

  const at = (ms: number) => new Date(bench.now() + ms).toISOString();
  const send = async (body: object, request?: TestRequest) =>
    (await bench.send('receipt', { to: 'ada@example.org', variables, ...body }, request)).body;
  const isFailed = async (id: string) => {
    const { status, whyNotSent, events } = await bench.readSend(id);
    assert.equal([status, whyNotSent, events.at(-1).type], ['failed', 'expired', 'send.failed']);
  };

  test('a send that could not leave in time fails at its expiry, and never arrives', async () => {
    isDown = true;
    const code = await send({ expiresIn: 'PT15M' });
    assert.is(code.expiresAt, at(15 * minute));
    const receipt = await send({});
    assert.is(receipt.expiresAt, undefined);
    await bench.drain();
    assert.is((await bench.readSend(code.id)).status, 'delivery_delayed');
    // The fourth attempt would be after the expiry, so the send fails at its expiry.
    for (const pause of [minute, 3 * minute, 10 * minute]) {
      bench.advanceClock(pause);
      await bench.drain();
    }
    assert.is((await bench.readSend(code.id)).status, 'delivery_delayed');
    bench.advanceClock(minute);
    await bench.drain();
    await isFailed(code.id);
    isDown = false;
    bench.advanceClock(4 * 60 * minute);
    await bench.drain();
    assert.equal((await bench.received()).length, 1);
    assert.is((await bench.readSend(receipt.id)).status, 'sent');
  });

  test('after an outage of the whole service, an expired send fails and a valid send leaves', async () => {
    const expiredSend = await send({ expiresAt: at(15 * minute) });
    const valid = await send({ expiresAt: at(5 * 60 * minute) });
    const sandboxSend = await send({ expiresAt: at(15 * minute) }, { key: bench.testKey });
    bench.advanceClock(4 * 60 * minute);
    await bench.drain();
    await isFailed(expiredSend.id);
    assert.is((await bench.readSend(valid.id)).status, 'sent');
    assert.is((await bench.readSend(sandboxSend.id)).whyNotSent, 'expired');
    assert.is((await bench.received()).length, 1);
    const failed = (await bench.events('send.failed')).find(({ id }) => id === expiredSend.id);
    assert.is(failed?.['whyNotSent'], 'expired');
  });

  test('expiresIn counts from the scheduled time, and an expiry that leaves no time to send is refused', async () => {
    const laterSend = await send({ send_at: at(60 * minute), expiresIn: 'PT10M' });
    assert.is(laterSend.expiresAt, at(70 * minute));
    for (const [body, path] of [
      [{ expiresAt: at(0) }, 'expiresAt'],
      [{ expiresAt: at(-minute) }, 'expiresAt'],
      [{ send_at: at(60 * minute), expiresAt: at(60 * minute) }, 'expiresAt'],
      [{ expiresAt: at(minute), expiresIn: 'PT1M' }, 'expiresIn'],
      [{ expiresIn: '' }, 'expiresIn'],
      [{ expiresIn: 'P1M' }, 'expiresIn'],
      [{ expiresIn: '-PT5M' }, 'expiresIn'],
      [{ expiresIn: 'PT0S' }, 'expiresIn'],
      [{ expiresIn: 'P31D' }, 'expiresIn'],
      [{ expiresIn: '15 minutes' }, 'expiresIn'],
      [{ expiresAt: '2026-02-30T00:00:00Z' }, 'expiresAt'],
    ] as const) {
      const { error } = await send(body);
      assert.equal([error?.code, error?.details?.[0]?.path], ['validation_failed', path], JSON.stringify(body));
    }
  });

  test('a template can set the default expiry, starters for codes have an expiry, and a batch can set it too', async () => {
    const { templates, email } = bench.service.as(bench.workspaceId);
    assert.equal(
      [loginCode, magicLink, passwordReset, welcome].map(({ expiresIn }) => expiresIn),
      ['PT15M', 'PT15M', 'PT1H', undefined],
    );
    await templates.update({ key: 'receipt', expiresIn: 'PT30M' });
    assert.is((await send({})).expiresAt, at(30 * minute));
    assert.is((await send({ expiresIn: 'PT5M' })).expiresAt, at(5 * minute));
    const recipients = [{ to: 'bob@example.org', variables }];
    const { data } = await email.batch({ template: 'receipt', recipients, expiresIn: 'PT1M' });
    const [first] = data;
    assert.is(first && 'id' in first && (await bench.readSend(first.id)).expiresAt, at(minute));
    await templates.update({ key: 'receipt', expiresIn: null });
    assert.is((await send({})).expiresAt, undefined);
  });
});
