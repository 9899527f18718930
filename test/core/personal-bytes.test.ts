// Erasing a person removes stored bytes that name the person, and also pictures and documents, which cannot be searched. A repeated call
// then gets JSON and has no second effect.
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { picture } from './press-plugin.ts';
import { openPress, type PressService } from './press-service.ts';

await eachDatabase('personal data in stored bytes', (test, database) => {
  let press: PressService;
  test.before(async () => {
    press = await openPress(database);
  });
  test.after(() => press.close());

  const send = async (path: string, body: object, accept: string, key: string, secret = press.liveKey) => {
    const answer = await press.send(path, { body, key: secret, headers: { accept, 'idempotency-key': key } });
    assert.ok(answer.status < 300, String(answer.body));
    return { type: answer.headers['Content-Type'], body: Buffer.from(answer.body as Uint8Array) };
  };
  const poster = (title: string, key: string, secret?: string) =>
    send('/v1/posters', { title }, 'text/csv', key, secret);
  const rows = async () => {
    const db = await press.service.core.database();
    return db.read({ unscoped: 'the test looks at every row' }, async (handle) => ({
      records: await handle.db.selectFrom('idempotency').select(['key', 'representation', 'bytes']).execute(),
      pieces: await handle.db.selectFrom('stored_bytes').select('id').execute(),
    }));
  };

  test('an erasure removes bytes that name the person or cannot be searched, and keeps other responses', async () => {
    await poster('for Ada.Love@gmail.com', 'hers');
    await poster('for grace@example.com', 'another');
    await poster('for adalove@gmail.com', 'sandbox', press.testKey);
    const { id } = await press.service.as(press.workspaceId).posters.create({ title: 'open day' });
    const print = (size: number, key: string) =>
      send(`/v1/posters/${id}/print`, { format: 'png', size }, 'image/png', key);
    await print(8, 'small');
    await print(100_000, 'large');
    await print(100_000, 'large');
    const before = await rows();
    assert.ok(before.pieces.length > 0 && before.records.every(({ representation }) => representation !== null));

    await press.service.personalData.erase(press.workspaceId, { email: 'adalove@gmail.com' });

    const { records, pieces } = await rows();
    const withBytes = records.filter(({ representation }) => representation !== null).map(({ key }) => key);
    assert.equal(withBytes, ['another']);
    assert.ok(records.every(({ key, bytes }) => key === 'another' || bytes === null));
    assert.equal(pieces, []);
  });

  test('a repeated call gets JSON if the bytes were removed, and the bytes otherwise', async () => {
    const adasPoster = await poster('for Ada.Love@gmail.com', 'hers');
    assert.match(adasPoster.type ?? '', /^application\/json/);
    assert.match(JSON.parse(String(adasPoster.body)).title, /^for erased:/);
    const another = await poster('for grace@example.com', 'another');
    assert.equal(
      [another.type, String(another.body)],
      ['text/csv; charset=utf-8', 'title\r\nfor grace@example.com\r\n'],
    );
  });

  test('a new print after the erasure is stored normally', async () => {
    const { id } = await press.service.as(press.workspaceId).posters.create({ title: 'open day' });
    const body = { format: 'png', size: 70_000 };
    const [first, again] = [
      await send(`/v1/posters/${id}/print`, body, 'image/png', 'new'),
      await send(`/v1/posters/${id}/print`, body, 'image/png', 'new'),
    ];
    assert.is(Buffer.compare(first.body, Buffer.from(picture('open day', 70_000))), 0);
    assert.is(Buffer.compare(first.body, again.body), 0);
  });
});
