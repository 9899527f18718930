// SMS: codes, the sandbox, consent, failures of the provider, erasure and export, and calls of the program.
// full-run: slow
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { type SmsAdapter, SmsError } from '../../plugins/sms/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const path = '/v1/messaging/transactional';
const to = '+14155550123';
const login = { templateKey: 'auth_login_code', to, variables: { code: '482913' } };
const reminder = { templateKey: 'order_shipped', to, variables: { order: 'A-1042' } };

await twoDatabases('SMS', (test, database) => {
  const open = (options: object = {}) => migratedTestService(database, { plugins: bareStandardPlugins, ...options });

  test('a code arrives, and only its caller can see its text', async () => {
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

  test('the sandbox calls no carrier and simulates one outcome', async () => {
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

  test('a consent applies to one number and one class, until it is revoked', async () => {
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
        const { status, body } = await bench.request(path, { body: { ...reminder, consentProofId } });
        return body.error?.code ?? status;
      };
      assert.is(await code(), 'consent_required');
      assert.is(await code('cns_01JCZ9R4T6V8X0Z2B4D6F8H0JK'), 'consent_required');
      assert.is(await code((await consent({ to: '+12125550123' })).id), 'consent_required');
      assert.is(await code((await consent({ class: 'reminder' })).id), 'consent_required');
      assert.is(
        await code((await consent({}, bench.testKey)).id),
        'consent_required',
        'a consent of the other side does not count',
      );
      const foreign = bench.service.as(bench.foreignWorkspaceId);
      const { id } = await foreign.sms.consentCreate({ to, source: 'Form', wording: 'Text me.' });
      assert.is(await code(id), 'consent_required', 'a consent of another workspace does not count');
      const first = await consent({ class: 'transactional' });
      assert.is(await code(first.id), 202);
      const { revokedAt, grantedAt } = await consent({ revoked: true, class: 'reminder' });
      assert.ok(revokedAt !== null && grantedAt === null);
      assert.is(await code(first.id), 202, 'the consent of another class was withdrawn');
      await consent({ revoked: true });
      assert.is(await code(first.id), 'consent_required');
      assert.is(await code((await consent({})).id), 202);
    } finally {
      await bench.close();
    }
  });

  test('a message that the provider may have accepted is not sent again, but after a temporary error it is', async () => {
    const faults: unknown[] = [
      new SmsError('busy', 'Too many requests.'),
      new Error('The socket broke.'),
      new SmsError('refused', 'Not mobile.', { reason: 'landline', code: '21614' }),
    ];
    let attempts = 0;
    const sms: SmsAdapter = {
      id: 'flaky',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        attempts += 1;
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
      assert.equal([attempts, (await newest()).status], [1, 'queued']);
      bench.advanceClock(11_000);
      await bench.drain();
      assert.equal([attempts, (await newest()).status], [2, 'failed']);
      assert.match((await newest()).whyNotSent, 'unknown');
      bench.advanceClock(86_400_000);
      await bench.drain();
      assert.is(attempts, 2);
      await bench.request(path, { body: login });
      await bench.drain();
      const { status, events } = await newest();
      assert.equal([attempts, status, events[1].cause, events[1].providerCode], [3, 'failed', 'landline', '21614']);
    } finally {
      await bench.close();
    }
  });

  test('an unreachable provider is logged once, and a message that is given up becomes a final failed job', async () => {
    let isAway = true;
    const sms: SmsAdapter = {
      id: 'away',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        if (isAway) throw new SmsError('busy', 'connect ECONNREFUSED 192.0.2.1:443');
        return {};
      },
      close: async () => undefined,
    };
    const lines: string[] = [];
    const log = (_: object, message: string): void => void lines.push(message);
    const bench = await open({ sms, logger: { debug: log, info: log, warn: log, error: log } });
    const count = (text: string) => lines.filter((line) => line.startsWith(text)).length;
    try {
      const consent = { to, source: 'Form', wording: 'Text me.', class: 'transactional' };
      const { id: consentProofId } = (await bench.request('/v1/messaging/consents', { body: consent })).body;
      const order = { ...reminder, consentProofId };
      assert.is((await bench.request(path, { body: order })).status, 202);
      for (let attempts = 0; attempts < 10; attempts += 1) {
        await bench.drain();
        bench.advanceClock(86_400_000);
      }
      assert.equal([count('handing SMS to away fails'), count('a job failed for good')], [1, 1]);
      const [job] = await bench.service.jobs.list();
      assert.equal([job?.kind, job?.isFinal], ['sms.deliver', true]);
      assert.is((await bench.request(`${path}/deliveries`)).body.data[0].status, 'failed');
      isAway = false;
      await bench.request(path, { body: order });
      await bench.drain();
      assert.is(count('handing SMS to away works again'), 1);
    } finally {
      await bench.close();
    }
  });

  test('after an erasure no message for the provider contains the number, whether the erasure comes before or after the send', async () => {
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
      const deliveries = await list();
      assert.equal([deliveries.length, deliveries[0].status, deliveries[1].events[1].cause], [2, 'failed', 'landline']);
      assert.match(deliveries[1].events[1].reason, 'are not mobile.');
      assert.not.match(JSON.stringify(deliveries), /555.?0123/);
    } finally {
      await bench.close();
    }
  });

  test('if its recipient is erased during its delivery, a message stays failed', async () => {
    let whileSending: () => Promise<unknown> = async () => undefined;
    const sms: SmsAdapter = {
      id: 'slow',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        await whileSending();
        return { providerMessageId: 'm1' };
      },
      close: async () => undefined,
    };
    const bench = await open({ sms });
    try {
      const { service, workspaceId } = bench;
      const person = { email: 'ada@example.org', attributes: { phone: to } };
      const refuse = async () => {
        throw new SmsError('refused', 'Not a mobile.', { reason: 'landline' });
      };
      for (const answer of [async () => undefined, refuse]) {
        await bench.request('/v1/contacts', { method: 'POST', body: person });
        whileSending = async () => {
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

  test('a message is on the timeline of its contact, and is exported and erased with the contact', async () => {
    const bench = await open();
    try {
      const { service, workspaceId } = bench;
      const person = { email: 'ada@example.org', attributes: { phone: to } };
      const { body: contact } = await bench.request('/v1/contacts', { method: 'POST', body: person });
      await bench.request(path, { body: login });
      await bench.drain();
      const { body: read } = await bench.request(`/v1/contacts/${contact.id}`);
      assert.ok(read.timeline.some(({ kind }: { kind: string }) => kind === 'sms'));
      const exportedData = await service.personalData.export(workspaceId, { email: 'ada@example.org' });
      assert.is(exportedData['sms']?.['sms']?.length, 1);
      await service.personalData.erase(workspaceId, { email: 'ada@example.org' });
      const { body: list } = await bench.request(`${path}/deliveries`);
      assert.equal([list.data.length, list.data[0].body], [1, '']);
      assert.not.ok(JSON.stringify(list).includes(to));
    } finally {
      await bench.close();
    }
  });

  test('the program can send with a typed call, and a refusal is a PostriderError', async () => {
    const bench = await open();
    try {
      const call = bench.service.as(bench.workspaceId).sms;
      const message = await call.send({ ...login, templateKey: 'auth_login_code' });
      assert.is(message.status, 'queued');
      const error = await call.send({ ...login, templateKey: 'order_shipped' }).catch((caught: unknown) => caught);
      assert.ok(isPostriderError(error));
    } finally {
      await bench.close();
    }
  });
});
