// Delivery reports and replies to SMS: Twilio's reports, matching by the id of the provider, STOP and START.
// full-run: slow
import twilio from 'twilio';
import * as assert from 'uvu/assert';
import type { SmsAdapter, SmsReport } from '../../plugins/sms/port/index.ts';
import { contentRows } from '../../plugins/sms/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { startSmsApi, twilioApi } from '../support/sms-apis.ts';

const path = '/v1/messaging/transactional';
const to = '+14155550123';
const login = { templateKey: 'auth_login_code', to, variables: { code: '482913' } };
const reminder = { templateKey: 'order_shipped', to, variables: { order: 'A-1042' } };
const publicUrl = 'https://app.example.com/messaging';

await twoDatabases('reports of SMS', (test, database) => {
  const open = (options: object = {}) => migratedTestService(database, { plugins: bareStandardPlugins, ...options });

  test('Twilio reports update the status, and STOP and START update the number', async () => {
    const api = await startSmsApi(twilioApi);
    const bench = await open({ sms: api.adapter, publicUrl });
    try {
      const { body: sent } = await bench.request(path, { body: login });
      await bench.drain();
      assert.is((await api.received()).length, 1);
      const report = async (query: string, form: Record<string, string>, signedWith = twilioApi.secret) => {
        const url = `/inbound/sms/twilio${query}`;
        const signature = twilio.getExpectedTwilioSignature(signedWith, `${publicUrl}${url}`, form);
        // The request as a proxy forwards it: another host, and no https.
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
      const newestDelivery = async () => (await bench.request(`${path}/deliveries`)).body.data.at(-1);
      assert.is((await report(query, { MessageSid, MessageStatus: 'delivered' }, 'wrong')).status, 401);
      assert.is((await newestDelivery()).status, 'sent');
      assert.is((await report(query, { MessageSid: 'SMother', MessageStatus: 'failed' })).status, 200);
      assert.is((await newestDelivery()).status, 'sent', 'a report of another message');
      for (const MessageStatus of ['delivered', 'delivered', 'sent', 'undelivered'])
        await report(query, { MessageSid, MessageStatus });
      assert.is((await newestDelivery()).status, 'delivered');
      assert.is((await bench.events('sms.delivered')).length, 1);

      const answer = { MessageSid: 'SM2', From: to, To: '+12025550100' };
      await report('', { ...answer, Body: 'Please stop writing' });
      assert.is((await bench.request(path, { body: login })).body.status, 'queued');
      const stopAnswer = await report('', { ...answer, Body: ' stop. ' });
      assert.match(String(stopAnswer.body), '<Response></Response>');
      await report('', { ...answer, Body: 'STOPALL' });
      assert.is((await bench.events('sms.opted_out')).length, 1);
      const { body: suppressed } = await bench.request(path, { body: login });
      assert.is(suppressed.status, 'suppressed');
      assert.is((await bench.events('transactional.suppressed')).length, 1);
      await bench.drain();
      assert.is((await api.received()).length, 1, 'the message that was queued before the STOP is not sent either');
      const consent = { to, source: 'Form', wording: 'Text me.' };
      const { body: renewed } = await bench.request('/v1/messaging/consents', { body: consent });
      await report('', { ...answer, Body: 'STOP' });
      assert.is((await bench.events('sms.opted_out')).length, 1);
      await report('', { ...answer, Body: 'Start' });
      const { body: refused } = await bench.request(path, { body: { ...reminder, consentProofId: renewed.id } });
      assert.is(
        refused.error.code,
        'consent_required',
        'the consent was given while the number was suppressed, and the second STOP withdrew it',
      );
      assert.is((await bench.request(path, { body: login })).body.status, 'queued');
      const state = async () => (await bench.request(path, { body: login })).body.status;
      const words = [
        'ARRET STOP',
        'RETOUR START',
        'Genug STOP',
        'STOP START',
        'STOP HELP',
        'wieder start',
        ' STOP',
        'START ',
      ];
      const states = [];
      for (const [index, text] of words.entries()) {
        const [Body = '', OptOutType = ''] = text.split(' ');
        await report('', { ...answer, MessageSid: `SM9${index}`, Body, OptOutType });
        states.push(await state());
      }
      assert.equal(states, [
        'suppressed',
        'queued',
        'suppressed',
        'queued',
        'suppressed',
        'queued',
        'suppressed',
        'queued',
      ]);
      await bench.service.sms.configure(bench.workspaceId, { helpText: 'Acme & Co: help@acme.example' });
      assert.match(String((await report('', { ...answer, Body: 'HELP' })).body), '<Message>Acme &amp; Co');
    } finally {
      await bench.close();
      await api.dispose();
    }
  });

  test('the retention of a text begins with the record of its SMS if the report came earlier; STOP applies after a send whose outcome is unknown', async () => {
    const stopReport: SmsReport = { kind: 'inbound', from: to, to: ['+12025550100'], text: 'STOP', answered: true };
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
      await post(stopReport);
      assert.is((await bench.request(path, { body: login })).body.status, 'suppressed');
    } finally {
      await bench.close();
    }
  });

  test('a report with only the id of the provider finds its message, on the live side and in the workspace of its URL', async () => {
    const reports: SmsReport[] = [];
    let sends = 0;
    const sms: SmsAdapter = {
      id: 'reporting',
      capabilities: { captures: false },
      sender: '+12025550100',
      send: async () => ({ providerMessageId: `p${++sends}` }),
      reports: { read: async () => reports },
      close: async () => undefined,
    };
    const warnings: [object, string][] = [];
    const warn = (fields: object, message: string) => void warnings.push([fields, message]);
    const bench = await open({ sms, publicUrl, logger: { debug() {}, info() {}, warn, error() {} } });
    try {
      const post = async (providerMessageId: string, query = '') => {
        reports.splice(0, 1, { kind: 'status', providerMessageId, status: 'delivered' });
        const headers = { host: 'app.example.com' };
        const url = `/inbound/sms/reporting${query}`;
        const { status } = await bench.service.dispatch({
          method: 'POST',
          url,
          headers,
          body: '',
          address: '203.0.113.7',
        });
        assert.is(status, 200);
      };
      const statuses = async () => {
        const { data } = await bench.service.as(bench.workspaceId).sms.deliveries();
        return data.map(({ status }) => status).sort();
      };
      await bench.request(path, { body: login });
      await bench.drain();
      await bench.request(path, { body: login });
      await bench.drain();
      assert.equal(await statuses(), ['sent', 'sent']);
      const unknown = (providerMessageId: string) => [
        { provider: 'reporting', providerMessageId },
        'a report was ignored: it does not identify exactly one SMS of this service',
      ];
      await post('p2', `?workspace=${bench.foreignWorkspaceId}`);
      await post('p3');
      assert.equal(
        [await statuses(), warnings],
        [
          ['sent', 'sent'],
          [unknown('p2'), unknown('p3')],
        ],
      );
      await post('p2');
      await post('p2');
      assert.equal(await statuses(), ['delivered', 'sent']);
      assert.is((await bench.events('sms.delivered')).length, 1);
      // An unknown sms id, for example from an old copy of the database, does not make the report fail.
      await post('p1', `?workspace=${bench.workspaceId}&sms=sms_unknown`);
      assert.equal([await statuses(), warnings.length], [['delivered', 'delivered'], 2]);

      // Two accounts at a provider may use the same ids.
      sends = 10;
      await bench.request(path, { body: login });
      await bench.drain();
      sends = 10;
      await bench.service.as(bench.foreignWorkspaceId).sms.send(login);
      await bench.drain();
      await post('p11');
      assert.equal([await statuses(), warnings.at(-1)], [['delivered', 'delivered', 'sent'], unknown('p11')]);
      await post('p11', `?workspace=${bench.workspaceId}`);
      assert.equal(await statuses(), ['delivered', 'delivered', 'delivered']);
      const { data: others } = await bench.service.as(bench.foreignWorkspaceId).sms.deliveries();
      assert.equal(
        others.map(({ status }) => status),
        ['sent'],
      );
    } finally {
      await bench.close();
    }
  });

  test('a report without an id is logged and skipped, but other reports in its request count; the id of the service is enough', async () => {
    // Adapters in plain JavaScript may omit fields that TypeScript requires.
    const reports: object[] = [];
    let sends = 0;
    const sms: SmsAdapter = {
      id: 'reporting',
      capabilities: { captures: false },
      sender: '+12025550100',
      send: async () => ({ providerMessageId: `p${++sends}` }),
      reports: { read: async () => reports as SmsReport[] },
      close: async () => undefined,
    };
    const warnings: [object, string][] = [];
    const warn = (fields: object, message: string) => void warnings.push([fields, message]);
    const bench = await open({ sms, publicUrl, logger: { debug() {}, info() {}, warn, error() {} } });
    try {
      const post = async (query: string, ...consent: object[]) => {
        reports.splice(0, reports.length, ...consent);
        const url = `/inbound/sms/reporting${query}`;
        const headers = { host: 'app.example.com' };
        return (await bench.service.dispatch({ method: 'POST', url, headers, body: '', address: '203.0.113.7' }))
          .status;
      };
      const status = async (id: string) => {
        const { data } = await bench.service.as(bench.workspaceId).sms.deliveries();
        return data.find((one) => one.id === id)?.status;
      };
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) {
        ids.push((await bench.request(path, { body: login })).body.id);
        await bench.drain();
      }
      const [first = '', second = '', third = ''] = ids;
      const nameless = { kind: 'status', status: 'delivered' };
      const report = { kind: 'status', providerMessageId: 'p1', status: 'delivered' };
      assert.is(await post('', nameless, { ...nameless, providerMessageId: 7, smsId: null }, report), 200);
      assert.is(await status(first), 'delivered');
      const leftOut = [
        { provider: 'reporting' },
        'a report was ignored: the adapter returned neither its providerMessageId nor its smsId',
      ];
      // A number is accepted as an id, but no message has this id.
      const unmatched = [
        { provider: 'reporting', providerMessageId: '7' },
        'a report was ignored: it does not identify exactly one SMS of this service',
      ];
      assert.equal(warnings, [leftOut, unmatched]);

      assert.is(await post('', { ...nameless, smsId: second }), 200);
      assert.is(await post(`?workspace=${bench.workspaceId}&sms=${third}`, nameless), 200);
      assert.equal([await status(second), await status(third), warnings.length], ['delivered', 'delivered', 2]);
      // The id of the provider for the message is still stored.
      assert.is(await post('', { kind: 'status', providerMessageId: 'p2', status: 'delivered' }), 200);
      assert.is(warnings.length, 2);
    } finally {
      await bench.close();
    }
  });
});
