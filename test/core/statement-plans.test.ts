// Explains every statement of the standard plugins on tables of thousands of rows: no statement may read more rows as a table grows. The
// statements are recorded while every operation, delivery and retention runs.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { Database } from '../../core/storage/database.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { callExample } from '../../hosts/testing/stage-example.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { domainRows, pendingRows, setRows } from '../../plugins/links/tables.ts';
import { optOut } from '../../plugins/sms/consent/opt-outs.ts';
import { findReported } from '../../plugins/sms/store.ts';
import { proposalRows } from '../../plugins/templates/tables.ts';
import { png } from '../support/asset-files.ts';
import { eachDatabase } from '../support/databases.ts';
import { fillExpressions, fillStatement } from '../support/filled-tables.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { findWideReads } from '../support/wide-reads.ts';
import { knownWideReads } from './known-wide-reads.ts';
import { runPages } from './page-statements.ts';
import { firefox, runRareStatements } from './rare-statements.ts';
import { runSocial, runSocialEvents } from './social-statements.ts';

const day = 86_400_000;
const rows = 6_000;

/** Tables that are read as a whole on purpose: one row for each schedule, migration, changelog entry, keyring key or workspace */
const smallTables = ['schedule_slots', 'migrations', 'changelog', 'keyring_checks', 'budget_locks'];

/**
 * Tables that are written only by services with special features: other limits, deprecations, pictures, paid work, budgets near their
 * end, a source of contacts, connectors, domains, agents that sign in. Also the small tables.
 */
const notFilled = [
  'rate_limits',
  'deprecation_notices',
  'stored_bytes',
  'credit_holds',
  'budget_leases',
  'budget_marks',
  'contact_sources',
  'contact_import_parts',
  'connectors',
  'credentials',
  ...['domains', 'domain_ramp_days', 'domain_ramp_slots'],
  'content_hosts',
  'sms_settings',
  ...['oauth_clients', 'oauth_codes', 'oauth_tokens'],
  ...smallTables,
];

type Service = Awaited<ReturnType<typeof createTestService<(typeof bareStandardPlugins)[number]['id']>>>;

async function runOperations(test: Service): Promise<void> {
  const kit = createFixtureKit(test);
  for (const operation of test.service.core.registry.operations.values()) {
    const fixture = await operation.fixture(kit);
    const headers = operation.idempotency === 'read' ? {} : { 'idempotency-key': kit.unique('plan') };
    const { status, body } = await callExample(test, operation, fixture, headers);
    assert.is(status, operation.status, `${operation.id}: ${JSON.stringify(body)}`);
    await test.drain();
  }
}

/** Effects that no operation of these plugins has: credits, and jobs with a key */
async function runEffects({ service, workspaceId, now }: Service): Promise<void> {
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async (ctx) => {
    await ctx.charge(1, 'plans');
    await ctx.settle(await ctx.hold(2, 'plans'), 1);
    await ctx.hold(2, 'plans', { expiresAt: now() + 1 });
    await ctx.hold(2, 'plans', { expiresAt: now() + 400 * day });
    const job = { kind: 'email.deliver', payload: { sendId: 'snd_none' }, runAt: now() + day };
    for (const key of ['one', 'two']) ctx.enqueue({ ...job, key });
    await ctx.cancelJob('one');
    await ctx.cancelJob({ kind: job.kind, key: 'two' });
    ctx.enqueue({ ...job, key: 'three' });
  });
}

/** Creates a contact card, which an erasure of a person searches. */
async function runCards({ service, workspaceId }: Service): Promise<void> {
  const card = { kind: 'vcard' as const, firstName: 'Ada', lastName: 'Plan', emails: ['ada@example.com'] };
  const { qr } = service.as(workspaceId);
  const { qrId } = await qr.create({ encodes: card });
  await qr.update({ qrId, encodes: card });
}

/** Requests an open, a click and an unsubscribe, like the programs of a recipient. */
async function runTracking({ service, workspaceId, mail, drain }: Service): Promise<void> {
  const calls = service.as(workspaceId);
  const body = '<p><a href="https://example.com/">Look</a> <a href="%unsubscribe_url%">Leave</a></p>';
  await calls.templates.create({ key: 'tracked', category: 'marketing', subject: 'Hello', body, mode: 'html' });
  await calls.templates.publish({ key: 'tracked' });
  await calls.email.send({ template: 'tracked', to: 'tracked@example.com' });
  await drain();
  const { listId } = await calls.lists.create({ name: 'Plans', optin: 'double', visibility: 'public' });
  const { id: reader } = await calls.contacts.upsert({ email: 'reader@example.com' });
  await calls.lists.membersAdd({ listId, contactIds: [reader] });
  await drain();
  const { html = '' } = mail.lastTo('tracked@example.com') ?? {};
  const paths = [...html.matchAll(/(?:href|src)="https:\/\/plans\.example([^"]*)"/g)].map(([, path = '']) => path);
  assert.is(paths.length, 4, 'the mail has four addresses: pixel, link, unsubscribe page and preferences');
  const visits = paths.map((url) => ({ method: url.startsWith('/u/') ? 'POST' : 'GET', url }));
  for (const visit of visits) {
    const { status } = await service.dispatch({ ...visit, headers: {}, body: undefined });
    assert.ok(status < 400, `${visit.url}: ${status}`);
  }
}

/** Clicks in the last mail to an address, and emits an event that converts. */
async function convert({ service, workspaceId }: Pick<Service, 'service' | 'workspaceId'>, email: string) {
  const settings = { conversions: [{ eventType: 'plans.bought', value: 'event.metadata.total' }] };
  await service.workspaces.update(workspaceId, { settings });
  const { events, sends } = service.as(workspaceId);
  const [send] = (await sends.list({ to: email })).data;
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), (ctx) =>
    ctx.services.sendReports.report(ctx, send?.id ?? '', { kind: 'clicked', url: 'https://example.com/' }),
  );
  await events.emit({ type: 'plans.bought', contact: { email }, metadata: { total: 5 } });
}

/** Runs sequences that send, wait, ask for earlier events, resume, and end in both ways: by the next step and by a goal. */
async function runSequences({ service, workspaceId, drain }: Service): Promise<void> {
  const calls = service.as(workspaceId);
  const { key: keyOrId } = await calls.sequences.create({
    name: 'Plans',
    trigger: { kind: 'event', type: 'plans.begun' },
    nodes: [
      { id: 'mail', kind: 'send_email', templateKey: 'tracked', variables: {} },
      { id: 'changed', kind: 'wait_for_event', type: 'contact.updated', since: 'run', timeout: 'PT0S' },
      { id: 'wait', kind: 'wait_for_event', type: 'plans.went_on', timeout: 'P1D' },
      { id: 'goal', kind: 'goal', type: 'plans.reached', filter: { not: { did: 'plans.begun', atLeast: 99 } } },
    ],
    edges: [
      { from: 'mail', to: 'changed', when: 'next' },
      { from: 'changed', to: 'wait', when: 'timeout' },
    ],
    settings: { cap: { channel: 'email', max: 5, per: 'week' }, reentry: 'always' },
  });
  await calls.sequences.publish({ keyOrId });
  const contact = { email: 'plans@example.com' };
  for (const type of ['plans.begun', 'plans.went_on', 'plans.begun', 'plans.reached', 'plans.begun']) {
    await calls.events.emit({ type, contact });
    await drain();
  }
  await convert({ service, workspaceId }, 'plans@example.com');
  for (const filter of [{ status: 'active' as const }, { status: 'completed' as const }, {}]) {
    const page = await calls.sequences.runs({ keyOrId, limit: 1, ...filter });
    if (page.next_cursor !== null)
      await calls.sequences.runs({ keyOrId, limit: 1, ...filter, cursor: page.next_cursor });
  }
  await calls.sequences.read({ keyOrId, stats: 'true' });
  await calls.sequences.pause({ keyOrId });
  await calls.sequences.resume({ keyOrId });
  await drain();
}

/** Creates files with tags, loads a logo publicly, makes an upload, and compares the files with the store. */
async function runAssets(test: Service): Promise<void> {
  const { service, workspaceId } = test;
  const { assets, brand } = service.as(workspaceId);
  const dataBase64 = png().toString('base64');
  const [logo] = [
    await assets.create({ name: 'Logo', dataBase64, tags: ['plans'] }),
    await assets.create({ name: 'Other', dataBase64, tags: ['plans'] }),
    await assets.create({ name: 'Film', contentType: 'video/mp4', bytes: 1_000 }),
  ];
  await brand.create({ name: 'With a logo', logos: { light: { assetId: logo.assetId } } });
  for (const filter of [{}, { kind: 'image' as const }, { source: 'upload' as const }, { tag: 'plans' }]) {
    const { next_cursor: cursor } = await assets.list({ limit: 1, ...filter });
    if (cursor !== null) await assets.list({ limit: 1, ...filter, cursor });
  }
  for (const url of [`/media/${logo.assetId}`, String(logo.url).replace('https://plans.example', '')])
    assert.is((await service.dispatch({ method: 'GET', url, headers: {}, body: undefined })).status, 200);
}

/** Visits a short link, adds up its clicks, and reads its cards and lists. */
async function runLinks(test: Service): Promise<void> {
  const { service, workspaceId, drain } = test;
  const { links } = service.as(workspaceId);
  const { linkId } = await links.create({ destinationUrl: 'https://example.com/', slug: 'plans', utm: { term: 'a' } });
  const visit = (url: string) => service.dispatch({ method: 'GET', url, headers: firefox, body: undefined });
  for (const url of ['/l/plans', '/l/plans', '/l/none']) await visit(url);
  await drain();
  test.advanceClock(3_000);
  await drain();
  await visit('/l/plans');
  await links.analytics({ linkId, forceRefresh: 'true' });
  await links.analytics();
  await links.list({ limit: 1, campaignId: 'none' });
  const row = { id: 'ldm_plans', domain: 'go.plans.example', created_at: test.now() };
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async ({ trx }) => {
    await domainRows.insert(trx, row);
    await service.core.services.links.domainsOf(trx);
  });
}

/** Sets custom wording and settings of the workspace, and lets a recipient opt out of texts. */
async function runTexts({ service, workspaceId }: Service): Promise<void> {
  await service.sms.setWording(workspaceId, 'auth_login_code', { body: '{{ code }}' });
  await service.sms.configure(workspaceId, { helpText: 'Ask Acme.' });
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async (ctx) => {
    await optOut(ctx, '+14155550123', 'STOP');
    const report = { smsId: '', provider: 'capture', providerMessageId: 'none', workspaceId };
    await findReported(ctx.trx.unscoped('a report contains only the id of its message'), report);
  });
}

/** Cases that the fixtures omit: filters, cursors, a refused publish, attachments, and routes that are not operations */
async function runFurtherCases(test: Service): Promise<void> {
  const { service, workspaceId } = test;
  await runEffects(test);
  await runTracking(test);
  await runAssets(test);
  await runLinks(test);
  await runCards(test);
  await runSequences(test);
  await runTexts(test);
  await runSocial(test);
  await runSocialEvents(test);
  await runPages(test);
  await runRareStatements(test);
  const calls = service.as(workspaceId);
  await calls.templates.create({ key: 'plans', subject: 'Hello', body: '<p>{{ name }}</p>', mode: 'html' });
  await calls.templates.publish({ key: 'plans' });
  const data = Buffer.from('Hello').toString('base64');
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data_base64: data }];
  for (const to of ['one@example.com', 'two@example.com', 'three@example.com'])
    await calls.email.send({ template: 'plans', to, variables: { name: 'Ada' }, attachments, tags: ['plans', to] });
  for (const name of ['a', 'b']) await calls.suppressions.create({ email: `${name}@example.com` });
  for (const email of ['before@example.com', 'after@example.com'])
    await calls.contacts.upsert({ external_id: 'moved', email });
  await test.drain();
  type Page = { readonly next_cursor: string | null };
  const lists: readonly ((cursor: { readonly cursor?: string }) => Promise<Page>)[] = [
    ...[
      {},
      { templateKey: 'plans' },
      { status: 'sent' as const },
      { to: 'one@example.com' },
      { to: 'one@example.com', status: 'sent' as const },
      { tag: 'plans', since: new Date(0).toISOString() },
    ].map((filter) => (cursor: { readonly cursor?: string }) => calls.sends.list({ limit: 1, ...filter, ...cursor })),
    (cursor) =>
      calls.contacts.list({ limit: 1, filter: '{"path":"contact.external_id","op":"exists","value":true}', ...cursor }),
    (cursor) => calls.contacts.list({ limit: 1, beginning: 'a', ...cursor }),
    (cursor) => calls.contacts.list({ limit: 1, beginning: 'ZZ', ...cursor }),
    (cursor) => calls.audit.list({ limit: 1, ...cursor }),
    (cursor) => calls.requests.list({ limit: 1, ...cursor }),
    (cursor) => calls.jobs.list({ limit: 1, ...cursor }),
    (cursor) => calls.suppressions.list({ limit: 1, ...cursor }),
    (cursor) => calls.suppressions.list({ limit: 1, reason: 'manual', ...cursor }),
    (cursor) => calls.suppressions.list({ limit: 1, email: 'A@example.com', ...cursor }),
    (cursor) => calls.keys.list({ limit: 1, ...cursor }),
    (cursor) => calls.templates.list({ limit: 1, ...cursor }),
  ];
  // An erasure searches tables that have no index by address.
  await service.personalData.erase(workspaceId, { email: 'three@example.com' });
  for (const list of lists) {
    const { next_cursor: cursor } = await list({});
    if (cursor !== null) await list({ cursor });
  }
  await calls.templates.update({ key: 'plans', body: '<p>{{ other }}</p>' });
  await calls.templates.publish({ key: 'plans' }).then(
    () => assert.unreachable('the publish breaks callers'),
    (error: { code?: string }) => assert.is(error.code, 'contract_breaking'),
  );
  const local = { key: '', headers: { host: 'localhost' } };
  for (const path of ['', '?q=hello', '?to=one@example.com'])
    assert.is((await test.request(`/inbox/messages${path}`, local)).status, 200);
  // A service with approvals never writes this row.
  const row = { id: 'tpp_plans', template_id: 'tpl_plans', base_version: 1, changes: {}, note: null, created_at: 1 };
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async ({ trx, now }) => {
    await proposalRows.insert(trx, row);
    const batch = { id: 'clb_kept', clicks: 1, created_at: now };
    await pendingRows.insert(trx.onSide(false), batch);
    await setRows.insert(trx.onSide(false), { ...batch, id: 'lrs_kept', batches: ['clb_kept'], done: 0 });
  });
  await service.jobs.list({ state: 'done' });
  await service.workspaces.list();
  await service.workspaces.list({ after: workspaceId });
  await service.keys.revoke(workspaceId, (await service.keys.create({ workspaceId, name: 'x', preset: 'read' })).id);
}

/** Stores one row of each table, to copy it after retention has deleted all rows. */
async function keepRows(test: Service, tables: readonly string[]): Promise<void> {
  const { driver, prefix } = await test.service.core.database();
  for (const table of tables) {
    const column = table === 'workspaces' ? 'id' : 'workspace_id';
    const ownRows = `select * from ${prefix}${table} where ${column} = '${test.workspaceId}' limit 1`;
    const sql = `create table ${prefix}kept_${table} as ${ownRows}`;
    await driver.transact((connection) => connection.query({ sql, parameters: [] }));
  }
}

async function fill(test: Service, tables: readonly string[]): Promise<void> {
  const { core } = test.service;
  const database = await core.database();
  const migrations = core.registry.migrations.flatMap((owner) => owner.migrations);
  const runSql = (sql: string) => database.driver.transact((connection) => connection.query({ sql, parameters: [] }));
  for (const table of tables) {
    const filling = { table, rows, expressions: fillExpressions[table] ?? {}, from: `kept_${table}` };
    await runSql(fillStatement(database, migrations, filling));
    const count = await runSql(`select count(*) as filled from ${database.prefix}${table}`);
    assert.ok(Number(count.rows[0]?.filled) >= rows, `${table} is empty`);
    const analyze = { postgres: 'analyze', mysql: 'analyze table', sqlite: undefined }[database.adapter.dialect];
    if (analyze !== undefined) await runSql(`${analyze} ${database.prefix}${table}`);
  }
}

async function dropIndex({ driver, prefix, adapter }: Database, table: string, index: string): Promise<void> {
  const onTable = adapter.dialect === 'mysql' ? ` on ${prefix}${table}` : '';
  await driver.transact((connection) =>
    connection.query({ sql: `drop index ${prefix}${index}${onTable}`, parameters: [] }),
  );
}

await eachDatabase('statement plans', (test, testDatabase) => {
  test('no statement reads more rows as tables grow, and a planted statement that does is found', async () => {
    const { storage, statements } = recordStatements(testDatabase.createStorage());
    const service = await createTestService({
      plans: { pro: noRateLimits },
      plugins: bareStandardPlugins,
      storage,
      tablePrefix: testDatabase.newPrefix(),
      environment: 'development',
      publicUrl: 'https://plans.example',
      requestLog: true,
    });
    try {
      const { core } = service.service;
      const tables = [...core.registry.tables.keys()].filter((name) => !notFilled.includes(name));
      await runOperations(service);
      await runFurtherCases(service);
      await keepRows(service, tables);
      await service.service.workspaces.delete(service.foreignWorkspaceId);
      for (let month = 0; month < 14; month += 1) {
        service.advanceClock(30 * day);
        await service.drain();
      }
      const executed = new Map(statements);
      await fill(service, tables);
      const database = await core.database();
      const wide = await findWideReads(database, executed, smallTables);
      const unknown = wide.filter(({ sql }) => !knownWideReads.some(([pattern]) => pattern.test(sql)));
      assert.equal(unknown, [], unknown.map(({ sql, reason }) => `${reason}\n  ${sql}`).join('\n'));
      assert.ok(executed.size > 150, `only ${executed.size} statements ran`);
      for (const table of tables) {
        const onTable = [...executed.keys()].filter((sql) => sql.includes(`${database.prefix}${table}`));
        assert.ok(onTable.length > 1, `only one statement used ${table}`);
      }
      const readsOf = (sql: string) =>
        findWideReads(database, new Map([['planted', { sql, parameters: [] }]]), smallTables);
      assert.is((await readsOf(`select id from ${database.prefix}sends where subject = 'none' limit 25`)).length, 1);
      assert.is((await readsOf(`select id from ${database.prefix}outbox where type = 'none'`)).length, 1);
      await dropIndex(database, 'send_contents', 'send_contents_finished');
      const contents = [...executed].filter(([sql]) => sql.includes('finished_at') && sql.includes('send_contents'));
      assert.ok(
        (await findWideReads(database, new Map(contents), smallTables)).length > 0,
        'a missing index goes unnoticed',
      );
    } finally {
      await service.close();
    }
  });
});
