// Layouts are changed or archived while templates select them, roll back to them, or are compiled in them.
// full-run: slow
import * as assert from 'uvu/assert';
import { publishTemplate } from '../../plugins/templates/operations/publish-template.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const around = (name: string) => `<html><body><h1>${name}</h1><main>{% content %}</main></body></html>`;

await eachDatabase('concurrent changes of layouts', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `met-${calls}` } });
  };
  const create = (key: string, body: object = {}) =>
    post('/v1/templates', { key, mode: 'html', subject: 'Hi', body: '<p>Hello {{ name }}</p>', ...body });
  const edit = (key: string, body: object) => post(`/v1/templates/${key}`, body, 'PATCH');
  const publish = (key: string, body: object = {}) => post(`/v1/templates/${key}/publish`, body);
  const archive = (key: string) => post(`/v1/templates/${key}`, {}, 'DELETE');
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('if a layout is archived and selected at the same time, exactly one of the calls succeeds', async () => {
    for (let pair = 0; pair < 20; pair += 1) {
      const key = `met-${pair}`;
      await bench.publish(key, { kind: 'layout', subject: '', body: around('Met') });
      await create(`${key}-user`);
      const take = pair % 2 === 0 ? edit(`${key}-user`, { layout: key }) : create(`${key}-other`, { layout: key });
      const [selection, archival] = await Promise.all([take, archive(key)]);
      const ends = [selection.status < 300, archival.status === 200];
      assert.is(ends.filter(Boolean).length, 1, `${selection.status} and ${archival.status}`);
      assert.is(
        (selection.body.error ?? archival.body.error).code,
        selection.body.error ? 'layout_not_found' : 'layout_in_use',
      );
    }
  });

  test('a rollback to a version with an archived layout is refused, and the published version does not change', async () => {
    await bench.publish('gone', { kind: 'layout', subject: '', body: around('Gone') });
    await create('returning', { layout: 'gone' });
    await publish('returning');
    await edit('returning', { layout: null });
    await publish('returning', { allowBreaking: true });
    const rollBack = () => post('/v1/templates/returning/rollback', { version: 1, allowBreaking: true });
    assert.is((await archive('gone')).status, 200);
    assert.equal(refusal(await rollBack()), [404, 'layout_not_found']);
    const { version, layout } = (await bench.request('/v1/templates/returning')).body;
    assert.equal([version, layout], [2, null]);
    assert.is((await publish('returning')).status, 200);
  });

  test('if a layout is published while a template is compiled in it, the publish of the template must be repeated', async () => {
    await bench.publish('quick', { kind: 'layout', subject: '', body: around('Quick') });
    await create('slow', { layout: 'quick' });
    const { prepare } = publishTemplate;
    const publishBetween: typeof prepare = async (context, input) => {
      const result = await prepare(context, input);
      Object.assign(publishTemplate, { prepare });
      assert.is((await publish('quick')).status, 200);
      return result;
    };
    Object.assign(publishTemplate, { prepare: publishBetween });
    const answer = await publish('slow');
    assert.equal(refusal(answer), [409, 'state_conflict']);
    assert.match(answer.body.error.message, 'The template quick was changed');
    assert.is((await publish('slow')).status, 200);
    const { data } = (await bench.request('/v1/templates/slow/versions')).body;
    assert.equal([data.length, data[0].layoutVersion], [1, 2]);
  });
});
