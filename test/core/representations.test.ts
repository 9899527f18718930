// Operations that return more than JSON: over REST by Accept, with tools and in process, their replays, and the storage of the bytes
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { picture } from './press-plugin.ts';
import { openPress, type PressService } from './press-service.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

await eachDatabase('representations', (test, database) => {
  let press: PressService;
  let id: string;
  test.before(async () => {
    press = await openPress(database);
    press.shelf.set('asset_1', picture('stored', 100));
    ({ id } = await press.service.as(press.workspaceId).posters.create({ title: 'Ärzte' }));
  });
  test.after(() => press.close());

  const readPoster = (accept?: string) =>
    press.send(`/v1/posters/${id}`, { headers: accept === undefined ? {} : { accept } });
  const print = (body: object, accept: string | undefined, key?: string) =>
    press.send(`/v1/posters/${id}/print`, {
      body,
      headers: {
        ...(accept === undefined ? {} : { accept }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
    });
  const codeOf = ({ status, body }: { status: number; body: unknown }) =>
    `${status} ${JSON.parse(String(body)).error?.code}`;
  const argumentsOf = async (tool: string): Promise<Record<string, { enum?: string[] }>> => {
    const { inputSchema } = await press.shown(tool);
    return inputSchema?.properties as Record<string, { enum?: string[] }>;
  };
  const charges = async (): Promise<number> => {
    const db = await press.service.core.database();
    const rows = await db.read(press.workspaceId, (handle) =>
      handle.db.selectFrom('credits').select('kind').where('workspace_id', '=', press.workspaceId).execute(),
    );
    return rows.filter(({ kind }) => kind === 'charge').length;
  };
  const storedBytes = async (key: string) => {
    const db = await press.service.core.database();
    return db.read(press.workspaceId, async (handle) => {
      const workspace = handle.workspaceId;
      const records = await handle.db
        .selectFrom('idempotency')
        .selectAll()
        .where('workspace_id', '=', workspace)
        .execute();
      const pieces = await handle.db
        .selectFrom('stored_bytes')
        .selectAll()
        .where('workspace_id', '=', workspace)
        .execute();
      return { record: records.find((record) => record.key === key), pieces };
    });
  };

  test('a caller that accepts anything gets JSON', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/html, */*;q=0.8']) {
      const { status, headers, body } = await readPoster(accept);
      assert.equal(
        [status, headers['Content-Type'], headers.Vary],
        [200, 'application/json; charset=utf-8', 'Accept'],
        accept,
      );
      assert.equal(JSON.parse(String(body)), { id, title: 'Ärzte', version: 1 });
    }
  });

  test('a caller that accepts a byte format gets the bytes', async () => {
    const svg = await readPoster('image/*');
    assert.is(Buffer.from(svg.body as Uint8Array).toString(), '<svg><title>Ärzte</title></svg>');
    assert.is(svg.headers['Content-Type'], 'image/svg+xml');
    assert.is(svg.headers['X-Content-Type-Options'], 'nosniff');
    assert.match(
      svg.headers['Content-Disposition'] ?? '',
      /^attachment; filename="_rzte.svg"; filename\*=UTF-8''%C3%84rzte.svg$/,
    );
    const csv = await readPoster('text/csv');
    assert.equal(
      [csv.headers['Content-Type'], String(Buffer.from(csv.body as Uint8Array))],
      ['text/csv; charset=utf-8', 'title,version\r\nÄrzte,1\r\n'],
    );
  });

  test('if no format is acceptable, the caller gets 406 with all available formats', async () => {
    const refusal = await readPoster('application/pdf, application/json;q=0');
    assert.is(codeOf(refusal), '406 not_acceptable');
    assert.match(String(refusal.body), /application\/json or image\/svg\+xml or text\/csv/);
    assert.is(refusal.headers.Vary, 'Accept');
  });

  test('if an argument selects the representation, other formats are not acceptable', async () => {
    const png = await print({ format: 'png-print' }, 'image/*');
    assert.equal([png.status, png.headers['Content-Type']], [200, 'image/png']);
    assert.equal(base64(png.body as Uint8Array), base64(picture('Ärzte')));
    const refusal = await print({ format: 'pdf' }, 'image/*');
    assert.is(codeOf(refusal), '406 not_acceptable');
    assert.match(String(refusal.body), /Request application\/json or application\/pdf\./);
    assert.is(codeOf(await print({ format: 'outline' }, 'image/png')), '406 not_acceptable');
    const json = JSON.parse(String((await print({ format: 'pdf' }, undefined)).body));
    assert.equal(json, { id, bytes: 8, dataBase64: base64(picture('Ärzte')) });
  });

  for (const [size, inRow] of [
    [65_536, true],
    [65_537, false],
    [600_000, false],
  ] as const)
    test(`a replay of ${size} bytes has the same bytes, type and name, and charges nothing`, async () => {
      const key = `replay-${size}`;
      const first = await print({ format: 'png', size }, 'image/png', key);
      const before = await charges();
      const replay = await print({ format: 'png', size }, 'image/png', key);
      assert.is(Buffer.compare(replay.body as Uint8Array, first.body as Uint8Array), 0);
      assert.is(Buffer.compare(replay.body as Uint8Array, picture('Ärzte', size)), 0);
      for (const name of ['Content-Type', 'Content-Disposition'])
        assert.is(replay.headers[name], first.headers[name], name);
      assert.equal([first.headers['Idempotent-Replay'], replay.headers['Idempotent-Replay']], [undefined, 'true']);
      assert.is(await charges(), before);
      const { record, pieces } = await storedBytes(key);
      assert.is(record?.bytes?.length, inRow ? size : undefined);
      const ownPieces = pieces.filter((piece) => record?.representation?.includes(piece.id));
      assert.is(
        ownPieces.reduce((sum, { content }) => sum + content.length, 0),
        inRow ? 0 : size,
      );
      for (const piece of ownPieces) assert.is(Number(piece.expires_at), Number(record?.expires_at));
    });

  test('another representation with the same key is a different request', async () => {
    assert.is((await print({ format: 'png' }, 'image/png', 'mixed')).status, 200);
    assert.is(codeOf(await print({ format: 'png' }, undefined, 'mixed')), '409 idempotency_key_mismatch');
    // Another header that selects the same type is the same request.
    assert.is(
      (await print({ format: 'png' }, 'text/html, image/*;q=0.1', 'mixed')).headers['Idempotent-Replay'],
      'true',
    );
  });

  test('stored bytes are deleted with their record', async () => {
    await print({ format: 'png', size: 70_000 }, 'image/png', 'old');
    await press.drain();
    press.advanceClock(86_400_000 + 60_000);
    await press.drain();
    const { record, pieces } = await storedBytes('old');
    assert.equal([record?.key, pieces.length], [undefined, 0]);
    assert.is(
      (await print({ format: 'png', size: 70_000 }, 'image/png', 'old')).headers['Idempotent-Replay'],
      undefined,
    );
  });

  test('a dry run returns JSON, because the bytes may be what a call charges for', async () => {
    const headers = { accept: 'image/png', 'dry-run': 'true' };
    const { headers: answered, body } = await press.send(`/v1/posters/${id}/print`, {
      body: { format: 'png' },
      headers,
    });
    assert.equal([answered['Content-Type'], answered['Dry-Run-Credits']], ['application/json; charset=utf-8', '2']);
    assert.equal(JSON.parse(String(body)), { id, bytes: 8 });
  });

  test('referenced bytes are read for the first response and for each replay, but are not stored in the record', async () => {
    const ask = () =>
      press.send(`/v1/posters/${id}/export`, {
        method: 'POST',
        headers: { accept: 'application/pdf', 'idempotency-key': 'export' },
      });
    const before = press.reads();
    const [first, again] = [await ask(), await ask()];
    assert.is(base64(again.body as Uint8Array), base64(press.shelf.get('asset_1') as Uint8Array));
    assert.is(base64(first.body as Uint8Array), base64(again.body as Uint8Array));
    assert.is(press.reads(), before + 2);
    assert.match(again.headers['Content-Disposition'] ?? '', /filename\*=UTF-8''%C3%9Cbersicht/);
    const { record } = await storedBytes('export');
    assert.equal([record?.bytes, JSON.parse(record?.representation ?? '{}').reference], [null, 'asset_1']);
    press.shelf.delete('asset_1');
    assert.is(codeOf(await ask()), '409 state_conflict');
    press.shelf.set('asset_1', picture('stored', 100));
  });

  test('a tool returns JSON first, then raster pictures as image content and other bytes as resources', async () => {
    const svg = await press.tool('read_poster', { id, format: 'image/svg+xml' });
    const [json, drawing] = svg.content;
    assert.equal(JSON.parse(json?.text ?? ''), svg.structuredContent);
    assert.equal(
      [drawing?.type, drawing?.resource?.mimeType, drawing?.resource?.text],
      ['resource', 'image/svg+xml', '<svg><title>Ärzte</title></svg>'],
    );
    const png = await press.tool('print_poster', { id, format: 'png', idempotency_key: 'pixels' });
    assert.equal([png.content[1]?.type, png.content[1]?.mimeType], ['image', 'image/png']);
    const csv = (await press.tool('read_poster', { id, format: 'text/csv' })).content[1]?.resource;
    assert.equal([csv?.mimeType, csv?.text], ['text/csv', 'title,version\r\nÄrzte,1\r\n']);
    const pdf = await press.tool('print_poster', { id, format: 'pdf', idempotency_key: 'tool' });
    const replay = await press.tool('print_poster', { id, format: 'pdf', idempotency_key: 'tool' });
    assert.equal(replay.content, pdf.content);
    assert.is(replay._meta?.['idempotent-replay'], true);
    assert.equal(
      [pdf.content[1]?.resource?.mimeType, pdf.content[1]?.resource?.blob, pdf.structuredContent],
      ['application/pdf', base64(picture('Ärzte')), { id, bytes: 8 }],
    );
    assert.is((await press.tool('read_poster', { id })).content.length, 1);
    assert.is(
      (await press.tool('read_poster', { id, format: 'image/png' })).structuredContent.error?.code,
      'not_acceptable',
    );
    assert.is((await press.tool('read_poster', { id, format: 7 })).structuredContent.error?.code, 'validation_failed');
  });

  test('a tool and its REST route share idempotency records', async () => {
    const key = 'shared';
    const { content } = await press.tool('print_poster', { id, format: 'png', idempotency_key: key });
    const restAnswer = await print({ format: 'png' }, 'image/png', key);
    assert.equal(
      [restAnswer.headers['Idempotent-Replay'], base64(restAnswer.body as Uint8Array)],
      ['true', content[1]?.data],
    );
  });

  test('a tool takes the argument format unless its own argument selects the representation', async () => {
    const { format } = await argumentsOf('read_poster');
    assert.equal(format?.enum, ['application/json', 'image/svg+xml', 'text/csv']);
    const ownArguments = await argumentsOf('print_poster');
    assert.equal(ownArguments.format?.enum, ['png', 'png-print', 'pdf', 'outline']);
  });

  test('in process, an option selects the representation', async () => {
    const { posters } = press.service.as(press.workspaceId);
    const options = { representation: 'image/png', idempotencyKey: 'own' } as const;
    const first = await posters.print({ id, format: 'png' }, options);
    const replay = await posters.print({ id, format: 'png' }, options);
    assert.equal(
      [first.contentType, first.filename, base64(first.bytes)],
      ['image/png', 'png.png', base64(picture('Ärzte'))],
    );
    assert.equal(
      [replay.contentType, replay.filename, base64(replay.bytes)],
      ['image/png', 'png.png', base64(first.bytes)],
    );
    const json = await posters.read({ id });
    assert.is(json.title, 'Ärzte');
    const code = await posters.print({ id, format: 'pdf' }, options).catch((error) => error.code);
    assert.is(code, 'not_acceptable');
  });
});
