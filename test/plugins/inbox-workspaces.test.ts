// The workspaces of an inbox: every route shows only the workspaces that its caller may see.
import * as assert from 'uvu/assert';
import type { WorkspaceSide } from '../../core/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { routesOf, staff, withInbox } from '../support/inbox-bench.ts';

await twoDatabases('the workspaces of an inbox', (test, database) => {
  test('a caller who may see some workspaces sees no other workspace on any route', async () => {
    let seen: readonly string[] = [];
    await withInbox({ database, access: () => staff(seen) }, async (bench, id) => {
      seen = [bench.foreignWorkspaceId];
      const ownQuery = `?workspace=${bench.workspaceId}`;
      for (const [method, path, body] of routesOf(id)) {
        if (path === '' || path.startsWith('/m/') || path.startsWith('/assets') || path === '/workspaces') continue;
        const answer = await bench.ask(`${path}${ownQuery}`, { method, body });
        assert.equal([answer.status, answer.json.error.code], [404, 'workspace_not_found'], `${method} ${path}`);
        if (!path.includes(id)) continue;
        const plain = await bench.ask(path, { method, body });
        assert.equal([plain.status, plain.json.error.code], [404, 'inbox_message_not_found'], `${method} ${path}`);
      }
      assert.equal((await bench.ask('/messages')).json.data, []);
      assert.equal((await bench.ask('/messages', { method: 'DELETE' })).json, { deleted: 0 });
      assert.equal(
        (await bench.ask('/workspaces')).json.data.map((one: { id: string }) => one.id),
        [bench.foreignWorkspaceId],
      );
      seen = [bench.workspaceId, 'ws_gone', bench.workspaceId];
      assert.is((await bench.messages())[0].id, id);
      assert.is((await bench.messages())[0].unread, true);
      assert.is((await bench.ask(`/messages/${id}`)).json.send.events.length, 2);
      seen = [];
      assert.equal((await bench.ask('/messages')).json.data, []);
    });
  });

  test('a caller who may see one side sees nothing of the other side on any route', async () => {
    let sides: readonly WorkspaceSide[] = ['live'];
    let workspaceId = '';
    const access = () => staff([workspaceId], { scopes: 'full', sides });
    await withInbox({ database, access }, async (bench, id) => {
      ({ workspaceId } = bench);
      for (const [method, path, body] of routesOf(id)) {
        if (!path.includes(id) || path.startsWith('/m/')) continue;
        const { status, json } = await bench.ask(path, { method, body });
        assert.equal([status, json.error.code], [404, 'inbox_message_not_found'], `${method} ${path}`);
      }
      const { json: empty } = await bench.ask('/messages');
      assert.equal([empty.data, empty.total, empty.unread], [[], 0, 0]);
      assert.equal((await bench.ask('/messages', { method: 'DELETE' })).json, { deleted: 0 });
      await bench.ask('/messages/seen', { method: 'POST' });
      sides = ['sandbox'];
      const [message] = await bench.messages();
      assert.equal([message.id, message.unread], [id, true]);
    });
  });

  test('an id that no database accepts gets 404', () =>
    withInbox({ database }, async (bench, id) => {
      for (const [method, path, body] of routesOf('%00')) {
        if (!path.includes('/messages/%00')) continue;
        const { status, json } = await bench.ask(path, { method, body });
        assert.equal([status, json.error.code], [404, 'inbox_message_not_found'], `${method} ${path}`);
      }
      const { status } = await bench.ask(`/messages/${id}?workspace=%00`);
      assert.is(status, 422);
    }));

  test('if there are many workspaces, the request must name one', () =>
    withInbox({ database }, async (bench, id) => {
      for (let count = 0; count < 19; count += 1) {
        await bench.service.workspaces.create({ name: `W${count}`, defaultFrom: { email: 'a@example.com', name: '' } });
      }
      assert.is((await bench.ask('/messages')).json.error.code, 'inbox_workspace_required');
      assert.is((await bench.ask(`/messages/${id}`)).json.error.code, 'inbox_workspace_required');
      assert.is((await bench.ask('/workspaces')).json.together, false);
      assert.is((await bench.messages(`?workspace=${bench.workspaceId}`))[0].id, id);
      assert.is((await bench.ask(`/messages/${id}?workspace=${bench.workspaceId}`)).status, 200);
    }));
});
