// Attachments of a send: their size, their encoding, their names and types.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const to = 'ada@example.org';
const limit = 10_485_760;
const base64 = (bytes: number) => Buffer.alloc(bytes, 'a').toString('base64');

interface Attachment {
  readonly filename?: unknown;
  readonly content_type?: unknown;
  readonly data_base64?: unknown;
  readonly inline?: unknown;
}

await twoDatabases('attachments of a send', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const send = (...attachments: readonly Attachment[]) =>
    bench.send('receipt', {
      to,
      variables,
      attachments: attachments.map((attachment) => ({
        filename: 'note.txt',
        content_type: 'text/plain',
        data_base64: 'aGk=',
        ...attachment,
      })),
    });
  const refused = async (attachment: Attachment) => {
    const { status, body } = await send(attachment);
    assert.is(status, 422, `${JSON.stringify(attachment)} ${JSON.stringify(body).slice(0, 200)}`);
    return { code: body.error.code, path: body.error.details[0].path };
  };

  test('attachments of 10 MB together reach the mail server unchanged, and one byte more gets 413', async () => {
    const half = base64(limit / 2);
    const answer = await send(
      { data_base64: half },
      { filename: 'other.bin', content_type: 'application/octet-stream', data_base64: half },
    );
    assert.is(answer.status, 202, JSON.stringify(answer.body).slice(0, 300));
    await bench.drain();
    const [email] = await bench.received();
    assert.equal(
      email?.attachments.map(({ content }) => (content as ArrayBuffer).byteLength),
      [limit / 2, limit / 2],
    );
    const tooLarge = await send({ data_base64: half }, { data_base64: base64(limit / 2 + 1) });
    assert.is(tooLarge.status, 413);
    assert.is(tooLarge.body.error.code, 'attachment_too_large');
    assert.match(tooLarge.body.error.message, String(limit + 1));
  });

  test('a single attachment of 10 MB is accepted', async () => {
    assert.is((await send({ data_base64: base64(limit) })).status, 202);
    assert.is((await send({ data_base64: base64(limit + 1) })).status, 413);
  });

  test('only strict base64 is accepted', async () => {
    const texts = ['aGk', 'aGk==', 'a===', 'aG k', 'aGk=\n', 'aGk_', 'aG-k', '=', 'aGl=', 'aGk=aGk=', '😀', 'data:,x'];
    for (const data_base64 of texts) {
      assert.equal(await refused({ data_base64 }), { code: 'attachment_invalid', path: 'attachments.0.data_base64' });
    }
    const wrong = await refused({ data_base64: `${base64(5_000_000)}!` });
    assert.is(wrong.code, 'attachment_invalid');
    assert.is((await send({ data_base64: '' })).status, 202);
  });

  test('a file name may contain neither a path nor a control character', async () => {
    const names = [
      ...[
        'a/b.txt',
        '../b.txt',
        'a\\b.txt',
        'C:b.txt',
        '..',
        '.',
        '...',
        ' ',
        ' a.txt',
        'a.txt ',
        'a\nb.txt',
        'a\u0007.txt',
      ],
      ...[
        'a\u202etxt.exe',
        'a"b.txt',
        'a<b>.txt',
        'a|b.txt',
        'a?.txt',
        'a*.txt',
        'a\u2028b.txt',
        '／etc／passwd',
        'a＼b.txt',
      ],
      ...['a\u0085b.txt', '\u200b', '\u200b.'],
    ];
    for (const filename of names) {
      const { code, path } = await refused({ filename });
      assert.equal([code, path], ['attachment_invalid', 'attachments.0.filename'], JSON.stringify(filename));
    }
    assert.is((await refused({ filename: '' })).path, 'attachments.0.filename');
    assert.is((await refused({ filename: 'x'.repeat(201) })).path, 'attachments.0.filename');
    for (const filename of [
      'Überblick 2026 (final).pdf',
      '.gitignore',
      'no-extension',
      '報告書.pdf',
      'family-👨‍👩‍👧.png',
    ]) {
      assert.is((await send({ filename })).status, 202, filename);
    }
  });

  test('executables are refused, however their extension is disguised', async () => {
    const extensions = [
      'exe',
      'js',
      'vbs',
      'scr',
      'bat',
      'cmd',
      'com',
      'pif',
      'msi',
      'ps1',
      'jar',
      'hta',
      'lnk',
      'wsf',
      'cpl',
    ];
    const names = [
      ...extensions.map((extension) => `run.${extension}`),
      ...['RUN.EXE', 'run.Exe', 'invoice.pdf.exe', 'run.exe.', 'run.exe...', '.exe', 'run.exe\u200b', 'run.e\u200bxe'],
      ...[
        'run.exe\u00ad',
        'run.exe\ufeff',
        'run.ｅｘｅ',
        'run．exe',
        'run.exe.\u200b',
        'run.exe\u2060.',
        'run.exe\u034f',
      ],
    ];
    for (const filename of names) {
      const { code, path } = await refused({ filename });
      assert.equal([code, path], ['attachment_invalid', 'attachments.0.filename'], JSON.stringify(filename));
    }
    for (const filename of ['exe', 'run.exe.txt', 'exe.pdf', 'js'])
      assert.is((await send({ filename })).status, 202, filename);
  });

  test('a content type must be a MIME type that a single part can have', async () => {
    const types = [
      ...[
        'pdf',
        'text',
        'text/',
        '/plain',
        'text/plain\r\nX: y',
        'text/pl ain',
        'multipart/mixed',
        'MULTIPART/related',
      ],
      ...['message/rfc822', 'message/partial', 'application/x-msdownload', 'text/plain;', 'text/plain; a="b'],
      ...['text/plain; a=b c', 'text/plain; a="b\r\nX: y"', 'text/plain; a="b\\"; name="x.exe"', 'text/plain; a=ü'],
      ...[
        'text/plain; name=x.exe',
        'text/plain; FileName="x.exe"',
        'text/plain; boundary=x',
        "text/plain; name*=utf-8''x.exe",
      ],
      ...[
        'text/plain; name*0="x.exe"',
        'text/plain; charset=a; charset=b',
        'text/plain, text/html',
        'text/plain; "a"=b',
      ],
    ];
    for (const content_type of types) {
      const { code, path } = await refused({ content_type });
      assert.equal([code, path], ['attachment_invalid', 'attachments.0.content_type'], content_type);
    }
    const good = [
      'image/svg+xml',
      'text/plain; charset=utf-8',
      'application/vnd.ms-excel',
      'TEXT/Calendar; method=REQUEST',
      'text/calendar; charset="utf-8"; method=REQUEST',
      'text/calendar;charset=utf-8;method=REQUEST;component="vevent"',
      'text/plain ; format=flowed; delsp=yes',
      'application/vnd.example+json; profile="https://acme.example/a;b=c"; q=1',
      'text/plain; a="; name=b"',
    ];
    for (const content_type of good) assert.is((await send({ content_type })).status, 202, content_type);
  });

  test('an inline attachment is referenced by its content id, which is unique', async () => {
    assert.equal((await refused({ filename: 'my logo.png', inline: true })).path, 'attachments.0.filename');
    const logo = { filename: 'logo.png', content_type: 'image/png', inline: true };
    const twoLogos = await send(logo, logo);
    assert.equal([twoLogos.status, twoLogos.body.error.details[0].path], [422, 'attachments.1.filename']);
    assert.is((await send(logo, { ...logo, inline: false })).status, 202);
  });

  test('one answer reports all errors of all attachments', async () => {
    const { body } = await send({ filename: 'a/b', data_base64: '!' }, {}, { content_type: 'nope', filename: 'x.exe' });
    assert.equal(
      body.error.details.map(({ path }: { path: string }) => path),
      ['attachments.0.filename', 'attachments.0.data_base64', 'attachments.2.filename', 'attachments.2.content_type'],
    );
  });

  test('a missing or misspelt field is reported by name', async () => {
    assert.is((await refused({ content_type: undefined })).path, 'attachments.0.content_type');
    assert.is((await refused({ inline: 'yes' })).path, 'attachments.0.inline');
    assert.is((await refused({ contentType: 'x/y' } as Attachment)).path, 'attachments.0.contentType');
  });

  test('the mail server accepts everything that the tests above sent', async () => {
    await bench.drain();
    assert.equal((await bench.request('/v1/sends?status=failed')).body.data, []);
    assert.is((await bench.request('/v1/sends?status=sent&limit=1')).body.data.length, 1);
  });
});
