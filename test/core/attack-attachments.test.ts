// Invalid attachments: each is refused with its error code and the path of the invalid field, and nothing is stored.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';

type Part = Readonly<Record<string, unknown>>;

const plain: Part = { filename: 'a.pdf', content_type: 'application/pdf', data_base64: 'QQ==' };

/** Refused attachments: name of the attack, the attachment's fields, and the field that the error detail names. */
const refused: readonly (readonly [string, Part, 'filename' | 'content_type' | 'data_base64'])[] = [
  ['base64 with a line break', { data_base64: 'QUJD\r\nQUJD' }, 'data_base64'],
  ['base64 with spaces', { data_base64: 'QUJD QUJD' }, 'data_base64'],
  ['base64 of the URL alphabet', { data_base64: '-_-_' }, 'data_base64'],
  ['base64 without its padding', { data_base64: 'QQ' }, 'data_base64'],
  ['base64 with too much padding', { data_base64: 'QQ=====' }, 'data_base64'],
  ['padding in the middle', { data_base64: 'QQ==QQ==' }, 'data_base64'],
  ['padding alone', { data_base64: '====' }, 'data_base64'],
  ['bits behind the end', { data_base64: 'QR==' }, 'data_base64'],
  ['a data URL', { data_base64: 'data:text/plain;base64,QQ==' }, 'data_base64'],
  ['a path above', { filename: '../../etc/passwd' }, 'filename'],
  ['a path of Windows', { filename: '..\\..\\autoexec.txt' }, 'filename'],
  ['an absolute path', { filename: '/etc/passwd' }, 'filename'],
  ['a drive', { filename: 'C:a.txt' }, 'filename'],
  ['a second stream', { filename: 'a.txt:b' }, 'filename'],
  ['dots alone', { filename: '..' }, 'filename'],
  ['a slash in another script', { filename: '..／..／a.txt' }, 'filename'],
  ['an executable', { filename: 'invoice.exe' }, 'filename'],
  ['an executable in capitals', { filename: 'INVOICE.EXE' }, 'filename'],
  ['a script', { filename: 'invoice.js' }, 'filename'],
  ['an executable behind a document', { filename: 'invoice.pdf.scr' }, 'filename'],
  ['an executable with a dot behind it', { filename: 'invoice.exe.' }, 'filename'],
  ['an executable with dots and spaces behind it', { filename: 'invoice.exe. .' }, 'filename'],
  ['an executable with a space behind it', { filename: 'invoice.exe ' }, 'filename'],
  ['an executable behind a hard space', { filename: 'invoice.exe\u00a0' }, 'filename'],
  ['an executable read from right to left', { filename: 'invoice\u202efdp.exe' }, 'filename'],
  ['a document read from right to left', { filename: 'exe\u202efdp.a' }, 'filename'],
  ['an executable in full width', { filename: 'invoice．ｅｘｅ' }, 'filename'],
  ['an executable with a character that shows nothing', { filename: 'invoice.e\u200bxe' }, 'filename'],
  ['an executable with a soft hyphen', { filename: 'invoice.ex\u00ade' }, 'filename'],
  ['an executable that a stream hides', { filename: 'invoice.exe::$DATA' }, 'filename'],
  ['a type of many parts', { content_type: 'multipart/mixed' }, 'content_type'],
  ['a type of many parts with a boundary', { content_type: 'Multipart/Mixed; boundary=x' }, 'content_type'],
  ['a message', { content_type: 'message/rfc822' }, 'content_type'],
  ['a message that is elsewhere', { content_type: 'message/external-body; access-type=URL' }, 'content_type'],
  ['a program', { content_type: 'application/x-msdownload' }, 'content_type'],
  ['a type of its own name', { content_type: 'application/pdf; name=evil.exe' }, 'content_type'],
  ['a type without a subtype', { content_type: 'application' }, 'content_type'],
  ['a content id with brackets', { filename: 'a> <b', inline: true }, 'filename'],
  ['a content id with a space', { filename: 'a b.png', inline: true }, 'filename'],
  ['a content id outside ASCII', { filename: 'ä.png', inline: true }, 'filename'],
];

await twoDatabases('attacks with attachments', (test, database) => {
  let bench: AttackBench;
  let template: string;
  test.before(async () => {
    bench = await openBench(database);
    template = await bench.publish({ variables: { type: 'object' } });
  });
  test.after(() => bench.close());

  const send = async (attachments: readonly Part[]) => (await bench.send(template, {}, { attachments })).answer;

  for (const [name, part, field] of refused) {
    test(`${name} is refused`, async () => {
      const answer = await send([plain, { ...plain, ...part }]);
      assert.equal(answer.faults, []);
      assert.is(answer.status, 422, answer.text);
      assert.is(answer.json.error.code, 'attachment_invalid');
      assert.equal(
        answer.json.error.details.map(({ path }: { path: string }) => path),
        [`attachments.1.${field}`],
      );
      assert.is((await bench.get('/v1/sends')).json.data.length, 0, 'a refused send was kept');
    });
  }

  test("a mail library's option in an attachment is refused as an unknown field", async () => {
    for (const name of ['path', 'href', 'raw', 'cid', 'encoding', 'headers', 'contentDisposition']) {
      const answer = await send([{ ...plain, [name]: '/etc/passwd' }]);
      assert.is(answer.status, 422, name);
      assert.equal(answer.json.error.details[0].path, `attachments.0.${name}`);
    }
  });

  test('two inline attachments with the same filename are refused', async () => {
    const inline = { ...plain, filename: 'logo.png', inline: true };
    const answer = await send([inline, inline]);
    assert.is(answer.json.error.code, 'attachment_invalid');
  });

  test('more than 10 MB are refused before decoding, in one attachment or many, with any content', async () => {
    const tooMuch = 'A'.repeat(13_981_020);
    for (const parts of [
      [tooMuch],
      ['QUJD', tooMuch.slice(4)],
      Array<string>(25).fill('A'.repeat(560_000)),
      [`${tooMuch}!`],
    ]) {
      const answer = await send(parts.map((data_base64) => ({ ...plain, data_base64 })));
      assert.equal(answer.faults, []);
      assert.is(answer.status, 413, answer.text);
      assert.is(answer.json.error.code, 'attachment_too_large');
    }
  });

  test('10 MB of base64 with an invalid end are refused without exhausting the process', async () => {
    for (const data_base64 of [`${'A'.repeat(13_981_007)}!`, '='.repeat(13_981_008), ' '.repeat(4_000_000)]) {
      const answer = await send([{ ...plain, data_base64 }]);
      assert.equal(answer.faults, []);
      assert.is(answer.json.error.code, 'attachment_invalid');
    }
  });

  test('control: the largest allowed attachment with an unusual filename arrives unchanged', async () => {
    const content = Buffer.alloc(10_485_760, 'postrider');
    const { to, answer } = await bench.send(
      template,
      {},
      {
        attachments: [{ ...plain, filename: 'Größe 7 (2).pdf', data_base64: content.toString('base64') }],
      },
    );
    assert.is(answer.status, 202, answer.text);
    await bench.test.drain();
    const [attachment] = bench.test.mail.lastTo(to)?.attachments ?? [];
    assert.is(attachment?.filename, 'Größe 7 (2).pdf');
    assert.ok(Buffer.compare(attachment?.content ?? Buffer.alloc(0), content) === 0);
  });
});
