// How an erasure finds an address in texts: every spelling of it, wherever it stands, and no other person's.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAddressFinder, pseudonymOf } from '../../core/index.ts';

const test = suite('addresses in texts');
const pseudonym = pseudonymOf('ws_1', 'adalove@gmail.com');
const gmail = createAddressFinder('ws_1', ['adalove@gmail.com']);
const plain = createAddressFinder('ws_1', ['j.doe@xn--mller-kva.example']);

test('a pseudonym is the same for every spelling, and another one in another workspace', () => {
  assert.match(pseudonym, /^erased:[0-9a-f]{40}$/);
  assert.is(pseudonymOf('ws_1', 'Ada.Love@GMAIL.com'), pseudonym);
  assert.is(pseudonymOf('ws_1', 'ada.love@googlemail.com'), pseudonym);
  assert.is.not(pseudonymOf('ws_2', 'adalove@gmail.com'), pseudonym);
});

test('finds every spelling, whatever stands around it', () => {
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
    assert.is(gmail.isIn(text), true, text);
    assert.is(gmail.erase(text), text.replace(/a\.?d\.?a\.?love@g(oogle)?mail\.com/i, pseudonym), text);
    assert.is(gmail.isIn(text), true, 'asking twice answers the same');
  }
  assert.is(plain.isIn('to J.Doe@müller.example'), true);
  assert.is(plain.isIn('to j.doe@XN--MLLER-KVA.example'), true);
});

test('leaves the addresses of others alone', () => {
  for (const text of [
    'my-adalove@gmail.com',
    'x.adalove@gmail.com',
    'adalove@gmail.com.example.org',
    'adalove@gmail.community',
    'adalove+tag@gmail.com',
    'adalove@googlemail.community',
    'adalove at gmail.com',
  ])
    assert.is(gmail.erase(text), text);
  assert.is(plain.isIn('jdoe@xn--mller-kva.example'), false);
  assert.is(plain.isIn('jxdoe@xn--mller-kva.example'), false);
});

test('goes through JSON, its keys too, and leaves all else as it was', () => {
  const json = JSON.stringify({
    to: 'Ada.Love@gmail.com',
    list: ['x\nadalove@gmail.com', 1, null, true],
    n: { 'adalove@gmail.com': 2 },
  });
  assert.equal(JSON.parse(gmail.eraseJson(json)), {
    to: pseudonym,
    list: [`x\n${pseudonym}`, 1, null, true],
    n: { [pseudonym]: 2 },
  });
  const others = '{"a":[1.5,"b@example.org"],"__proto__":{"c":1}}';
  assert.is(gmail.eraseJson(others), others);
});

test('is found in JSON where an escaped line break stands before it, and another person is not', () => {
  for (const text of ['Ask:\nadalove@gmail.com', 'Ask:\tadalove@gmail.com', 'Ask:\r\nadalove@gmail.com']) {
    const json = JSON.stringify({ brief: text });
    assert.is(gmail.isIn(json), true, json);
    assert.not.match(gmail.eraseJson(json), 'adalove');
  }
  assert.is(gmail.isIn(JSON.stringify({ brief: 'Ask nadalove@gmail.com' })), false);
});

test.run();
