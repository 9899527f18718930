import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { linkToken } from '../../core/unstable.ts';

test('a token ends at the first character that no token can have, with anything that a mail program appended', () => {
  const token = '01JD3Q5S8ZK2M4N6P8R0T2V4W6Ab-_9x';
  for (const tail of ['', ')', '.', ',', ';', '>', '&gt;', ').', '»', '。', '）', '\u0000', '\ud800', ' see', '.~'])
    assert.is(linkToken(token + tail), token, JSON.stringify(tail));
  assert.is(linkToken('v1.a~b-c.'), 'v1.a~b-c');
  for (const unread of ['', ')', '....', 'İ', '\ufffd', '👩‍👩‍👧']) assert.is(linkToken(unread), '');
});

test('a long parameter is read in linear time', () => {
  const startTime = performance.now();
  linkToken(`${'a.'.repeat(500_000)}${'.'.repeat(500_000)})`);
  assert.ok(performance.now() - startTime < 500);
});

test.run();
