// Planned emails: dates in the plan. They never send anything.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const day = 86_400_000;
type Kit = Awaited<ReturnType<typeof migratedTestService<(typeof bareStandardPlugins)[number]['id']>>>;

const inDays = (kit: Kit, days: number): string => new Date(kit.now() + days * day).toISOString();
const plan = async (kit: Kit, body: object = {}, key = kit.liveKey) =>
  kit.request('/v1/campaigns/planned', {
    key,
    body: { name: 'Spring news', scheduleAt: inDays(kit, 7), timezone: 'Europe/Berlin', ...body },
  });

await twoDatabases('planned emails', (test, database) => {
  const about = (name: string, run: (kit: Kit) => Promise<void>) =>
    test(name, async () => {
      const kit = await migratedTestService(database, { plugins: bareStandardPlugins });
      try {
        await run(kit);
      } finally {
        await kit.close();
      }
    });

  about('a planned email starts without a template, and nothing is sent when its time comes', async (kit) => {
    const { status, body } = await plan(kit, { description: 'The new chairs.' });
    assert.equal(status, 201);
    const { campaignId, createdAt, updatedAt, ...fields } = body;
    assert.match(campaignId, /^cam_/);
    assert.equal(createdAt, updatedAt);
    assert.equal(fields, {
      name: 'Spring news',
      scheduleAt: inDays(kit, 7),
      timezone: 'Europe/Berlin',
      description: 'The new chairs.',
      status: 'planned',
      templateKey: null,
      broadcastId: null,
      creationId: null,
    });
    kit.advanceClock(8 * day);
    await kit.drain();
    assert.equal(kit.mail.messages.length, 0);
    assert.equal((await kit.request(`/v1/campaigns/planned/${campaignId}`)).body, body);
  });

  about('the time must be at most 365 days ahead, and the time zone must exist', async (kit) => {
    for (const [wrong, path] of [
      [{ scheduleAt: inDays(kit, 0) }, 'scheduleAt'],
      [{ scheduleAt: inDays(kit, 366) }, 'scheduleAt'],
      [{ timezone: 'Europe/Atlantis' }, 'timezone'],
      [{ name: '' }, 'name'],
      [{ description: 'x'.repeat(2_001) }, 'description'],
    ] as const) {
      const { status, body } = await plan(kit, wrong);
      assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', path]);
    }
    assert.equal((await plan(kit, { scheduleAt: inDays(kit, 365) })).status, 201);
  });

  about('a template can be linked later, and an unknown template is refused', async (kit) => {
    const { campaignId } = (await plan(kit)).body;
    const patch = (body: object) => kit.request(`/v1/campaigns/planned/${campaignId}`, { method: 'PATCH', body });
    assert.equal((await patch({ templateKey: 'spring' })).body.error.code, 'template_not_found');
    const template = { key: 'spring', name: 'Spring', category: 'marketing', subject: 'Spring', body: '<p>Hello</p>' };
    const created = await kit.request('/v1/templates', { body: { ...template, mode: 'html' } });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const linked = await patch({ templateKey: 'spring', description: null });
    assert.equal([linked.status, linked.body.templateKey, linked.body.name], [200, 'spring', 'Spring news']);
    assert.equal((await patch({ templateKey: null })).body.templateKey, null);
  });

  about('canceling is final: a second cancel has no effect, and later changes are refused', async (kit) => {
    const { campaignId } = (await plan(kit)).body;
    const path = `/v1/campaigns/planned/${campaignId}`;
    const first = await kit.request(`${path}/cancel`, { method: 'POST' });
    assert.equal([first.status, first.body.status], [200, 'canceled']);
    kit.advanceClock(60_000);
    assert.equal((await kit.request(`${path}/cancel`, { method: 'POST' })).body, first.body);
    const refusal = await kit.request(path, { method: 'PATCH', body: { name: 'Autumn news' } });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
  });

  about('a sandbox key can read the plan but not change it', async (kit) => {
    const { campaignId } = (await plan(kit)).body;
    assert.equal((await kit.request(`/v1/campaigns/planned/${campaignId}`, { key: kit.testKey })).status, 200);
    assert.equal((await plan(kit, {}, kit.testKey)).body.error.code, 'live_key_required');
  });

  about('an erased address is removed from names and descriptions', async (kit) => {
    const { campaignId } = (await plan(kit, { name: 'Thanks to ada@example.com', description: 'Ask ADA@example.com.' }))
      .body;
    await kit.service.personalData.erase(kit.workspaceId, { email: 'ada@example.com' });
    await kit.drain();
    const { name, description } = (await kit.request(`/v1/campaigns/planned/${campaignId}`)).body;
    assert.not.match(`${name} ${description}`, /ada@example/i);
    assert.match(name, /^Thanks to /);
  });
});
