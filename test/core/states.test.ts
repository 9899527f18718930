// Declared states on each database: allowed moves, the errors for other moves, and many simultaneous requests of which only one makes a
// move
import * as assert from 'uvu/assert';
import { defineStates } from '../../core/contract/declaration/states.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { postStates, postsPlugin } from './posts-plugin.ts';

await eachDatabase('states', (test, database) => {
  const each = (name: string, work: (bench: TestService<'posts'>) => Promise<void>) =>
    test(name, async () => {
      const bench = await createTestService({
        plugins: [postsPlugin()],
        storage: database.createStorage(),
        tablePrefix: database.newPrefix(),
      });
      try {
        await work(bench);
      } finally {
        await bench.close();
      }
    });
  const rowOf = async (bench: TestService<'posts'>, id: string) =>
    (await bench.service.core.database()).read(bench.workspaceId, ({ db }) =>
      db.selectFrom('posts').selectAll().where('workspace_id', '=', bench.workspaceId).where('id', '=', id).execute(),
    );
  const move = (bench: TestService<'posts'>, id: string, body: object) =>
    bench.request(`/v1/posts/${id}/move`, { body });

  each('a row makes a declared move, which also sets the given columns', async (bench) => {
    const { id } = await bench.service.as(bench.workspaceId).posts.create();
    for (const to of ['ready', 'scheduled']) assert.is((await move(bench, id, { to, at: 7 })).status, 200, to);
    const [row] = await rowOf(bench, id);
    assert.equal([row?.state, Number(row?.scheduled_at)], ['scheduled', 7]);
  });

  each(
    'a move from another state gets 409, and the message has the current state and its allowed moves',
    async (bench) => {
      const { id } = await bench.service.as(bench.workspaceId).posts.create();
      await move(bench, id, { to: 'ready' });
      const { status, body } = await move(bench, id, { to: 'published', at: 7 });
      assert.equal([status, body.error.code], [409, 'state_conflict']);
      assert.is(
        body.error.message,
        'It is ready, and cannot become published: the state must be scheduled. It can become scheduled or deleted.',
      );
      assert.equal((await rowOf(bench, id))[0]?.state, 'ready');
      assert.is((await rowOf(bench, id))[0]?.scheduled_at, null, 'a refused move wrote something');
      await move(bench, id, { to: 'deleted' });
      assert.match((await move(bench, id, { to: 'ready' })).body.error.message, 'can no longer become ready');
    },
  );

  each('if an operation allows a move from fewer states than declared, the other states are refused', async (bench) => {
    const { id } = await bench.service.as(bench.workspaceId).posts.create();
    await move(bench, id, { to: 'ready' });
    assert.is((await move(bench, id, { to: 'deleted', from: 'published' })).status, 409);
    assert.is((await move(bench, id, { to: 'deleted', from: 'ready' })).status, 200);
  });

  each("a missing row and another workspace's row get the 404 of the plugin", async (bench) => {
    const { id } = await bench.service.as(bench.foreignWorkspaceId).posts.create();
    for (const unknown of [id, 'soc_none']) {
      const { status, body } = await move(bench, unknown, { to: 'ready' });
      assert.equal([status, body.error.code], [404, 'post_not_found']);
    }
  });

  each('of ten simultaneous requests for one move, exactly one succeeds', async (bench) => {
    const { id } = await bench.service.as(bench.workspaceId).posts.create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => move(bench, id, { to: 'ready' })));
    assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 409)]);
    for (const { status, body } of answers)
      if (status === 409) assert.match(body.error.message, 'It is ready already. It can become');
  });

  if (database.name === 'sqlite') {
    test('declared moves can be queried', () => {
      assert.equal(postStates.next('ready'), ['scheduled', 'deleted']);
      assert.equal(postStates.sources('deleted'), ['ready', 'published']);
      assert.equal(postStates.sources('draft'), []);
    });

    test('an undeclared move is an error of the program', async () => {
      const states = defineStates({ open: ['closed'], closed: [] });
      const rows = { stateOf: async () => 'closed' as const, change: async () => 1 };
      const notFoundError = () => new Error('missing');
      await states.move(rows, { id: 'a', to: 'open', from: 'closed', notFoundError }).then(
        () => assert.unreachable('the row was moved'),
        (error: unknown) => assert.match(String(error), 'These states declare no move from closed to open.'),
      );
    });

    test('a move to the current state reports that the row already has it', async () => {
      const states = defineStates({ open: ['triaged'], triaged: ['closed'], closed: [] });
      const rows = { stateOf: async () => 'closed' as const, change: async () => 0 };
      await states.move(rows, { id: 'a', to: 'closed', notFoundError: () => new Error('missing') }).then(
        () => assert.unreachable('the row was moved'),
        (error: { message?: string }) => assert.match(error.message ?? '', /It is closed already\./),
      );
    });

    test('a request is refused if other requests keep moving the row', async () => {
      const states = defineStates({ open: ['closed'], closed: ['open'] });
      const rows = { stateOf: async () => 'open' as const, change: async () => 0 };
      await states.move(rows, { id: 'a', to: 'closed', notFoundError: () => new Error('missing') }).then(
        () => assert.unreachable('the row was moved'),
        (error: { code?: string }) => assert.is(error.code, 'state_conflict'),
      );
    });
  }
});
