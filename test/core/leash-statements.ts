// The statements for a leashed key. Run by rare-statements.ts.
import * as assert from 'uvu/assert';
import type { createTestService } from '../../hosts/testing/test-service.ts';
import type { bareStandardPlugins } from '../support/plugins.ts';

type Service = Awaited<ReturnType<typeof createTestService<(typeof bareStandardPlugins)[number]['id']>>>;

/** Uses a key with a leash: it enrols a list, resumes a sequence and reads the remaining amounts. */
export async function runLeash(test: Service): Promise<void> {
  const { service, workspaceId } = test;
  const { lists, sequences } = service.as(workspaceId);
  const { listId } = await lists.create({ name: 'Leashed', optin: 'single' });
  const { key } = await sequences.create({
    name: 'Leashed',
    nodes: [{ id: 'pause', kind: 'delay', for: 'P1D' }],
  });
  await sequences.publish({ keyOrId: key });
  const leash = { sendsPerHour: 10, recipientDomains: ['example.com', 'example.org'] };
  const agent = await service.keys.create({ workspaceId, name: 'agent', mode: 'mcp', preset: 'full', leash });
  const body = { contact: { external_id: 'leashed', email: 'leashed@example.com' } };
  const headers = { 'idempotency-key': 'leashed-list' };
  const path = `/v1/sequences/${key}/enrollments`;
  assert.is((await test.request(path, { key: agent.secret, body: { listId }, headers })).status, 202);
  const event = { key: agent.secret, body: { type: 'plans.leashed', ...body } };
  assert.is((await test.request('/v1/events', event)).status, 201);
  await sequences.pause({ keyOrId: key });
  const request = { key: agent.secret, body: {}, headers: { 'idempotency-key': 'leashed-resume' } };
  assert.is((await test.request(`/v1/sequences/${key}/resume`, request)).status, 200);
  assert.is((await test.request('/v1/workspace', { key: agent.secret })).status, 200);
}
