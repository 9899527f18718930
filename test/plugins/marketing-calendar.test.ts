// The marketing calendar: which mail waits for quiet hours, which mail a cap suppresses, and where the reason is shown. Caps are exact
// even if many sends are accepted at the same time.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const path = '/v1/marketing/calendar';
const variables = { name: 'Ada' };
const hour = 3_600_000;
const night = { from: '18:00', to: '08:00' };

await eachDatabase('the marketing calendar', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database);
    await bench.publish('news', { category: 'marketing' });
    await bench.publish('receipt');
  });
  test.after.each(() => bench.close());

  const patchCalendar = async (body: object) => {
    const response = await bench.request(path, { method: 'PATCH', body });
    assert.is(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const send = async (to: string, template = 'news', body: object = {}) =>
    (await bench.send(template, { to, variables, ...body })).body;
  const explain = async (id: string, templateKey = 'news') =>
    (await bench.request(`/v1/contacts/${id}/deliverability?templateKey=${templateKey}`)).body;
  /** Sets quiet hours that began an hour ago and end in two hours, in UTC. */
  const quietNow = async () => {
    const now = Date.parse((await send('clock@example.org', 'receipt')).createdAt);
    const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
    await patchCalendar({ quietHours: { from: clock(now - hour), to: clock(now + 2 * hour) } });
    return { now, end: Math.floor((now + 2 * hour) / 60_000) * 60_000 };
  };

  test('the calendar has defaults that delay no mail, merges changes, counts versions and refuses invalid values', async () => {
    const { body } = await bench.request(path);
    const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    assert.equal(body, { quietHours: null, weekdays, timezone: 'UTC', caps: [], version: 0, updatedAt: null });
    await patchCalendar({ quietHours: night, caps: [{ max: 3, per: 'week' }] });
    const calendar = await patchCalendar({ quietHours: { to: '09:00' }, timezone: 'Europe/Vienna' });
    assert.equal(calendar.quietHours, { from: '18:00', to: '09:00' });
    assert.equal([calendar.caps, calendar.version], [[{ max: 3, per: 'week' }], 2]);
    assert.is((await patchCalendar({ quietHours: null })).quietHours, null);
    const faults = [
      { weekdays: [] },
      { weekdays: ['mon', 'mon'] },
      { timezone: 'Europe/Atlantis' },
      { quietHours: { from: '25:00', to: '08:00' } },
      { quietHours: { from: '08:00', to: '08:00' } },
      { caps: [{ max: 0, per: 'day' }] },
      { caps: [{ max: 1, per: 'P0D' }] },
      { caps: [{ max: 1, per: 'P2Y' }] },
      { caps: [{ max: 1, per: '-P1D' }] },
      { caps: [{ max: 1, per: 'fortnight' }] },
      // Names that every JavaScript object has.
      { caps: [{ max: 1, per: 'constructor' }] },
      { caps: [{ max: 1, per: '__proto__' }] },
    ];
    for (const fault of faults)
      assert.is((await bench.request(path, { method: 'PATCH', body: fault })).status, 422, JSON.stringify(fault));
    assert.is((await bench.request(path)).body.version, 3);
    // The patch has only one end of the quiet hours, and there are no quiet hours to merge it into.
    const half = await bench.request(path, { method: 'PATCH', body: { quietHours: { from: '22:00' } } });
    assert.equal([half.status, half.body.error.message], [422, 'quietHours.to is required.']);
    await patchCalendar({ quietHours: night });
    const same = await bench.request(path, { method: 'PATCH', body: { quietHours: { from: night.to } } });
    const [detail] = same.body.error.details;
    assert.equal([same.status, detail.path], [422, 'quietHours.to']);
    assert.match(detail.message, 'from and to are the same time');
    const { body: audit } = await bench.request('/v1/audit?action=marketing.calendar.update');
    assert.is(audit.data.length, 4);
  });

  test('a marketing mail waits for the end of the quiet hours, shows the reason, and is then checked again', async () => {
    const { end } = await quietNow();
    const waiting = await send('ada@example.org');
    assert.equal([waiting.status, waiting.whyNotSent], ['scheduled', 'quiet_hours']);
    assert.is(waiting.scheduledAt, new Date(end).toISOString());
    assert.match(waiting.events[0].reason, 'The next time is');
    const transactional = await send('ada@example.org', 'receipt');
    assert.equal([transactional.status, transactional.whyNotSent], ['sent', undefined]);
    // The quiet hours are extended, so the mail waits again.
    const clock = new Date(end + hour).toISOString().slice(11, 16);
    await patchCalendar({ quietHours: { to: clock } });
    bench.advanceClock(2 * hour + 1_000);
    await bench.drain();
    const stillWaiting = await bench.readSend(waiting.id);
    assert.equal([stillWaiting.status, stillWaiting.whyNotSent], ['scheduled', 'quiet_hours']);
    assert.is(stillWaiting.scheduledAt, new Date(end + hour).toISOString());
    assert.equal(stillWaiting.events.length, 2);
    bench.advanceClock(hour);
    await bench.drain();
    const sentSend = await bench.readSend(waiting.id);
    assert.equal([sentSend.status, sentSend.whyNotSent], ['sent', undefined]);
    assert.is(bench.sink.messages.filter(({ raw }) => String(raw).includes('To: ada@')).length, 2);
  });

  test('a mail that was accepted by day waits if its delivery falls in the quiet hours, and can be canceled', async () => {
    const acceptedSend = await send('ada@example.org');
    assert.is(acceptedSend.status, 'sent');
    await quietNow();
    await bench.drain();
    assert.is((await bench.readSend(acceptedSend.id)).status, 'scheduled');
    const cancellation = await bench.request(`/v1/sends/${acceptedSend.id}/cancel`, { body: {} });
    assert.is(cancellation.body.status, 'canceled');
    bench.advanceClock(24 * hour);
    await bench.drain();
    assert.is((await bench.readSend(acceptedSend.id)).status, 'canceled');
  });

  test('the hours are in the zone of the contact, from the attribute timezone', async () => {
    const { now } = await quietNow();
    const far = new Date(now + 12 * hour);
    const zone = far.getUTCDate() === new Date(now).getUTCDate() ? '+12:00' : '-12:00';
    const upsert = (email: string, timezone: string) =>
      bench.request('/v1/contacts', { body: { email, attributes: { timezone } } });
    const awake = (await upsert('far@example.org', zone)).body;
    const asleep = (await upsert('near@example.org', 'no such zone')).body;
    assert.is((await send('Far@Example.org')).status, 'sent');
    assert.is((await send('near@example.org')).status, 'scheduled');
    assert.equal(await explain(awake.id), { allowed: true, reasons: [] });
    const { allowed, after, reasons } = await explain(asleep.id);
    assert.equal([allowed, reasons.map(({ code }: { code: string }) => code)], [false, ['quiet_hours']]);
    assert.ok(Date.parse(after) > now);
    assert.equal(await explain(asleep.id, 'receipt'), { allowed: true, reasons: [] });
  });

  test('a cap suppresses mail above it, and counts neither transactional nor canceled mail', async () => {
    await patchCalendar({ caps: [{ max: 2, per: 'P2D' }] });
    await send('ada@example.org', 'receipt');
    const first = await send('ada@example.org', 'news', {
      send_at: new Date(Date.parse((await send('a@example.org')).createdAt) + hour).toISOString(),
    });
    await send('Ada@example.org');
    const suppressed = await send('ada@example.org');
    assert.equal([suppressed.status, suppressed.whyNotSent], ['suppressed', 'frequency_cap']);
    assert.match(suppressed.events[0].reason, 'in 2 days');
    await bench.request(`/v1/sends/${first.id}/cancel`, { body: {} });
    assert.is((await send('ada@example.org')).status, 'sent');
    assert.is((await send('ada@example.org')).status, 'suppressed');
    bench.advanceClock(49 * hour);
    assert.is((await send('ada@example.org')).status, 'sent');
  });

  test('in a batch, an address counts with each of its mails', async () => {
    await patchCalendar({ caps: [{ max: 2, per: 'day' }] });
    const recipients = Array.from({ length: 5 }, (_, index) => ({
      to: index === 4 ? 'bob@example.org' : 'ada@example.org',
      variables,
    }));
    const { body } = await bench.request('/v1/transactional/batch', { body: { template: 'news', recipients } });
    assert.equal(
      body.data.map(({ status }: { status: string }) => status),
      ['sent', 'sent', 'suppressed', 'suppressed', 'sent'],
    );
  });

  test('with a cap of 3, 3 of 20 simultaneous sends leave', async () => {
    await patchCalendar({ caps: [{ max: 3, per: 'week' }] });
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => send('ada@example.org')))).map(
      ({ status }) => status,
    );
    assert.is(statuses.filter((status) => status === 'sent').length, 3, statuses.join());
    assert.is(statuses.filter((status) => status === 'suppressed').length, 17, statuses.join());
  });
});
