// An erasure finds an address in texts in every spelling and position, without matching other people's addresses.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAddressFinder, pseudonymOf } from '../../core/index.ts';

const test = suite('addresses in texts');
const pseudonym = pseudonymOf('ws_1', 'adalove@gmail.com');
const gmailFinder = createAddressFinder('ws_1', ['adalove@gmail.com']);
const idnFinder = createAddressFinder('ws_1', ['j.doe@xn--mller-kva.example']);

test('the pseudonym is the same for every spelling of an address and differs between workspaces', () => {
  assert.match(pseudonym, /^erased:[0-9a-f]{40}$/);
  assert.is(pseudonymOf('ws_1', 'Ada.Love@GMAIL.com'), pseudonym);
  assert.is(pseudonymOf('ws_1', 'ada.love@googlemail.com'), pseudonym);
  assert.is.not(pseudonymOf('ws_2', 'adalove@gmail.com'), pseudonym);
});

test('every spelling is found, with any text around it', () => {
  for (const text of [
    'adalove@gmail.com',
    'A.d.a.Love@GMail.com',
    '<ada.love@gmail.com>',
    "no user 'ada.love@gmail.com'.",
    'rcpt=ada.love@gmail.com; rejected',
    'mailto:ada.love@gmail.com?subject=x',
    'ada.love@gmail.com, and others',
    'first\nada.love@gmail.com\nlast',
    'her other spelling ada.love@googlemail.com',
  ]) {
    assert.is(gmailFinder.isIn(text), true, text);
    assert.is(gmailFinder.erase(text), text.replace(/a\.?d\.?a\.?love@g(oogle)?mail\.com/i, pseudonym), text);
    assert.is(gmailFinder.isIn(text), true, 'a second search gives the same result');
  }
  assert.is(idnFinder.isIn('to J.Doe@müller.example'), true);
  assert.is(idnFinder.isIn('to j.doe@XN--MLLER-KVA.example'), true);
});

test('addresses of other people are not changed', () => {
  for (const text of [
    'my-adalove@gmail.com',
    'x.adalove@gmail.com',
    'adalove@gmail.com.example.org',
    'adalove@gmail.community',
    'adalove+tag@gmail.com',
    'adalove@googlemail.community',
    'adalove at gmail.com',
  ])
    assert.is(gmailFinder.erase(text), text);
  assert.is(idnFinder.isIn('jdoe@xn--mller-kva.example'), false);
  assert.is(idnFinder.isIn('jxdoe@xn--mller-kva.example'), false);
});

test('JSON is searched including its keys, and everything else in it stays unchanged', () => {
  const json = JSON.stringify({
    to: 'Ada.Love@gmail.com',
    list: ['x\nadalove@gmail.com', 1, null, true],
    n: { 'adalove@gmail.com': 2 },
  });
  assert.equal(JSON.parse(gmailFinder.eraseJson(json)), {
    to: pseudonym,
    list: [`x\n${pseudonym}`, 1, null, true],
    n: { [pseudonym]: 2 },
  });
  const otherJson = '{"a":[1.5,"b@example.org"],"__proto__":{"c":1}}';
  assert.is(gmailFinder.eraseJson(otherJson), otherJson);
});

test("an address after an escaped line break in JSON is found, and another person's is not", () => {
  for (const text of ['Ask:\nadalove@gmail.com', 'Ask:\tadalove@gmail.com', 'Ask:\r\nadalove@gmail.com']) {
    const json = JSON.stringify({ brief: text });
    assert.is(gmailFinder.isIn(json), true, json);
    assert.not.match(gmailFinder.eraseJson(json), 'adalove');
  }
  assert.is(gmailFinder.isIn(JSON.stringify({ brief: 'Ask nadalove@gmail.com' })), false);
});

test.run();
