// writeOnly variables: only the mail shows their values. No table, read, event, webhook, export, preview or log shows them.
// full-run: slow
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { captureWebhooks } from '../../hosts/testing/index.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { MailError } from '../../plugins/email/port/index.ts';
import { codeBlocks } from '../examples/documents.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { sendgrid } from '../support/provider-reports.ts';
import { publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

const code = 'S3CR3T-77';
const url = 'https://app.example/in?token=T0K3N-88&next=%2Fa';
const hidden = '••••';
const variables = { name: 'Ada', access: { code }, url };
const contract = {
  type: 'object',
  required: ['name', 'access', 'url'],
  properties: {
    name: { type: 'string' },
    access: {
      type: 'object',
      required: ['code'],
      properties: { code: { type: 'string', writeOnly: true, maxLength: 20 } },
    },
    url: { type: 'string', format: 'uri', writeOnly: true },
  },
};
const template = {
  subject: '{{access.code}} is the code of {{name}}',
  previewText: 'Code {{access.code}}',
  body: `<html><body><p>{{name}}: {{access.code}}</p><a href="{{url}}">Sign in</a>
<a href="https://app.example/code/{{access.code | downcase}}">Or here</a> <a href="https://app.example/help">Help</a></body></html>`,
  text: '{{access.code}} {{url}}',
  variables: contract,
  tracking: { opens: false, clicks: true },
};

const secrets = /S3CR3T-77|s3cr3t-77|T0K3N-88/;
const showsNothing = (value: unknown, where: string): void => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  assert.not.match(text, secrets, where);
};

/** Every column of every table, read without the keys. Only the inbox of development stores readable mail. */
async function checkTables({ service: { core } }: MailBench): Promise<void> {
  const database = await core.database();
  for (const table of core.registry.tables.keys()) {
    if (table === 'inbox_messages') continue;
    const rows = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
      db
        .selectFrom(table as 'audit')
        .selectAll()
        .execute(),
    );
    for (const row of rows)
      for (const [column, value] of Object.entries(row as Readonly<Record<string, unknown>>))
        showsNothing(
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : (value ?? ''),
          `${table}.${column}`,
        );
  }
}

await twoDatabases('writeOnly variables', (test, database) => {
  let bench: MailBench;
  const provider = sendgrid();
  const webhooks = captureWebhooks();
  test.before(async () => {
    const reports = [provider.adapter];
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? emailPlugin({ reports }) : plugin));
    bench = await openMailBench(database, { publicUrl, plugins, outgoing: webhooks.outgoing });
    await bench.publish('code', template);
    await bench.service.as(bench.workspaceId).webhooks.create({ url: 'https://hooks.example.com/all', events: ['*'] });
  });
  test.after(() => bench.close());

  test('only the mail has the values: tables, reads, replays, events, webhooks, audit, export and logs do not have them', async () => {
    const to = 'ada@example.org';
    const headers = { 'idempotency-key': 'once' };
    const body = { to, variables };
    const sent = await bench.send('code', body, { headers });
    assert.is(sent.status, 202, JSON.stringify(sent.body));
    assert.is(sent.body.subject, `${hidden} is the code of Ada`);
    const replay = await bench.send('code', body, { headers });
    assert.is(replay.headers['Idempotent-Replay'], 'true');
    await bench.drain();
    const [mail] = await bench.received();
    assert.is(mail?.subject, `${code} is the code of Ada`);
    assert.match(mail?.html ?? '', code);
    assert.match(mail?.text ?? '', url);

    const [first, second, third] = urlsOf(mail ?? {}).links;
    bench.advanceClock(60_000);
    const targets: (string | undefined)[] = [];
    for (const link of [first, second, third]) {
      const { status, headers: answered } = await visit(bench, link ?? '');
      assert.is(status, 302);
      targets.push(answered['Location']);
      bench.advanceClock(60_000);
    }
    assert.equal(targets, [url, 'https://app.example/code/s3cr3t-77', 'https://app.example/help']);
    const { messageId } = sent.body;
    const payload = provider.report('clicked', `<${messageId}@example.com>`);
    const signedReport = provider.sign(
      JSON.parse(JSON.stringify(payload).replaceAll('https://shop.example/', url)),
      bench.now(),
    );
    const reportAnswer = await visit(bench, `/inbound/mail/${provider.adapter.id}`, {
      ...signedReport,
      method: 'POST',
      userAgent: '',
    });
    assert.is(reportAnswer.status, 200);
    await bench.drain();

    const sendRecord = await bench.readSend(sent.body.id);
    assert.is(sendRecord.subject, `${hidden} is the code of Ada`);
    const clickedUrls = sendRecord.events.flatMap(({ click }: { click?: { url: string } }) =>
      click === undefined ? [] : [click.url],
    );
    assert.equal(clickedUrls, [hidden, hidden, 'https://app.example/help', hidden]);
    const calls = bench.service.as(bench.workspaceId);
    const answers: Record<string, unknown> = {
      answer: sent.body,
      replay: replay.body,
      read: sendRecord,
      list: await calls.sends.list(),
      tool: (await bench.tool('read_send', { id: sent.body.id })).body,
      audit: await calls.audit.list(),
      export: await bench.service.personalData.export(bench.workspaceId, { email: to }),
      webhooks: webhooks.deliveries(),
      logs: bench.logged,
      template: await calls.templates.read({ key: 'code' }),
    };
    for (const [where, value] of Object.entries(answers)) showsNothing(value, where);
    assert.ok(webhooks.deliveries().length > 0, 'webhooks were posted');
    await checkTables(bench);
  });

  test('batches, test sends and the sandbox hide the values, too', async () => {
    const calls = bench.service.as(bench.workspaceId);
    await calls.email.batch({ template: 'code', recipients: [{ to: 'bob@example.org', variables }] });
    const testSend = await calls.email.sendTest({ template: 'code', to: 'eve@example.org', variables });
    assert.is(testSend.subject, `${hidden} is the code of Ada`);
    const sandbox = await bench.send('code', { to: 'sandra@example.org', variables }, { key: bench.testKey });
    assert.is(sandbox.body.subject, `${hidden} is the code of Ada`);
    await bench.drain();
    assert.is((await bench.received()).at(-1)?.subject, `${code} is the code of Ada`);
    await checkTables(bench);
  });

  test('a preview shows the examples of the contract, and hides values that a caller gives', async () => {
    const previews = [
      await bench.request('/v1/transactional/preview', { body: { template: 'code', variables } }),
      await bench.request('/v1/templates/code/render', { body: { variables } }),
    ];
    for (const { status, body } of previews) {
      assert.is(status, 200, JSON.stringify(body));
      showsNothing(body, 'the preview');
      assert.match(body.html, `Ada: ${hidden}`);
      assert.is(body.subject, `${hidden} is the code of Ada`);
    }
    await bench.publish('shown', {
      ...template,
      variables: { ...contract, examples: [{ ...variables, access: { code: '482913' } }] },
    });
    const { body } = await bench.request('/v1/templates/shown/render', { body: {} });
    assert.match(body.html, 'Ada: 482913');
  });

  test('the contract in docs/templates.md is valid', async () => {
    const [documented] = await codeBlocks('docs/templates.md', 'json');
    const contract = JSON.parse(documented ?? '');
    await bench.publish('documented', { subject: '{{code}}', body: '<p>{{code}}</p>', variables: contract });
    const { body } = await bench.send('documented', { to: 'doc@example.org', variables: { code } });
    assert.is(body.subject, hidden);
  });

  test('writeOnly must be true and belongs to a variable; it is also possible in a layout or a list', async () => {
    const refusalOf = async (variables: unknown) => {
      const { status, body } = await bench.request('/v1/templates', {
        body: { ...template, key: 'wrong', mode: 'html', variables },
      });
      assert.is(status, 422);
      return body.error.details.map(({ path }: { path: string }) => path);
    };
    assert.equal(await refusalOf({ ...contract, writeOnly: true }), ['variables.writeOnly']);
    const { properties } = contract;
    const off = { ...contract, properties: { ...properties, name: { type: 'string', writeOnly: false } } };
    assert.equal(await refusalOf(off), ['variables.properties.name.writeOnly']);
    const codes = {
      type: 'array',
      items: { type: 'object', properties: { value: { type: 'string', writeOnly: true } } },
    };
    await bench.publish('codes', {
      subject: '{% for one in codes %}{{one.value}} {% endfor %}',
      body: '<p>{{codes[0].value}}</p>',
      variables: { type: 'object', properties: { codes } },
    });
    const { body } = await bench.send('codes', {
      to: 'list@example.org',
      variables: { codes: [{ value: code }, { value: 'T0K3N-88' }] },
    });
    assert.is(body.subject.trim(), `${hidden} ${hidden}`);
  });
});

await twoDatabases('writeOnly variables that a server quotes', (test, database) => {
  test("if a server's refusal quotes the mail, it is shown and logged without the values", async () => {
    let faults = 0;
    const adapter = smtpMail({ host: '127.0.0.1', port: 1 });
    const mail = {
      ...adapter,
      send: async ({ subject }: { readonly subject: string }) => {
        faults += 1;
        if (faults === 1) throw new Error(`lost ${subject}`);
        if (faults === 2) throw new MailError('transient', `451 greylisted: ${subject}`, { smtpCode: 451 });
        const diagnostic = `550 spam: ${encodeURIComponent(url)} in ${subject}`;
        const bounce = { class: 'undetermined', subType: 'content_rejected', smtpCode: 550, diagnostic } as const;
        throw new MailError('bounced', diagnostic, { smtpCode: 550, bounce });
      },
    };
    const bench = await openMailBench(database, { mail });
    try {
      await bench.publish('code', template);
      const { body } = await bench.send('code', { to: 'ada@example.org', variables });
      for (let attempts = 0; attempts < 3; attempts += 1) {
        await bench.drain();
        bench.advanceClock(3_600_000);
      }
      assert.is(faults, 3);
      const sendRecord = await bench.readSend(body.id);
      assert.is(sendRecord.status, 'bounced');
      assert.match(JSON.stringify(sendRecord), `550 spam: ${hidden} in ${hidden}`);
      showsNothing(sendRecord, 'the send');
      showsNothing(bench.logged, 'the logs');
      showsNothing(await bench.service.jobs.list({ state: 'done' }), 'the jobs');
      await checkTables(bench);
    } finally {
      await bench.close();
    }
  });
});
