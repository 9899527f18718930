// Untrusted texts for which a regular expression would backtrack through every split. Each has 100,000 characters or more, or the maximum
// length of its field. If a pattern is slower than linear, these tests do not end.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listedIn } from '../../adapters/assets/s3-calls.ts';
import { reportedBounce } from '../../adapters/kit/reported-bounce.ts';
import { mailErrorOfResponse } from '../../adapters/kit/smtp-response.ts';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { marksOf } from '../../adapters/social/bluesky-facets.ts';
import { fromLittleText } from '../../adapters/social/linkedin-texts.ts';
import { waitMsInMessage } from '../../adapters/social/reddit-rate-limit.ts';
import { isTextOnX } from '../../adapters/social/x-texts.ts';
import { byteRange } from '../../core/contract/http/byte-range.ts';
import { contentDisposition } from '../../core/contract/http/content-disposition.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import { idsIn } from '../../plugins/assets/formats/svg-rules.ts';
import { parseRecipient } from '../../plugins/email/accept/recipient.ts';
import { svgFault } from '../../plugins/qr/logo/svg-check.ts';
import { keywordOf } from '../../plugins/sms/rules/keywords.ts';
import { rightToLeftMjml } from '../../plugins/templates/language/mail-language.ts';
import { compileWorkFault } from '../../plugins/templates/language/source-work.ts';

const test = suite('hostile texts for patterns');
const many = (text: string, length = 100_000) => text.repeat(Math.ceil(length / text.length));

test('the range of a request is parsed in linear time', () => {
  assert.is(byteRange(`bytes=${many('\t')}-${many('\t')}x`, 10), undefined);
  assert.equal(byteRange(' bytes = 2 - 4 ', 10), { start: 2, end: 4 });
});

test('the name of a file is parsed in linear time', () => {
  for (const gap of ['.', ' ']) {
    const name = `a${many(gap, 1_000_000)}b`;
    assert.ok(contentDisposition('attachment', name).startsWith('attachment; filename="a"'));
  }
});

test('a recipient is parsed in linear time', () => {
  for (const text of [`${many(' ')}a${many(' ')}>`, `${many(' ', 400)}a${many(' ', 400)}>`, `"${many('\\', 900)}<`])
    assert.is(parseRecipient(text), undefined);
  assert.equal(parseRecipient('  "Lovelace, \\"Ada\\"" <ada@example.com> '), {
    email: 'ada@example.com',
    name: 'Lovelace, "Ada"',
  });
});

test('addresses, elements and the size of an SVG are parsed in linear time', () => {
  assert.equal(idsIn(`#a url(${many(' ')}data:image/png;base64,AA)`), []);
  assert.equal(idsIn('url( "#a" ) url(#b)'), ['a', 'b']);
  for (const svg of [`<svg width="0${many('\t')}+0" height="1"/>`, `<${many('A')}'>`])
    assert.type(svgFault(Buffer.from(svg)), 'string');
});

test('a reply to an SMS is parsed in linear time', () => {
  assert.is(keywordOf(`.${many('\t')}x\t`), undefined);
  assert.is(keywordOf(' Stop! '), 'stop');
});

test('the source of a template is parsed in linear time', () => {
  assert.is(compileWorkFault(many('<style')), undefined);
  assert.type(rightToLeftMjml(many('<mjml ')), 'string');
});

test("an SMTP server's answer is parsed in linear time", () => {
  const diagnostic = many('x', 1_000_000);
  assert.is(mailErrorOfResponse({ code: 550, diagnostic }, 'recipient').bounce?.subType, 'general');
  assert.is(reportedBounce(`smtp; 550 ${diagnostic}`).diagnostic.length, 500);
});

test('the report of a mailbox is parsed in linear time', async () => {
  const secret = 'a secret for tests only';
  const status = [`Final-Recipient: rfc822${many(';', 1_000_000)} a b`, 'Action: failed', 'Status: 5.1.1'];
  const original = ['Message-ID: <msg_01J00000000000000000000000@acme.example>', '', ''];
  const part = (type: string, lines: readonly string[]) => ['--b', `Content-Type: ${type}`, '', ...lines];
  const mail = [
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    ...part('text/plain', ['Not delivered.']),
    ...part('message/delivery-status', ['Reporting-MTA: dns; mx.acme.example', '', ...status, '']),
    ...part('text/rfc822-headers', original),
    '--b--',
  ].join('\r\n');
  const headers = { authorization: `Bearer ${secret}` };
  const body = Buffer.from(mail);
  const [report] = await mailboxReports({ secret }).read({ headers, body, now: 0, outgoing: localOutgoing() });
  assert.is(report?.fact.kind, 'bounced');
});

test("the texts of social networks' answers are parsed in linear time", () => {
  for (const part of ['{hashtag|#|', '@[', '@[a]('])
    assert.is(fromLittleText(many(part, 1_000_000)).length, many(part, 1_000_000).length);
  const spaces = many('\u2003', 1_000_000);
  assert.not.ok(isTextOnX('a', `a${spaces}b`));
  // Each link could match any of the words.
  const links = many('https://t.co/a-', 15 * 20);
  assert.not.ok(isTextOnX(`${many('a-', 25_000)} b`, links));
  assert.is(waitMsInMessage(`wait for ${many('1', 1_000_000)}`), 0);
  assert.is(waitMsInMessage('Take a break for 5 minutes'), 300_000);
  assert.equal(
    marksOf(`https://a.example/${many('.', 1_000_000)}x`).map(({ kind }) => kind),
    ['link'],
  );
});

test('the list of a bucket is parsed in linear time', () => {
  assert.equal(listedIn(many('<Contents>', 4_000_000)), []);
  assert.is(listedIn('<Contents><Key>a</Key><Size>1</Size></Contents>')[0]?.key, 'a');
});

test.run();
