// The files of the page match their sources, and the page requests nothing that its policy forbids.
// full-run: slow
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assets } from '../../plugins/inbox/assets.gen.ts';
import { assetsFile } from '../../plugins/inbox/browser/build.ts';
import { openInboxBench } from '../support/inbox-bench.ts';

const test = suite("the page's files");

test('assets.gen.ts is up to date: npx tsx plugins/inbox/browser/build.ts', async () => {
  assert.is(await readFile('plugins/inbox/assets.gen.ts', 'utf8'), await assetsFile());
});

test('the script is small, and names the code that it contains', () => {
  const { body } = assets['inbox.js'] ?? { body: '' };
  assert.ok(Buffer.byteLength(body) < 70_000, `${Buffer.byteLength(body)} bytes`);
  assert.match(body, 'preact, MIT');
});

test('no file names another host', () => {
  for (const [name, { body }] of Object.entries(assets)) {
    const urls = [...body.matchAll(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}[^\s"'`)]*/gi)].map(([url]) => url);
    assert.equal(
      urls.filter((url) => !/^(https?:)?\/\/www\.w3\.org\//.test(url)),
      [],
      name,
    );
  }
});

test('the page contains no inline script, style or handler, and only relative addresses', async () => {
  const bench = await openInboxBench();
  for (const path of ['', '/', '/m/snd_1', '/m/snd_1/']) {
    const { status, headers, text } = await bench.ask(path);
    assert.is(status, 200);
    const policy = headers['Content-Security-Policy'] as string;
    assert.match(policy, "script-src 'self'; style-src 'self';");
    assert.match(policy, "frame-ancestors 'none'");
    assert.not.match(policy, /unsafe|https?:|\*/);
    assert.not.match(text, /<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/i);
    const [back, ...addresses] = [...text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address]) => address as string)
      .sort((one, other) => Number(other.endsWith('/console')) - Number(one.endsWith('/console')));
    assert.is(addresses.length, 3);
    assert.is(new URL(back ?? '', `http://localhost/inbox${path}`).pathname, '/console');
    for (const address of addresses) {
      assert.not.match(address, /^(\/|\w+:)/);
      const { pathname, search } = new URL(address, `http://localhost/inbox${path}`);
      const file = await bench.ask(pathname.replace('/inbox', '') + search);
      assert.equal([file.status, file.headers['X-Content-Type-Options']], [200, 'nosniff'], address);
      const secondAnswer = await bench.ask(pathname.replace('/inbox', ''), {
        headers: { 'if-none-match': file.headers['ETag'] as string },
      });
      assert.is(secondAnswer.status, 304);
    }
  }
  assert.is((await bench.ask('/assets/constructor')).status, 404);
  await bench.close();
});

test.run();
