// Invalid attachments: each is refused with its error code and the path of the invalid field, and nothing is stored.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';

type Part = Readonly<Record<string, unknown>>;

const plain: Part = { filename: 'a.pdf', content_type: 'application/pdf', data_base64: 'QQ==' };

/** Refused attachments: name of the attack, the fields of the attachment, and the field that the error detail names */
const refusedAttachments: readonly (readonly [string, Part, 'filename' | 'content_type' | 'data_base64'])[] = [
  ['base64 with a line break', { data_base64: 'QUJD\r\nQUJD' }, 'data_base64'],
  ['base64 with spaces', { data_base64: 'QUJD QUJD' }, 'data_base64'],
  ['base64 with the URL alphabet', { data_base64: '-_-_' }, 'data_base64'],
  ['base64 without its padding', { data_base64: 'QQ' }, 'data_base64'],
  ['base64 with too much padding', { data_base64: 'QQ=====' }, 'data_base64'],
  ['padding in the middle', { data_base64: 'QQ==QQ==' }, 'data_base64'],
  ['only padding', { data_base64: '====' }, 'data_base64'],
  ['unused bits that are not zero', { data_base64: 'QR==' }, 'data_base64'],
  ['a data URL', { data_base64: 'data:text/plain;base64,QQ==' }, 'data_base64'],
  ['a path to a parent folder', { filename: '../../etc/passwd' }, 'filename'],
  ['a Windows path', { filename: '..\\..\\autoexec.txt' }, 'filename'],
  ['an absolute path', { filename: '/etc/passwd' }, 'filename'],
  ['a drive letter', { filename: 'C:a.txt' }, 'filename'],
  ['a second file stream', { filename: 'a.txt:b' }, 'filename'],
  ['only dots', { filename: '..' }, 'filename'],
  ['a full-width slash', { filename: '..／..／a.txt' }, 'filename'],
  ['an executable', { filename: 'invoice.exe' }, 'filename'],
  ['an executable in capitals', { filename: 'INVOICE.EXE' }, 'filename'],
  ['a script', { filename: 'invoice.js' }, 'filename'],
  ['an executable after the extension of a document', { filename: 'invoice.pdf.scr' }, 'filename'],
  ['an executable with a dot at the end', { filename: 'invoice.exe.' }, 'filename'],
  ['an executable with dots and spaces at the end', { filename: 'invoice.exe. .' }, 'filename'],
  ['an executable with a space at the end', { filename: 'invoice.exe ' }, 'filename'],
  ['an executable with a no-break space at the end', { filename: 'invoice.exe\u00a0' }, 'filename'],
  ['an executable with a right-to-left override', { filename: 'invoice\u202efdp.exe' }, 'filename'],
  ['a document with a right-to-left override', { filename: 'exe\u202efdp.a' }, 'filename'],
  ['an executable in full-width letters', { filename: 'invoice．ｅｘｅ' }, 'filename'],
  ['an executable with an invisible character', { filename: 'invoice.e\u200bxe' }, 'filename'],
  ['an executable with a soft hyphen', { filename: 'invoice.ex\u00ade' }, 'filename'],
  ['an executable with a file stream', { filename: 'invoice.exe::$DATA' }, 'filename'],
  ['a multipart type', { content_type: 'multipart/mixed' }, 'content_type'],
  ['a multipart type with a boundary', { content_type: 'Multipart/Mixed; boundary=x' }, 'content_type'],
  ['a message', { content_type: 'message/rfc822' }, 'content_type'],
  ['a message with an external body', { content_type: 'message/external-body; access-type=URL' }, 'content_type'],
  ['a program', { content_type: 'application/x-msdownload' }, 'content_type'],
  ['a type with a name parameter', { content_type: 'application/pdf; name=evil.exe' }, 'content_type'],
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

  for (const [name, part, field] of refusedAttachments) {
    test(`${name} is refused`, async () => {
      const answer = await send([plain, { ...plain, ...part }]);
      assert.equal(answer.faults, []);
      assert.is(answer.status, 422, answer.text);
      assert.is(answer.json.error.code, 'attachment_invalid');
      assert.equal(
        answer.json.error.details.map(({ path }: { path: string }) => path),
        [`attachments.1.${field}`],
      );
      assert.is((await bench.get('/v1/sends')).json.data.length, 0, 'a refused send was stored');
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

  test('more than 10 MB are refused before decoding, in one attachment or in many, whatever they contain', async () => {
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

  test('10 MB of base64 with an invalid end are refused, and the process does not run out of memory', async () => {
    for (const data_base64 of [`${'A'.repeat(13_981_007)}!`, '='.repeat(13_981_008), ' '.repeat(4_000_000)]) {
      const answer = await send([{ ...plain, data_base64 }]);
      assert.equal(answer.faults, []);
      assert.is(answer.json.error.code, 'attachment_invalid');
    }
  });

  test('control: the largest allowed attachment arrives unchanged, with an unusual filename', async () => {
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
