// Parsing URLs in a process that runs for a long time: V8 optimises the callers after some thousand calls, and then, on Node 20 and 22,
// URL.canParse returns false for each URL with a letter such as ü. Reported in AikidoSec/firewall-node#1086.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hostName } from '../../core/contract/values/host-name.ts';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { linksIn } from '../../core/contract/values/text-links.ts';

const rounds = 20_000;

test('a URL with letters beyond ASCII is parsed after many calls as at the first call', () => {
  for (let round = 0; round < rounds; round += 1) {
    assert.is(parseUrl(`https://bücher.example/${round}`)?.host, 'xn--bcher-kva.example');
  }
  assert.is(parseUrl('/größe', 'https://straße.example')?.pathname, '/gr%C3%B6%C3%9Fe');
});

test('parseUrl returns undefined for a text that is not a URL, and never throws an error', () => {
  for (const text of ['', 'bücher', 'http://', 'https://exa mple.com', 'http://[::1', '\ud800']) {
    assert.is(parseUrl(text), undefined, text);
  }
});

test('links and hosts with such letters are found and normalised after many calls', () => {
  for (let round = 0; round < rounds / 4; round += 1) {
    assert.is(hostName(`café-${round}.example:8080`)?.startsWith('xn--caf-'), true);
    assert.is(linksIn(`Lies https://bücher.de/${round} heute`)[0]?.url, `https://bücher.de/${round}`);
  }
});

test.run();
