// SMS from the call to the phone and back: delivery, consents, reports of Twilio, STOP and START, at most once, erasing.
import twilio from 'twilio';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import type { SmsAdapter, SmsReport } from '../../plugins/sms/port/index.ts';
import { SmsError } from '../../plugins/sms/port/index.ts';
import { contentRows } from '../../plugins/sms/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { startSmsApi, twilioApi } from '../support/sms-apis.ts';

const path = '/v1/messaging/transactional';
const to = '+14155550123';
const login = { templateKey: 'auth_login_code', to, variables: { code: '482913' } };
const shipped = { templateKey: 'order_shipped', to, variables: { order: 'A-1042' } };
const publicUrl = 'https://app.example.com/messaging';

await twoDatabases('SMS', (test, database) => {
  const open = (options: object = {}) => migratedTestService(database, { plugins: bareStandardPlugins, ...options });

  test('a code arrives, and is shown to its caller only', async () => {
    const bench = await open();
    try {
      const { status, body } = await bench.request(path, { body: login });
      assert.equal([status, body.status, body.segments, body.provider], [202, 'queued', 1, 'capture']);
      assert.match(body.body, '482913');
      await bench.drain();
      assert.match(bench.lastSmsTo(to)?.body ?? '', '482913');
      const { body: list } = await bench.request(`${path}/deliveries?status=sent`);
      assert.is(list.data.length, 1);
      assert.equal(
        list.data[0].events.map(({ type }: { type: string }) => type),
        ['sms.queued', 'sms.sent'],
      );
      assert.not.ok(JSON.stringify(list).includes('482913'));
      assert.not.ok(JSON.stringify(await bench.events('sms.queued')).includes('482913'));
    } finally {
      await bench.close();
    }
  });

  test('the sandbox calls no carrier and has one synthetic end', async () => {
    const bench = await open();
    try {
      await bench.request(path, { body: login, key: bench.testKey });
      await bench.drain();
      assert.is(bench.sms.messages().length, 0);
      const { body } = await bench.request(`${path}/deliveries`, { key: bench.testKey });
      assert.equal(
        body.data[0].events.map((item: { type: string; synthetic?: true }) => [item.type, item.synthetic]),
        [
          ['sms.queued', true],
          ['sms.delivered', true],
        ],
      );
      const page = await bench.service.dispatch({
        method: 'GET',
        url: '/inbox/phone',
        headers: { host: '127.0.0.1' },
        body: undefined,
        address: '127.0.0.1',
      });
      assert.match(String(page.body), '482913 is your Under test code');
    } finally {
      await bench.close();
    }
  });

  test('a consent is of one number, one class and in force', async () => {
    const bench = await open();
    try {
      const consent = async (body: object, key?: string) =>
        (
          await bench.request('/v1/messaging/consents', {
            body: { to, source: 'Form', wording: 'Text me.', ...body },
            ...(key === undefined ? {} : { key }),
          })
        ).body;
      const code = async (consentProofId?: string) => {
        const { status, body } = await bench.request(path, { body: { ...shipped, consentProofId } });
        return body.error?.code ?? status;
      };
      assert.is(await code(), 'consent_required');
      assert.is(await code('cns_01JCZ9R4T6V8X0Z2B4D6F8H0JK'), 'consent_required');
      assert.is(await code((await consent({ to: '+12125550123' })).id), 'consent_required');
      assert.is(await code((await consent({ class: 'reminder' })).id), 'consent_required');
      assert.is(await code((await consent({}, bench.testKey)).id), 'consent_required', 'the other side');
      const foreign = bench.service.as(bench.foreignWorkspaceId);
      const { id } = await foreign.sms.consentCreate({ to, source: 'Form', wording: 'Text me.' });
      assert.is(await code(id), 'consent_required', "another workspace's");
      const first = await consent({ class: 'transactional' });
      assert.is(await code(first.id), 202);
      const { revokedAt, grantedAt } = await consent({ revoked: true, class: 'reminder' });
      assert.ok(revokedAt !== null && grantedAt === null);
      assert.is(await code(first.id), 202, 'another class was withdrawn');
      await consent({ revoked: true });
      assert.is(await code(first.id), 'consent_required');
      assert.is(await code((await consent({})).id), 202);
    } finally {
      await bench.close();
    }
  });

  test('Twilio: reports move the status, STOP and START the number', async () => {
    const api = await startSmsApi(twilioApi);
    const bench = await open({ sms: api.adapter, publicUrl });
    try {
      const { body: sent } = await bench.request(path, { body: login });
      await bench.drain();
      assert.is((await api.received()).length, 1);
      const report = async (query: string, form: Record<string, string>, signedWith = twilioApi.secret) => {
        const url = `/inbound/sms/twilio${query}`;
        const signature = twilio.getExpectedTwilioSignature(signedWith, `${publicUrl}${url}`, form);
        // As a proxy passes it on: another host, and no https.
        const headers = {
          host: 'internal:3000',
          'x-twilio-signature': signature,
          'content-type': 'application/x-www-form-urlencoded',
        };
        const body = new URLSearchParams(form).toString();
        return bench.service.dispatch({ method: 'POST', url, headers, body, address: '203.0.113.7' });
      };
      const query = `?workspace=${bench.workspaceId}&sms=${sent.id}`;
      const MessageSid = `SM${'1'.repeat(32)}`;
      const first = async () => (await bench.request(`${path}/deliveries`)).body.data.at(-1);
      assert.is((await report(query, { MessageSid, MessageStatus: 'delivered' }, 'wrong')).status, 401);
      assert.is((await first()).status, 'sent');
      assert.is((await report(query, { MessageSid: 'SMother', MessageStatus: 'failed' })).status, 200);
      assert.is((await first()).status, 'sent', 'a report of another message');
      for (const MessageStatus of ['delivered', 'delivered', 'sent', 'undelivered'])
        await report(query, { MessageSid, MessageStatus });
      assert.is((await first()).status, 'delivered');
      assert.is((await bench.events('sms.delivered')).length, 1);

      const answer = { MessageSid: 'SM2', From: to, To: '+12025550100' };
      await report('', { ...answer, Body: 'Please stop writing' });
      assert.is((await bench.request(path, { body: login })).body.status, 'queued');
      const stopped = await report('', { ...answer, Body: ' stop. ' });
      assert.match(String(stopped.body), '<Response></Response>');
      await report('', { ...answer, Body: 'STOPALL' });
      assert.is((await bench.events('sms.opted_out')).length, 1);
      const { body: suppressed } = await bench.request(path, { body: login });
      assert.is(suppressed.status, 'suppressed');
      assert.is((await bench.events('transactional.suppressed')).length, 1);
      await bench.drain();
      assert.is((await api.received()).length, 1, 'the one that was queued before the STOP is not sent either');
      const given = { to, source: 'Form', wording: 'Text me.' };
      const { body: renewed } = await bench.request('/v1/messaging/consents', { body: given });
      await report('', { ...answer, Body: 'STOP' });
      assert.is((await bench.events('sms.opted_out')).length, 1);
      await report('', { ...answer, Body: 'Start' });
      const { body: refused } = await bench.request(path, { body: { ...shipped, consentProofId: renewed.id } });
      assert.is(refused.error.code, 'consent_required', 'given while suppressed, withdrawn by the second STOP');
      assert.is((await bench.request(path, { body: login })).body.status, 'queued');
      await bench.service.sms.configure(bench.workspaceId, { helpText: 'Acme & Co: help@acme.example' });
      assert.match(String((await report('', { ...answer, Body: 'HELP' })).body), '<Message>Acme &amp; Co');
    } finally {
      await bench.close();
      await api.dispose();
    }
  });

  test('a report before our own record begins the retention of the text; a STOP finds a sender whose hand-over was lost', async () => {
    const stopped: SmsReport = { kind: 'inbound', from: to, to: ['+12025550100'], text: 'STOP', answered: true };
    const reports: SmsReport[] = [];
    const sms: SmsAdapter = {
      id: 'reporting',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        throw new Error('The socket broke.');
      },
      reports: { read: async () => reports },
      close: async () => undefined,
    };
    const bench = await open({ sms, publicUrl });
    try {
      const post = async (report: SmsReport) => {
        reports.splice(0, 1, report);
        const headers = { host: 'app.example.com' };
        const request = { method: 'POST', url: '/inbound/sms/reporting', headers, body: '', address: '203.0.113.7' };
        assert.is((await bench.service.dispatch(request)).status, 200);
      };
      const db = await bench.service.core.database();
      const finishedAt = (id: string) =>
        db.read(bench.workspaceId, async (handle) => (await contentRows.find(handle, id))?.finished_at);
      const { body: early } = await bench.request(path, { body: login });
      await post({ kind: 'status', providerMessageId: 'early', smsId: early.id, status: 'delivered' });
      assert.is(await finishedAt(early.id), null);
      await bench.drain();
      assert.is(await finishedAt(early.id), bench.now());

      await bench.request(path, { body: login });
      await bench.drain();
      const { body: list } = await bench.request(`${path}/deliveries`);
      assert.match(list.data[0].whyNotSent, 'unknown');
      await post(stopped);
      assert.is((await bench.request(path, { body: login })).body.status, 'suppressed');
    } finally {
      await bench.close();
    }
  });

  test('what may have been taken is not sent again; what was not is', async () => {
    const faults: unknown[] = [
      new SmsError('busy', 'Too many requests.'),
      new Error('The socket broke.'),
      new SmsError('refused', 'Not mobile.', { reason: 'landline', code: '21614' }),
    ];
    let tries = 0;
    const sms: SmsAdapter = {
      id: 'flaky',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        tries += 1;
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        return {};
      },
      close: async () => undefined,
    };
    const bench = await open({ sms });
    try {
      const newest = async () => (await bench.request(`${path}/deliveries`)).body.data[0];
      await bench.request(path, { body: login });
      await bench.drain();
      assert.equal([tries, (await newest()).status], [1, 'queued']);
      bench.advanceClock(11_000);
      await bench.drain();
      assert.equal([tries, (await newest()).status], [2, 'failed']);
      assert.match((await newest()).whyNotSent, 'unknown');
      bench.advanceClock(86_400_000);
      await bench.drain();
      assert.is(tries, 2);
      await bench.request(path, { body: login });
      await bench.drain();
      const { status, events } = await newest();
      assert.equal([tries, status, events[1].cause, events[1].providerCode], [3, 'failed', 'landline', '21614']);
    } finally {
      await bench.close();
    }
  });

  test('providers’ words name no number after an erasure, whether they came before it or after', async () => {
    const words = 'The numbers +14155550123, 1 (415) 555-0123 and 4155550123 are not mobile.';
    let erase: () => Promise<unknown> = async () => undefined;
    const sms: SmsAdapter = {
      id: 'talkative',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        await erase();
        throw new SmsError('refused', words, { reason: 'landline' });
      },
      close: async () => undefined,
    };
    const bench = await open({ sms });
    try {
      const { service, workspaceId } = bench;
      const list = async () => (await bench.request(`${path}/deliveries`)).body.data;
      const person = { email: 'ada@example.org', attributes: { phone: to } };
      await bench.request('/v1/contacts', { method: 'POST', body: person });
      await bench.request(path, { body: login });
      await bench.drain();
      assert.is((await list())[0].events[1].reason, words);
      erase = () => service.personalData.erase(workspaceId, { email: 'ada@example.org' });
      await bench.request(path, { body: login });
      await bench.drain();
      const shown = await list();
      assert.equal([shown.length, shown[0].status, shown[1].events[1].cause], [2, 'failed', 'landline']);
      assert.match(shown[1].events[1].reason, 'are not mobile.');
      assert.not.match(JSON.stringify(shown), /555.?0123/);
    } finally {
      await bench.close();
    }
  });

  test('a message whose recipient is erased during its hand-over stays failed', async () => {
    let during: () => Promise<unknown> = async () => undefined;
    const sms: SmsAdapter = {
      id: 'slow',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        await during();
        return { providerMessageId: 'm1' };
      },
      close: async () => undefined,
    };
    const bench = await open({ sms });
    try {
      const { service, workspaceId } = bench;
      const person = { email: 'ada@example.org', attributes: { phone: to } };
      const refused = async () => {
        throw new SmsError('refused', 'Not a mobile.', { reason: 'landline' });
      };
      for (const answer of [async () => undefined, refused]) {
        await bench.request('/v1/contacts', { method: 'POST', body: person });
        during = async () => {
          await service.personalData.erase(workspaceId, { email: 'ada@example.org' });
          await answer();
        };
        await bench.request(path, { body: login });
        await bench.drain();
        const [{ status, events }] = (await bench.request(`${path}/deliveries`)).body.data;
        assert.equal(
          [status, ...events.map(({ type }: { type: string }) => type)],
          ['failed', 'sms.queued', 'sms.failed'],
        );
      }
    } finally {
      await bench.close();
    }
  });

  test("stands on the contact's timeline, is exported and erased with the contact", async () => {
    const bench = await open();
    try {
      const { service, workspaceId } = bench;
      const person = { email: 'ada@example.org', attributes: { phone: to } };
      const { body: contact } = await bench.request('/v1/contacts', { method: 'POST', body: person });
      await bench.request(path, { body: login });
      await bench.drain();
      const { body: read } = await bench.request(`/v1/contacts/${contact.id}`);
      assert.ok(read.timeline.some(({ kind }: { kind: string }) => kind === 'sms'));
      const exported = await service.personalData.export(workspaceId, { email: 'ada@example.org' });
      assert.is(exported['sms']?.['sms']?.length, 1);
      await service.personalData.erase(workspaceId, { email: 'ada@example.org' });
      const { body: list } = await bench.request(`${path}/deliveries`);
      assert.equal([list.data.length, list.data[0].body], [1, '']);
      assert.not.ok(JSON.stringify(list).includes(to));
    } finally {
      await bench.close();
    }
  });

  test('joins the transaction of the program', async () => {
    const bench = await open();
    try {
      const call = bench.service.as(bench.workspaceId).sms;
      const sent = await call.send({ ...login, templateKey: 'auth_login_code' });
      assert.is(sent.status, 'queued');
      const error = await call.send({ ...login, templateKey: 'order_shipped' }).catch((caught: unknown) => caught);
      assert.ok(isPostriderError(error));
    } finally {
      await bench.close();
    }
  });
});
