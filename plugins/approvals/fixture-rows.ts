// Rows for the generated tests.
import type { FixtureKit } from '../../core/index.ts';
import { openPolicy } from './policies.ts';
import { createRequest } from './requests.ts';
import type { RequestRow } from './tables.ts';
import { requestRows } from './tables.ts';

/** A pending request, as another key asked for it. */
export async function someRequest(
  kit: FixtureKit,
  workspaceId = kit.workspaceId,
  changes: Partial<RequestRow> = {},
): Promise<{ id: string; hash: string }> {
  return kit.write(async (effects) => {
    const made = await createRequest(effects, {
      surface: { kind: 'email_template', targetKind: 'template', read: async () => undefined },
      targetId: effects.newId('tpl'),
      content: { name: kit.unique('welcome'), content: { subject: kit.unique('Hello') }, before: { subject: 'Hi' } },
      transition: null,
      asks: 'Approve a content',
      note: null,
      policy: openPolicy,
      publishesAt: undefined,
      actor: { kind: 'api', keyId: effects.newId('key') },
      uid: 'u_author',
    });
    await requestRows.change(effects.trx, made, changes);
    return { id: made.id, hash: made.content_hash };
  }, workspaceId);
}

/** The id of a pending request. */
export const someRequestId = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  (await someRequest(kit, workspaceId)).id;

/** A published template whose working copy was edited: something to submit. */
export async function someTemplateId(kit: FixtureKit, workspaceId = kit.workspaceId): Promise<string> {
  const key = kit
    .unique('page')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '-');
  const made = await kit.call(
    'templates.create',
    { key, mode: 'html', subject: 'Hello', body: '<p>Hi</p>' },
    workspaceId,
  );
  return (made['data'] as { id: string }).id;
}
