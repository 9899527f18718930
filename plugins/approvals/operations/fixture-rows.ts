// Rows for the generated tests.
import type { FixtureKit } from '../../../core/index.ts';
import { contentKindIds } from '../content-kinds.ts';
import { createRequest } from '../requests.ts';
import { openPolicy } from '../schema.ts';
import { policyRows, type RequestRow, requestRows } from '../tables.ts';

/** Creates a pending request of another key. */
export async function someRequest(
  kit: FixtureKit,
  workspaceId = kit.workspaceId,
  changes: Partial<RequestRow> = {},
): Promise<{ id: string; hash: string; targetId: string }> {
  return kit.write(async (ctx) => {
    const request = await createRequest(ctx, {
      contentKind: { kind: 'email_template', targetKind: 'template', read: async () => undefined },
      targetId: ctx.newId('tpl'),
      content: { name: kit.unique('welcome'), content: { subject: kit.unique('Hello') }, before: { subject: 'Hi' } },
      transition: null,
      purpose: 'Approve a content',
      note: null,
      policy: openPolicy,
      publishesAt: undefined,
      actor: { kind: 'api', keyId: ctx.newId('key') },
      uid: 'u_author',
    });
    await requestRows.change(ctx.trx, request, changes);
    return { id: request.id, hash: request.content_hash, targetId: request.target_id };
  }, workspaceId);
}

/** Creates a pending request and returns its id. */
export const someRequestId = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await someRequest(kit, workspaceId)).id;

let policyCount = 0;

/** Sets the policy of another content kind in each call. Returns the id of the key that set it. */
export async function somePolicy(kit: FixtureKit, workspaceId: string): Promise<string> {
  const kind = contentKindIds[policyCount % contentKindIds.length] as (typeof contentKindIds)[number];
  policyCount += 1;
  return kit.write(async ({ trx, now, newId }) => {
    const { minApprovals, reviewers, appliesTo, expiresAfterHours } = openPolicy;
    const keyId = newId('key');
    const set = {
      required: false,
      min_approvals: minApprovals,
      reviewers,
      applies_to: appliesTo,
      expires_after_hours: expiresAfterHours,
      updated_at: now,
      updated_by: keyId,
    };
    await policyRows.upsert(trx, { surface_kind: kind, ...set }, ['surface_kind'], set);
    return keyId;
  }, workspaceId);
}

/** Creates a published template with an edited working copy, ready to submit. */
export async function someTemplateId(kit: FixtureKit, workspaceId = kit.workspaceId): Promise<string> {
  const key = kit
    .unique('page')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-');
  const template = await kit.call(
    'templates.create',
    { key, mode: 'html', subject: 'Hello', body: '<p>Hi</p>' },
    workspaceId,
  );
  return (template['data'] as { id: string }).id;
}
