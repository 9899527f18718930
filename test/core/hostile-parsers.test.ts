// Parsers of untrusted bytes get the worst inputs of the largest size: each input is parsed or refused, and the limit before a parser
// refuses no legitimate input. If a parser is slower than linear, these tests do not end. test/bench/parsers.ts measures the time.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { readFeed } from '../../adapters/news/rss-feed.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import { FormatFault, memorySource, readFormat } from '../../plugins/assets/formats/read-format.ts';
import { parserCases } from '../bench/parser-corpus.ts';

const test = suite('hostile bytes for parsers');
const secret = 'a secret for tests only';

for (const { parser, bytes, inputs, read } of parserCases)
  test(`${parser}: each input is parsed or refused`, async () => {
    for (const [description, make] of Object.entries(inputs)) {
      // A quarter of the size in the benchmark, for slow machines
      const size = parser.startsWith('patterns') ? bytes / 20 : parser.startsWith('mails to') ? bytes : bytes / 4;
      const answer = await Promise.resolve()
        .then(() => read(Buffer.from(make(size))))
        .catch((error: unknown) => error);
      if (answer instanceof RangeError) throw new Error(`${parser}, ${description}: ${answer.message}`);
    }
  });

const report = (more: { readonly header?: string; readonly body?: string } = {}): Buffer =>
  Buffer.from(
    [
      'Received: from a.example by b.example;',
      ' Mon, 1 Jan 2024 00:00:00 +0000',
      'CONTENT-TYPE: multipart/report;',
      '\treport-type=delivery-status; boundary="b"',
      ...(more.header === undefined ? [] : [more.header]),
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Zustellung fehlgeschlagen: İ 日本 \u{1f600}',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.acme.example',
      '',
      'Final-Recipient: rfc822; ada@example.com',
      'Action: failed',
      'Status: 5.1.1',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Message-ID: <msg_01J00000000000000000000000@acme.example>',
      'Subject: Hello',
      '',
      more.body ?? 'Hello.',
      '--b--',
      '',
    ].join('\r\n'),
  );

test('a bounce report is read, whatever text follows its status part and whatever other headers it has', async () => {
  const readReport = (body: Buffer) =>
    mailboxReports({ secret }).read({
      headers: { authorization: `Bearer ${secret}` },
      body,
      now: 0,
      outgoing: localOutgoing(),
    });
  const reports: Readonly<Record<string, Buffer>> = {
    plain: report(),
    'a returned message of 9 MB': report({ body: 'QUJD'.repeat(19).concat('\r\n').repeat(115_000) }),
    'a returned message of a million lines': report({ body: '\r\n'.repeat(1_000_000) }),
    'groups of addresses': report({ header: `To: ${'a:'.repeat(200_000)}` }),
    'folded headers': report({ header: `X-Spam: a${'\r\n b'.repeat(1_000)}` }),
    'line feeds alone': Buffer.from(report().toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  };
  for (const [description, body] of Object.entries(reports)) {
    const [firstReport] = await readReport(body);
    assert.is(firstReport?.fact.kind, 'bounced', description);
    assert.equal(firstReport?.messageIds, ['<msg_01J00000000000000000000000@acme.example>'], description);
  }
});

test('a feed with a hundred thousand tags is refused, but a feed with a thousand rich items is read', () => {
  const feed = (items: number) =>
    `<rss version="2.0"><channel><title>News</title>${'<item><title>日本</title><link>https://a.example/</link><guid>a</guid><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><description>&lt;p&gt;İyi&lt;/p&gt;</description></item>'.repeat(items)}</channel></rss>`;
  assert.is(readFeed(feed(1_000), 'https://a.example/feed').length, 100);
  assert.throws(() => readFeed(feed(5_000), 'https://a.example/feed'), /more than 20000 tags/);
  const json = `{"version":"https://jsonfeed.org/version/1.1","title":"a","items":[${'[{},'.repeat(20_000)}`;
  assert.throws(() => readFeed(json, 'https://a.example/feed'), /more than 20000 tags/);
});

test('pictures with too many parts and SVGs with too many references are refused with the reason', async () => {
  const reasons: readonly [parser: string, input: string, reason: RegExp][] = [
    ['PNG', 'empty chunks', /too many parts/],
    ['JPEG', 'empty segments', /too many parts/],
    ['JPEG', 'empty scans', /too many parts/],
    ['GIF', 'empty extensions', /too many parts/],
    ['WebP', 'empty chunks', /too many parts/],
    ['SVG of an asset', 'many attributes', /more than 20000 elements and attributes/],
    ['SVG of an asset', 'one style', /more than 20000 references/],
    ['SVG of an asset', 'references', /more than 20000 characters/],
  ];
  for (const [parser, input, reason] of reasons) {
    const cases = parserCases.find((one) => one.parser === parser);
    const content = cases?.inputs[input]?.(cases.bytes) ?? '';
    const answer = await readFormat(memorySource(Buffer.from(content))).then(String, (error: unknown) => error);
    assert.instance(answer, FormatFault, `${parser}, ${input}`);
    assert.match((answer as FormatFault).message, reason, `${parser}, ${input}`);
  }
});

test.run();
