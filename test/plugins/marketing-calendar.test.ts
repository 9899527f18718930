// The marketing calendar: which mail waits for quiet hours, which is capped, and what says why. Caps are exact while many sends are
// accepted at once.
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

  const set = async (body: object) => {
    const response = await bench.request(path, { method: 'PATCH', body });
    assert.is(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const send = async (to: string, template = 'news', body: object = {}) =>
    (await bench.send(template, { to, variables, ...body })).body;
  const explain = async (id: string, templateKey = 'news') =>
    (await bench.request(`/v1/contacts/${id}/deliverability?templateKey=${templateKey}`)).body;
  /** Quiet hours from an hour ago until in two hours, in UTC. */
  const quietNow = async () => {
    const now = Date.parse((await send('clock@example.org', 'receipt')).createdAt);
    const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
    await set({ quietHours: { from: clock(now - hour), to: clock(now + 2 * hour) } });
    return { now, end: Math.floor((now + 2 * hour) / 60_000) * 60_000 };
  };

  test('the calendar has defaults that delay nothing, merges changes, counts versions and refuses invalid values', async () => {
    const { body } = await bench.request(path);
    const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    assert.equal(body, { quietHours: null, weekdays, timezone: 'UTC', caps: [], version: 0, updatedAt: null });
    await set({ quietHours: night, caps: [{ max: 3, per: 'week' }] });
    const merged = await set({ quietHours: { to: '09:00' }, timezone: 'Europe/Vienna' });
    assert.equal(merged.quietHours, { from: '18:00', to: '09:00' });
    assert.equal([merged.caps, merged.version], [[{ max: 3, per: 'week' }], 2]);
    assert.is((await set({ quietHours: null })).quietHours, null);
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
      // Names that every object has.
      { caps: [{ max: 1, per: 'constructor' }] },
      { caps: [{ max: 1, per: '__proto__' }] },
    ];
    for (const fault of faults)
      assert.is((await bench.request(path, { method: 'PATCH', body: fault })).status, 422, JSON.stringify(fault));
    assert.is((await bench.request(path)).body.version, 3);
    await set({ quietHours: night });
    const same = await bench.request(path, { method: 'PATCH', body: { quietHours: { from: night.to } } });
    const [detail] = same.body.error.details;
    assert.equal([same.status, detail.path], [422, 'quietHours.to']);
    assert.match(detail.message, 'from and to are the same time');
    const { body: audit } = await bench.request('/v1/audit?action=marketing.calendar.update');
    assert.is(audit.data.length, 4);
  });

  test('a marketing mail waits for the end of the quiet hours, says why, and is judged again then', async () => {
    const { end } = await quietNow();
    const waiting = await send('ada@example.org');
    assert.equal([waiting.status, waiting.whyNotSent], ['scheduled', 'quiet_hours']);
    assert.is(waiting.scheduledAt, new Date(end).toISOString());
    assert.match(waiting.events[0].reason, 'The next time is');
    const transactional = await send('ada@example.org', 'receipt');
    assert.equal([transactional.status, transactional.whyNotSent], ['sent', undefined]);
    // The quiet hours now last longer: the mail waits again.
    const clock = new Date(end + hour).toISOString().slice(11, 16);
    await set({ quietHours: { to: clock } });
    bench.advanceClock(2 * hour + 1_000);
    await bench.drain();
    const again = await bench.readSend(waiting.id);
    assert.equal([again.status, again.whyNotSent], ['scheduled', 'quiet_hours']);
    assert.is(again.scheduledAt, new Date(end + hour).toISOString());
    assert.equal(again.events.length, 2);
    bench.advanceClock(hour);
    await bench.drain();
    const sent = await bench.readSend(waiting.id);
    assert.equal([sent.status, sent.whyNotSent], ['sent', undefined]);
    assert.is(bench.sink.messages.filter(({ raw }) => String(raw).includes('To: ada@')).length, 2);
  });

  test('a mail that was accepted by day and is delivered in the quiet hours waits, and can be canceled', async () => {
    const sent = await send('ada@example.org');
    assert.is(sent.status, 'sent');
    await quietNow();
    await bench.drain();
    assert.is((await bench.readSend(sent.id)).status, 'scheduled');
    const canceled = await bench.request(`/v1/sends/${sent.id}/cancel`, { body: {} });
    assert.is(canceled.body.status, 'canceled');
    bench.advanceClock(24 * hour);
    await bench.drain();
    assert.is((await bench.readSend(sent.id)).status, 'canceled');
  });

  test('the hours are the contact’s, by the attribute timezone', async () => {
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

  test('a cap suppresses what exceeds it, counts no transactional mail, and gives the place of a canceled mail back', async () => {
    await set({ caps: [{ max: 2, per: 'P2D' }] });
    await send('ada@example.org', 'receipt');
    const first = await send('ada@example.org', 'news', {
      send_at: new Date(Date.parse((await send('a@example.org')).createdAt) + hour).toISOString(),
    });
    await send('Ada@example.org');
    const capped = await send('ada@example.org');
    assert.equal([capped.status, capped.whyNotSent], ['suppressed', 'frequency_cap']);
    assert.match(capped.events[0].reason, 'in 2 days');
    await bench.request(`/v1/sends/${first.id}/cancel`, { body: {} });
    assert.is((await send('ada@example.org')).status, 'sent');
    assert.is((await send('ada@example.org')).status, 'suppressed');
    bench.advanceClock(49 * hour);
    assert.is((await send('ada@example.org')).status, 'sent');
  });

  test('in a batch, the same address counts with each of its mails', async () => {
    await set({ caps: [{ max: 2, per: 'day' }] });
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

  test('20 sends at once at a cap of 3 give 3', async () => {
    await set({ caps: [{ max: 3, per: 'week' }] });
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => send('ada@example.org')))).map(
      ({ status }) => status,
    );
    assert.is(statuses.filter((status) => status === 'sent').length, 3, statuses.join());
    assert.is(statuses.filter((status) => status === 'suppressed').length, 17, statuses.join());
  });
});
