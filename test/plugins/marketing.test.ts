// Marketing: merge patches and versions of the strategy, creation defaults and their references, the primary ICP, and removing an erased
// person's address from the texts.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

const path = '/v1/marketing/strategy';
const merge = 'application/merge-patch+json';

await twoDatabases('marketing', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  test.before.each(async () => {
    kit = await openTestService(database);
  });
  test.after.each(() => kit.close());
  const marketing = () => kit.service.as(kit.workspaceId).marketing;
  const patch = (body: object, headers: Record<string, string> = {}) =>
    kit.request(path, { method: 'PATCH', body, headers });

  test('a patch merges objects, replaces lists and clears with null, and only an effective change raises the version', async () => {
    const empty = await marketing().strategyRead({ detail: 'full' });
    assert.equal(
      [empty.version, empty.positioning, empty.pillars, empty.budget, empty.updatedAt],
      [0, '', [], null, null],
    );

    const budget = { amount: 500, currency: 'EUR', period: 'month' };
    await patch({ positioning: 'Fast', pillars: [{ name: 'A' }, { name: 'B' }], budget });
    const { body } = await patch({
      positioning: null,
      pillars: [{ name: 'C', proof: 'Yes' }],
      budget: { amount: 700 },
    });
    assert.equal(body.positioning, '');
    assert.equal(body.pillars, [{ name: 'C', message: '', proof: 'Yes' }]);
    assert.equal(body.budget, { amount: 700, currency: 'EUR', period: 'month' });
    assert.equal(body.version, 2);
    assert.equal((await patch({ budget: { amount: 700 } })).body.version, 2);
    assert.equal((await patch({ budget: null })).body.budget, null);
  });

  test('the summary contains names only', async () => {
    const channels = [{ channel: 'email', role: 'Keep' }];
    await patch({ pillars: [{ name: 'A', message: 'Long' }], channels, notes: 'Secret', goals: [{ metric: 'Leads' }] });
    const { version, updatedAt, ...fields } = (await kit.request(path)).body;
    assert.is(version, 1);
    assert.ok(updatedAt);
    assert.equal(fields, {
      positioning: '',
      pillars: [{ name: 'A' }],
      channels: [{ channel: 'email' }],
      goals: [{ metric: 'Leads' }],
    });
  });

  test('an outdated version is refused, both in If-Match and in expectedVersion', async () => {
    const first = await patch({ tone: 'Dry' }, { 'content-type': merge });
    assert.is(first.status, 200);
    const tag = (await kit.request(path)).headers.ETag ?? '';
    assert.is(tag, '"1"');
    assert.is((await patch({ tone: 'Warm' }, { 'if-match': tag })).status, 200);
    const lateAnswer = await patch({ tone: 'Cold' }, { 'if-match': tag });
    assert.equal([lateAnswer.status, lateAnswer.body.error.code], [412, 'version_conflict']);
    assert.is((await patch({ tone: 'Cold', expectedVersion: 1 })).status, 412);
    assert.is((await patch({ tone: 'Cold', expectedVersion: 2 })).body.version, 3);
  });

  test('unknown fields, an incomplete budget and more than 64 KB are refused and change nothing', async () => {
    const text = 'x'.repeat(10_000);
    const pillars = Array.from({ length: 7 }, (_, index) => ({ name: `P${index}`, message: text }));
    for (const body of [
      { slogan: 'Hi' },
      { pillars: [{ name: 'A', colour: 'red' }] },
      { budget: { amount: 5 } },
      { pillars },
    ]) {
      const refusal = await patch(body);
      assert.equal(
        [refusal.status, refusal.body.error?.code],
        [422, 'validation_failed'],
        JSON.stringify(body).slice(0, 80),
      );
    }
    assert.is((await marketing().strategyRead()).version, 0);
  });

  test('the first ICP is primary until another replaces it, and the flag cannot be removed directly', async () => {
    const first = await marketing().icpCreate({ name: 'Agencies' });
    const second = await marketing().icpCreate({ name: 'Shops', isPrimary: true });
    const primaries = async () =>
      (await marketing().icps()).data.filter(({ isPrimary }) => isPrimary).map(({ icpId }) => icpId);
    assert.is(first.isPrimary, true);
    assert.equal(await primaries(), [second.icpId]);
    await marketing().icpUpdate({ icpId: first.icpId, isPrimary: true, companySizes: ['1-10'] });
    assert.equal(await primaries(), [first.icpId]);
    assert.equal((await marketing().icpRead({ icpId: first.icpId })).companySizes, ['1-10']);
    const route = `/v1/marketing/icps/${first.icpId}`;
    const refusal = await kit.request(route, { method: 'PATCH', body: { isPrimary: false } });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
  });

  test('of simultaneously created ICPs exactly one is primary, and the 51st is refused (limit_reached)', async () => {
    const make = (name: string) => kit.request('/v1/marketing/icps', { body: { name } });
    await Promise.all(['A', 'B', 'C', 'D'].map(make));
    assert.is((await marketing().icps({ limit: 100 })).data.filter(({ isPrimary }) => isPrimary).length, 1);
    for (let index = 4; index < 49; index += 1) await make(`N${index}`);
    const last = await Promise.all([make('Y'), make('Z')]);
    assert.equal(last.map(({ status }) => status).sort(), [201, 409]);
    assert.is(last.find(({ status }) => status === 409)?.body.error.code, 'limit_reached');
  });

  test('defaults merge, null clears them, and a list that they name cannot be deleted', async () => {
    const { lists, marketing: calls } = kit.service.as(kit.workspaceId);
    assert.is((await calls.defaultsRead()).approvalRequired, true);
    const { listId } = await lists.create({ name: 'News' });
    const email = kit.service.as(kit.workspaceId);
    const { default_from } = await email.workspace.read();
    await calls.defaultsSet({
      listId,
      language: 'de-at',
      utm: { source: 'a', medium: 'b' },
      from: { email: default_from.email },
    });
    const updated = await calls.defaultsSet({ utm: { source: null, medium: 'c' }, approvalRequired: false });
    assert.equal(
      [updated.utm, updated.language, updated.from?.email, updated.approvalRequired],
      [{ medium: 'c' }, 'de-AT', default_from.email, false],
    );

    const refusal = await kit.request(`/v1/lists/${listId}`, { method: 'DELETE' });
    assert.is(refusal.body.error.code, 'list_in_use');
    assert.match(refusal.body.error.message, 'is used by the field listId of the creation defaults.');
    assert.equal((await calls.defaultsSet({ listId: null, approvalRequired: null })).approvalRequired, true);
    assert.is((await kit.request(`/v1/lists/${listId}`, { method: 'DELETE' })).status, 200);
  });

  test('a sandbox key can read, but cannot change anything', async () => {
    const key = kit.testKey;
    assert.is((await kit.request(path, { key })).status, 200);
    const refusal = await kit.request(path, { key, method: 'PATCH', body: { tone: 'Dry' } });
    assert.is(refusal.body.error.code, 'live_key_required');
  });

  test('erasing a person removes their address from strategy, defaults and ICPs', async () => {
    const email = 'ada@example.com';
    await patch({ notes: `Ask ${email} first`, tone: 'Dry' });
    const { icpId } = await marketing().icpCreate({
      name: 'Agencies',
      description: `As ${email} said`,
      roles: ['Owner'],
    });
    await kit.service.personalData.erase(kit.workspaceId, { email });
    const { notes, tone, version } = await marketing().strategyRead({ detail: 'full' });
    const icp = await marketing().icpRead({ icpId });
    assert.match(notes ?? '', /^Ask .+ first$/);
    assert.not.match(`${notes} ${icp.description}`, /ada@example/);
    assert.is(version, 2);
    assert.equal([tone, icp.roles, icp.isPrimary], ['Dry', ['Owner'], true]);
  });
});
