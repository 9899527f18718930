// Texts from outside that made a pattern try every way of parting them. Each is 100,000 characters long or as long as its field may be:
// with a pattern that is worse than linear these tests do not end.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byteRange } from '../../core/contract/byte-range.ts';
import { contentDisposition } from '../../core/contract/content-disposition.ts';
import { idsIn } from '../../plugins/assets/formats/svg-rules.ts';
import { parseRecipient } from '../../plugins/email/recipient.ts';
import { svgFault } from '../../plugins/qr/logo/svg-check.ts';
import { keywordOf } from '../../plugins/sms/rules/keywords.ts';
import { turnMjml } from '../../plugins/templates/language/mail-language.ts';
import { compileWorkFault } from '../../plugins/templates/language/source-work.ts';

const test = suite('hostile texts for patterns');
const many = (text: string, length = 100_000) => text.repeat(Math.ceil(length / text.length));

test('the range of a request', () => {
  assert.is(byteRange(`bytes=${many('\t')}-${many('\t')}x`, 10), undefined);
  assert.equal(byteRange(' bytes = 2 - 4 ', 10), { start: 2, end: 4 });
});

test('the name of a file', () => {
  assert.ok(contentDisposition('attachment', `a${many('\t')}b`).length < 2_000);
});

test('a recipient', () => {
  for (const text of [`${many(' ')}a${many(' ')}>`, `${many(' ', 400)}a${many(' ', 400)}>`, `"${many('\\', 900)}<`])
    assert.is(parseRecipient(text), undefined);
  assert.equal(parseRecipient('  "Lovelace, \\"Ada\\"" <ada@example.com> '), {
    email: 'ada@example.com',
    name: 'Lovelace, "Ada"',
  });
});

test('an address in an SVG, its elements and its size', () => {
  assert.equal(idsIn(`#a url(${many(' ')}data:image/png;base64,AA)`), []);
  assert.equal(idsIn('url( "#a" ) url(#b)'), ['a', 'b']);
  for (const svg of [`<svg width="0${many('\t')}+0" height="1"/>`, `<${many('A')}'>`])
    assert.type(svgFault(Buffer.from(svg)), 'string');
});

test('a reply to an SMS', () => {
  assert.is(keywordOf(`.${many('\t')}x\t`), undefined);
  assert.is(keywordOf(' Stop! '), 'stop');
});

test('the source of a template', () => {
  assert.is(compileWorkFault(many('<style')), undefined);
  assert.type(turnMjml(many('<mjml ')), 'string');
});

test.run();
