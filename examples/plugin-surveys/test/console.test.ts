import assert from 'node:assert/strict';
import test from 'node:test';
import type { MemberAccess } from 'postrider';
import { standardPlugins } from 'postrider/plugins';
import { createTestService } from 'postrider/testing';
import { surveysPlugin } from '../src/index.js';
import { asked } from './support.js';

test('the console shows surveys to people with the scope', async (t) => {
  let person: MemberAccess | null = null;
  const kit = await createTestService({ plugins: [...standardPlugins, surveysPlugin()], access: () => person });
  t.after(() => kit.close());
  await kit.service.as(kit.workspaceId).surveys.create({ ...asked, question: 'How was <it>?' });
  const show = async (...scopes: string[]) => {
    person = { member: 'u_1', name: 'Ada', workspaces: [{ id: kit.workspaceId, scopes }] };
    const response = await kit.service.fetch(new Request(`http://localhost/console/${kit.workspaceId}/surveys`));
    return { status: response.status, text: await response.text() };
  };

  const { status, text } = await show('surveys:read');
  assert.equal(status, 200);
  assert.match(text, /<h1 dir="auto">Surveys<\/h1>.*ada@example\.com.*How was &lt;it&gt;\?/s);
  assert.equal((await show('contacts:read')).status, 403);
});
