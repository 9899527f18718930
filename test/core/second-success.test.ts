// Operations that can succeed in a second way ("second success"), such as 202 for a held call: its status, schema, replay, audit entry and
// dry run, over REST, with a tool and in process
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { openPress, type PressService } from './press-service.ts';

await eachDatabase('second success', (test, database) => {
  let press: PressService;
  let id: string;
  test.before(async () => {
    press = await openPress(database);
    ({ id } = await press.service.as(press.workspaceId).posters.create({ title: 'Open day' }));
  });
  test.after(() => press.close());

  const publish = (held: boolean, headers: Record<string, string> = {}) =>
    press.request(`/v1/posters/${id}/publish`, { body: { held }, headers });
  const actions = async (): Promise<string[]> => {
    const db = await press.service.core.database();
    const rows = await db.read(press.workspaceId, (handle) =>
      handle.db
        .selectFrom('audit')
        .select('action')
        .where('workspace_id', '=', press.workspaceId)
        .where('target_id', '=', id)
        .orderBy('id')
        .execute(),
    );
    return rows.map(({ action }) => action);
  };

  test('each success has its own status, body and audit action', async () => {
    const before = await actions();
    const publishedAnswer = await publish(false);
    assert.equal([publishedAnswer.status, publishedAnswer.body], [200, { id, published: true }]);
    const heldAnswer = await publish(true);
    assert.equal([heldAnswer.status, heldAnswer.body.approval.status], [202, 'pending']);
    assert.equal((await actions()).slice(before.length), ['poster.publish', 'poster.hold']);
  });

  test('a replay has the status and body of the first response', async () => {
    const first = await publish(true, { 'idempotency-key': 'held' });
    const replay = await publish(true, { 'idempotency-key': 'held' });
    assert.equal([replay.status, replay.body, replay.headers['Idempotent-Replay']], [202, first.body, 'true']);
  });

  test('a dry run returns the status of the real call and stores nothing', async () => {
    const before = await actions();
    const answer = await publish(true, { 'dry-run': 'true' });
    assert.equal([answer.status, answer.body.id, answer.headers['Dry-Run']], [202, id, 'true']);
    assert.equal(await actions(), before);
  });

  test('the body is the same with a tool and in process', async () => {
    const { structuredContent, isError } = await press.tool('publish_poster', { id, held: true });
    assert.equal([structuredContent.id, isError], [id, undefined]);
    const answer = await press.service.as(press.workspaceId).posters.publish({ id, held: true });
    assert.is('approval' in answer && answer.approval.status, 'pending');
  });

  test("the tool's output schema allows either body", async () => {
    const { outputSchema } = await press.shown('publish_poster');
    const { type, else: either } = outputSchema as unknown as {
      type: string;
      else: { anyOf: { required: string[] }[] };
    };
    assert.is(type, 'object');
    assert.equal(
      either.anyOf.map(({ required }) => required),
      [
        ['id', 'published'],
        ['id', 'approval'],
      ],
    );
  });

  test('an undeclared success is an internal error and stores nothing', async () => {
    const { status, body } = await press.request('/v1/promises', { method: 'POST' });
    assert.equal([status, body.error.code], [500, 'internal_error']);
  });
});
