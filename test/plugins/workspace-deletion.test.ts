// Deleting a workspace removes its rows from every table of every plugin, and no row of another workspace.
// full-run: slow
import * as assert from 'uvu/assert';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import { tenantRows } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { decisionRows } from '../../plugins/approvals/tables.ts';
import { conversionRows } from '../../plugins/broadcasts/conversions/tables.ts';
import { connectorRows } from '../../plugins/connectors/tables.ts';
import { newsRows, voteRows } from '../../plugins/content-plan/news/tables.ts';
import { itemRows } from '../../plugins/creations/tables.ts';
import { rampDayRows, rampSlotRows } from '../../plugins/domains/tables.ts';
import { linkRows } from '../../plugins/email/store.ts';
import { cappedAddresses } from '../../plugins/email/tables.ts';
import { pendingRows, setRows } from '../../plugins/links/tables.ts';
import { confirmationRows, trappedFormRows } from '../../plugins/lists/tables.ts';
import { codeRows, grantRows, tokenRows } from '../../plugins/oauth/tables.ts';
import { submissionRows } from '../../plugins/pages/tables.ts';
import { initialState } from '../../plugins/reputation/store.ts';
import { faultRows, handOverRows, historyRows, stateRows } from '../../plugins/reputation/tables.ts';
import { memberRows } from '../../plugins/segments/tables.ts';
import { optOut } from '../../plugins/sms/consent/opt-outs.ts';
import { noMetrics } from '../../plugins/social/metrics/present.ts';
import { accountRows, metricsRows, refreshRows, stepRows } from '../../plugins/social/tables.ts';
import { proposalRows } from '../../plugins/templates/tables.ts';
import { png } from '../support/asset-files.ts';
import { eachDatabase } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const from = { email: 'hello@example.com', name: 'Example' };
const variables = { name: 'Ada' };

await eachDatabase('deleting workspaces', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database, { limits: sqlLimits() });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'accepted';
  };

  test('deleting a workspace removes all of its rows in every plugin, and no row of another workspace', async () => {
    const rowsOf = async (id: string): Promise<Record<string, number>> => {
      const { core } = bench.service;
      const db = await core.database();
      const counts: Record<string, number> = {};
      for (const [table, { tenant }] of core.registry.tables) {
        if (!tenant) continue;
        const mark = db.adapter.dialect === 'postgres' ? '$1' : '?';
        const { rows } = await db.driver.read((connection) =>
          connection.query({
            sql: `select count(*) as n from ${db.prefix}${table} where workspace_id = ${mark}`,
            parameters: [id],
          }),
        );
        counts[table] = Number(rows[0]?.n);
      }
      return counts;
    };
    const { id } = await bench.service.workspaces.create({
      name: 'Gone',
      plan: 'scale',
      defaultFrom: from,
      credits: 5,
    });
    const { secret: key } = await bench.service.keys.create({ workspaceId: id, name: 'gone', preset: 'full' });
    await bench.request('/v1/templates', {
      body: { key: 'receipt', mode: 'html', subject: 'Hi', body: '<p>{{name}}</p>' },
      key,
    });
    await bench.request('/v1/templates/receipt/publish', { body: {}, key });
    await bench.service.as(id, { sandbox: true }).email.sendTest({ template: 'receipt', variables: { name: 'Ada' } });
    await bench.drain();
    const program = bench.service.as(id);
    await bench.service.sms.setWording(id, 'auth_login_code', { body: '{{ code }}' });
    await bench.service.sms.configure(id, { helpText: 'Gone' });
    for (const sandbox of [false, true])
      await bench.service
        .as(id, { sandbox })
        .sms.send({ templateKey: 'auth_login_code', to: '+14155550123', variables: { code: '482913' } });
    await inWorkspace(bench.service.core, await readWorkspace(bench.service.core, id), (ctx) =>
      optOut(ctx, '+14155550123', 'STOP'),
    );
    await program.links.create({ destinationUrl: 'https://example.com/', slug: 'gone', utm: { source: 'gone' } });
    await program.brand.create({ name: 'Gone', postal_address: 'Gone Ltd' });
    const { id: idOrSlug } = await program.pages.create({ brief: 'Gone', slug: 'gone' });
    const visit = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' };
    await bench.service.dispatch({ method: 'GET', url: '/l/gone', headers: visit, body: undefined });
    await bench.drain();
    bench.advanceClock(3_000);
    await bench.drain();
    const { listId } = await program.lists.create({ name: 'Gone', optin: 'double' });
    const { id: reader } = await program.contacts.upsert({
      email: 'reader@example.org',
      attributes: { timezone: 'Mars/Base' },
    });
    await program.lists.membersAdd({ listId, contactIds: [reader] });
    await program.segments.create({ name: 'Gone', filter: { did: 'gone' } });
    const { listId: letterList } = await program.lists.create({ name: 'Gone letters' });
    await program.lists.membersAdd({ listId: letterList, contactIds: [reader] });
    const leave = '<a href="%unsubscribe_url%">Unsubscribe</a>';
    await program.templates.create({
      key: 'letter',
      category: 'marketing',
      mode: 'html',
      subject: 'Gone',
      body: leave,
    });
    await program.templates.publish({ key: 'letter' });
    const { broadcastId } = await program.broadcasts.create({
      name: 'Gone',
      templateKey: 'letter',
      audience: { include: [{ listId: letterList }] },
    });
    await program.broadcasts.schedule({ broadcastId });
    await bench.drain();
    await program.topics.create({ key: 'gone', name: 'Gone', default: 'subscribed' });
    await program.preferences.set({ contactId: reader, topics: { gone: false } });
    const goneNodes = [
      { id: 'mail', kind: 'send_email', templateKey: 'receipt', variables },
      { id: 'wait', kind: 'wait_for_event', type: 'gone', timeout: 'P1D' },
    ] as const;
    const { key: keyOrId } = await program.sequences.create({
      name: 'Gone',
      nodes: [...goneNodes],
      edges: [{ from: 'mail', to: 'wait', when: 'next' }],
    });
    await program.sequences.publish({ keyOrId });
    await program.sequences.enroll({ keyOrId, contact: { id: reader } });
    await program.sequences.enrollList({ keyOrId, listId });
    await bench.drain();
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data_base64: 'aGk=' }];
    await bench.send('receipt', { to: 'gone@example.org', variables, attachments }, { key });
    await bench.request('/v1/suppressions', {
      body: { email: 'x@example.org' },
      key,
      headers: { 'idempotency-key': 'x' },
    });
    await program.webhooks.create({ url: 'https://127.0.0.1/hooks', events: ['*'] });
    await program.events.emit({ type: 'gone', contact: { email: 'gone@example.org' } });
    const dataBase64 = png().toString('base64');
    const { assetId } = await program.assets.create({ name: 'Gone', dataBase64, tags: ['gone'] });
    await program.brand.create({ name: 'Gone', logos: { mark: { assetId } } });
    await program.brand.create({ name: 'Gone', themes: [{ name: 'Winter', palette: { primary: '#24476b' } }] });
    await writePage(program, idOrSlug);
    await program.pages.publish({ idOrSlug });
    await program.pages.update({ idOrSlug, slug: 'gone-too' });
    await program.pages.publish({ idOrSlug });
    await program.blog.create({ title: 'Gone', body: 'Gone.', tags: ['gone'] });
    await program.blog.publish({ idOrSlug: 'gone' });
    await program.blog.update({ idOrSlug: 'gone', slug: 'gone-too' });
    await program.blog.publish({ idOrSlug: 'gone-too' });
    const card = { kind: 'vcard' as const, firstName: 'Ada', lastName: 'Gone', emails: ['gone@example.org'] };
    await program.qr.create({ encodes: card });
    await program.approvals.policySet({ surfaceKind: 'page', required: true });
    const { id: templateId } = await program.templates.update({ key: 'receipt', previewText: 'A change to decide on' });
    const approvalRequest = await program.approvals.submit({ surfaceKind: 'email_template', targetId: templateId });
    await bench.service.workspaces.update(id, { contentHost: 'gone.example.org' });
    const account = {
      ...{ id: 'soa_gone', connector_id: 'con_gone', channel_id: 'bluesky', external_id: 'gone', transport: 'native' },
      ...{ display_name: 'Gone', handle: 'gone', avatar_url: null, status: 'connected' as const, options: {} },
      ...{ connected_at: bench.now(), last_synced_at: bench.now() },
    };
    await inWorkspace(bench.service.core, await readWorkspace(bench.service.core, id), async ({ trx }) => {
      await accountRows.insert(trx, account);
      await refreshRows.insert(trx, { id: 'srf_gone', failures: [], synced_at: bench.now() });
      const handle = trx.onSide(false);
      const step = { id: 'sst_gone', target_id: 'sot_gone', name: 'post', note: {}, result: null, at: bench.now() };
      await stepRows.insert(handle, step);
      await conversionRows.insert(handle, {
        ...{ id: 'bcv_gone', event_id: 'evt_gone', event_type: 'gone', contact_id: reader, send_id: 'snd_gone' },
        ...{ source: 'broadcasts', source_id: broadcastId, step: null, basis: 'clicked' as const },
        ...{ whole: null, fraction: null, currency: null, at: bench.now(), created_at: bench.now() },
      });
      await metricsRows.insert(handle, {
        ...{ id: 'sfi_gone', target_id: 'sot_gone', collected_at: bench.now(), figures: noMetrics },
      });
    });
    await program.social.postCreate({ channels: ['bluesky'], caption: 'Gone' });
    const stock = { eventKey: 'back_in_stock', variables: { product: 'Gone' } };
    await program.socialEvents.trigger({ ...stock, channels: ['bluesky'], dedupeKey: 'gone' });
    const scheduleAt = new Date(bench.now() + 86_400_000).toISOString();
    await program.campaigns.planned({ name: 'Gone', scheduleAt, timezone: 'UTC' });
    await program.designs.create({ name: 'Gone' });
    await program.leadMagnets.create({ title: 'Gone' });
    await program.creations.spawn({ brief: 'Gone. See https://gone.example.org/.', channels: ['email'] });
    const weekday = (new Date(bench.now()).getUTCDay() + 6) % 7;
    const weekOf = new Date(bench.now() + (7 - weekday) * 86_400_000).toISOString().slice(0, 10);
    await program.contentPlan.planWeek({ weekOf, channels: ['bluesky'] });
    await program.marketing.strategyPatch({ notes: 'Gone' });
    await program.marketing.icpCreate({ name: 'Gone' });
    await bench.service.domains.create(id, { domain: 'gone.example.org' });
    await inWorkspace(bench.service.core, await readWorkspace(bench.service.core, id), async ({ trx, now }) => {
      const reputationRow = { minute: now, domain: 'gone.example.org', receiver: 'gone' };
      await handOverRows.insert(trx, { id: 'rho_gone', ...reputationRow, mails: 1 });
      await faultRows.insert(trx, { id: 'rfl_gone', ...reputationRow, handed_over_at: now, kind: 'complaint' });
      await stateRows.insert(trx, { ...initialState, state: 'held' });
      await historyRows.insert(trx, {
        id: 'rhi_gone',
        state: 'held',
        changed_by: 'system',
        note: 'Gone',
        created_at: now,
      });
      await rampDayRows.insert(trx, { domain: 'gone.example.org', day: now, taken: 1 });
      await rampSlotRows.insert(trx, { send_id: 'snd_gone', day: now });
    });
    for (const email of ['before@example.org', 'after@example.org'])
      await program.contacts.upsert({ external_id: 'moved', email });
    // These rows are written directly, because nothing in this test creates them: no standard operation is deprecated, returns large
    // pictures, reads a source of contacts or holds credits, no provider is configured, and no template tracks clicks.
    const database = await bench.service.core.database();
    const notice = { workspace_id: id, subject: 'gone', announced_at: bench.now() };
    const piece = { workspace_id: id, id: 'byt_gone', position: 0, content: Buffer.from('gone') };
    const times = { created_at: bench.now(), expires_at: bench.now() + 86_400_000 };
    const month = { workspace_id: id, budget: 'sends', period: '2026-01' };
    const lease = { ...month, id: 'bls_gone', amount: 1, expires_at: times.expires_at };
    const hold = { id: 'hld_gone', workspace_id: id, pool: 'granted', from_month: 0, from_granted: 1, reason: 'gone' };
    await database.transact(async (scope) => {
      const { db } = scope.handle(id);
      await itemRows.insert(scope.handle(id).onSide(false), {
        ...{ id: 'itm_gone', sandbox: false, creation_id: 'cre_gone', position: 0, kind: 'link', channel: null },
        ...{ purpose: 'Gone', url: null, at: null, status: 'planned', target_kind: null, target_id: null, price: 0 },
        ...{ hold_id: null, error: null, depends_on: [], created_at: bench.now(), updated_at: bench.now() },
      });
      await db.insertInto('deprecation_notices').values(notice).execute();
      await db.insertInto('contact_sources').values({ source_cursor: 'c1', updated_at: bench.now() }).execute();
      const part = { import_id: 'imp_gone', position: 0, sealed: Buffer.from('x') };
      await scope.handle(id).onSide(false).db.insertInto('contact_import_parts').values(part).execute();
      const tag = { send_id: 'snd_gone', tag: 'gone', created_at: bench.now() };
      await scope.handle(id).onSide(false).db.insertInto('send_tags').values(tag).execute();
      await db
        .insertInto('stored_bytes')
        .values({ ...piece, expires_at: times.expires_at })
        .execute();
      await connectorRows.insert(scope.handle(id), {
        ...{ kind: 'mail', provider: 'none', name: 'Gone', options: {}, uses: { categories: [], templates: [] } },
        ...{
          id: 'con_gone',
          status: 'connected',
          last_used_at: null,
          created_at: bench.now(),
          updated_at: bench.now(),
        },
      });
      await trappedFormRows.insert(scope.handle(id).onSide(false), {
        id: 'ltf_gone',
        list_id: listId,
        email: 'reader@example.org',
        fields: {},
        created_at: bench.now(),
      });
      await confirmationRows.insert(scope.handle(id).onSide(false), {
        ...{
          id: 'lcf_gone',
          list_id: listId,
          email: 'reader@example.org',
          mailbox: 'reader@example.org',
          address_as_given: 'reader@example.org',
        },
        ...{
          requested_by: 'member',
          asker: null,
          form: null,
          subject: null,
          title: 'News',
          language: null,
          consent_note: null,
          fields: {},
          created_at: bench.now(),
          confirmed_at: null,
        },
      });
      await decisionRows.insert(scope.handle(id).onSide(false), {
        ...{
          request_id: approvalRequest.requestId,
          uid: 'u_gone',
          decision: 'approve',
          comment: null,
          created_at: bench.now(),
        },
      });
      await proposalRows.insert(scope.handle(id), {
        ...{
          id: 'tpp_gone',
          template_id: templateId,
          base_version: 1,
          changes: {},
          note: null,
          created_at: bench.now(),
        },
      });
      await submissionRows.insert(scope.handle(id).onSide(false), {
        ...{
          id: 'sub_gone',
          sandbox: false,
          page_id: 'pg_gone',
          slug: 'gone',
          form_id: 'gone',
          status: 'received',
          fields: {},
          email: null,
        },
        ...{ email_as_given: null, consent_text: null, list_id: null, sequence_key: null, lead_magnet_id: null },
        ...{ language: 'en', contact_id: null, confirmed: false, confirmed_at: null },
        ...{ kept_from: bench.now(), created_at: bench.now() },
      });
      await newsRows.insert(scope.handle(id), {
        ...{ id: 'news_gone', key_hash: 'gone', url_hash: 'gone', title: 'Gone', url: 'https://gone.example/' },
        ...{ source: 'Gone', excerpt: '', published_at: bench.now(), score: 1, created_at: bench.now() },
      });
      await voteRows.insert(scope.handle(id), {
        ...{ id: 'nvt_gone', news_id: 'news_gone', voter: 'member:u1', vote: 'up' },
        ...{ created_at: bench.now(), updated_at: bench.now() },
      });
      const lasting = { created_at: bench.now(), expires_at: bench.now() + 1 };
      await grantRows.insert(scope.handle(id), {
        ...{
          ...lasting,
          id: 'grt_gone',
          key_id: 'key_gone',
          client_id: 'gone',
          member: 'u_gone',
          source: null,
          ended: false,
        },
        ...{ member_address: null, resource: 'https://gone.example/v1/mcp', issued_leash: null },
      });
      await codeRows.insert(scope.handle(id), {
        ...{ ...lasting, code_hash: 'gone', redeemed_at: null, grant_id: null },
        ...{ approval: { member: 'u_gone', workspaceId: id, sandbox: false, scopes: [] } },
        request: {
          ...{ clientId: 'gone', clientName: 'Gone', clientHost: null, redirectUri: 'https://gone.example/' },
          ...{ resource: 'https://gone.example/v1/mcp', codeChallenge: 'gone' },
        },
      });
      const token = { token_hash: 'gone', grant_id: 'grt_gone', kind: 'access', used_at: null, scopes: null } as const;
      await tokenRows.insert(scope.handle(id), { ...lasting, ...token });
      await linkRows.insert(scope.handle(id).onSide(false), { send_id: 'snd_gone', sealed: Buffer.from('gone') });
      const batch = { id: 'clb_gone', clicks: 1, created_at: bench.now() };
      await pendingRows.insert(scope.handle(id).onSide(false), batch);
      await setRows.insert(scope.handle(id).onSide(false), {
        ...batch,
        id: 'lrs_gone',
        batches: ['clb_gone'],
        done: 0,
      });
      const domain = { id: 'ldm_gone', domain: 'go.gone.example', created_at: bench.now() };
      await db.insertInto('link_domains').values(domain).execute();
      const member = { watch_id: 'sgw_gone', contact_id: reader, stored_at: bench.now() };
      await memberRows.insert(scope.handle(id).onSide(false), member);
      const cappedRow = { address: 'gone@example.org', asked_at: bench.now() };
      await tenantRows(cappedAddresses).insert(scope.handle(id).onSide(false), cappedRow);
      await db.insertInto('budget_leases').values(lease).execute();
      const requestRow = { id: 'rql_gone', request_id: 'req_gone', key_id: 'key_gone', ts: bench.now() };
      await scope
        .handle(id)
        .onSide(false)
        .db.insertInto('request_log')
        .values({ ...requestRow, method: 'GET', route: '/v1/workspace', status: 200, ms: 1 })
        .execute();
      await db
        .insertInto('leash_usage')
        .values({ workspace_id: id, counter: 'key_gone', used: '{}', expires_at: bench.now() })
        .execute();
      await db
        .insertInto('budget_marks')
        .values({ ...month, percent: 80, reached_at: bench.now() })
        .execute();
      await db
        .insertInto('credit_holds')
        .values({ ...hold, ...times })
        .execute();
    });
    // Its job no longer runs.
    await program.contacts.import({ csv: 'email\nimported@example.org\n' });
    const before = await rowsOf(id);
    const withoutRows = Object.keys(before).filter((table) => before[table] === 0);
    assert.equal(withoutRows, [], 'these tables have no row, so the test does not check them');
    const otherRows = await rowsOf(bench.workspaceId);
    await bench.service.workspaces.delete(id);
    assert.equal(await rowsOf(id), Object.fromEntries(Object.keys(before).map((table) => [table, 0])));
    assert.equal(await rowsOf(bench.workspaceId), otherRows);
    assert.is((await bench.request('/v1/workspace', { key })).status, 401);
    assert.is(await codeOf(bench.service.workspaces.delete(id)), 'workspace_not_found');
    await bench.drain();
    assert.not(bench.sink.messages.some(({ recipients: [to] }) => to === 'gone@example.org'));
  });
});
