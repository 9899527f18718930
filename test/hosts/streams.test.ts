// Streams through every host: read at the client's pace, ended when the client disconnects, aborted if they fail, and
// never started for HEAD.
// full-run: slow
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHostBench, type HostBench } from './bench.ts';
import { hosts } from './stream-hosts.ts';

const test = suite('streams');

const resultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'whole',
    () => 'broken off',
  );

/** Waits until the condition is true. The runner's own limit ends an endless wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

const failures = ({ lines }: HostBench) =>
  lines.filter(({ message }) => message === 'the stream of an answer failed').map(({ cause }) => String(cause));

for (const [name, mount] of Object.entries(hosts)) {
  const onEveryHost = (work: (origin: string, bench: HostBench) => Promise<void>) => async () => {
    const bench = await createHostBench();
    const { origin, close } = await mount(bench.service);
    try {
      await work(origin, bench);
    } finally {
      await close();
      await bench.close();
    }
  };

  test(
    `${name} never starts the stream for HEAD`,
    onEveryHost(async (origin, { streams }) => {
      const head = await fetch(`${origin}/endless`, { method: 'HEAD' });
      assert.equal([head.status, await head.text(), streams.started], [200, '', []]);
    }),
  );

  test(
    `${name} ends a stream when its client disconnects`,
    onEveryHost(async (origin, { streams, lines }) => {
      const response = await new Promise<IncomingMessage>((resolve) =>
        httpRequest(`${origin}/endless?name=left`, resolve).end(),
      );
      await new Promise((resolve) => response.once('data', resolve));
      assert.equal([streams.started, streams.ended], [['left'], []]);
      response.destroy();
      await until(() => streams.ended.length > 0);
      assert.equal([streams.ended, lines], [['left'], []]);
    }),
  );

  test(
    `${name} reads a stream no faster than its client`,
    onEveryHost(async (origin, { streams }) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await new Promise((resolve) => socket.once('readable', resolve));
      for (let still = 0, sentChunks = 0; still < 20; ) {
        assert.ok(streams.chunks < 1_000, 'a client that reads nothing was sent 65 MB');
        still = streams.chunks === sentChunks ? still + 1 : 0;
        sentChunks = streams.chunks;
        await pause(5);
      }
      socket.destroy();
      await until(() => streams.ended.length > 0);
    }),
  );

  test(
    `${name} aborts the connection if a stream fails later, and hides the reason if a stream fails at once`,
    onEveryHost(async (origin, bench) => {
      for (const path of ['/fails/later', '/fails/short', '/fails/long']) {
        const answer = fetch(`${origin}${path}`).then((response) => response.arrayBuffer());
        assert.is(await resultOf(answer), 'broken off', path);
      }
      const loggedFailures = failures(bench);
      assert.is(loggedFailures.length, 3);
      assert.match(loggedFailures[0] ?? '', /it failed in the middle/);
      assert.match(loggedFailures[1] ?? '', /had 6 bytes and declared 10/);
      assert.match(loggedFailures[2] ?? '', /had 12 bytes and declared 10/);
      const first = await fetch(`${origin}/fails/first`);
      assert.is(first.status, 500);
      assert.not.match(await first.text(), /before its first byte/);
      assert.is(failures(bench).length, 3);
      const next = await fetch(`${origin}/stream`);
      assert.is(await next.text(), 'part 0\npart 1\npart 2\n');
    }),
  );
}

test.run();
