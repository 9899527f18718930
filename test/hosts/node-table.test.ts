// The table of requests through hosts/node, at the root and below a path: the same answers as service.fetch to the letter.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeHost } from '../../hosts/node/index.ts';
import { createHostBench } from './bench.ts';
import type { Door, HostAnswer } from './doors.ts';
import { answerOf, askAll, checkAnswer, comparedHeaders, fetchRequest } from './doors.ts';
import { listen } from './programs.ts';
import { hostRequests } from './requests.ts';

const test = suite<{ fetched: Map<string, HostAnswer> }>('requests through node:http', { fetched: new Map() });

test.before(async (context) => {
  const bench = await createHostBench();
  const door: Door = async (request) => answerOf(await bench.service.fetch(fetchRequest('http://localhost', request)));
  context.fetched = await askAll(door, hostRequests(bench));
  await bench.close();
});

for (const basePath of ['', '/messaging', '/a/b/']) {
  const base = basePath.replace(/\/$/, '');

  test(`mounted at ${base === '' ? 'the root' : base}, it answers the table like service.fetch`, async ({
    fetched,
  }) => {
    const bench = await createHostBench();
    const program = await listen(nodeHost(bench.service, { basePath }));
    try {
      const door: Door = async (request) => answerOf(await fetch(fetchRequest(`${program.origin}${base}`, request)));
      const requests = hostRequests(bench);
      const answers = await askAll(door, requests);
      for (const request of requests) {
        checkAnswer(request, answers);
        const [answer, same] = [answers.get(request.name), fetched.get(request.name)];
        assert.is(answer?.body, same?.body, request.name);
        for (const header of comparedHeaders) {
          assert.is(answer?.headers[header], same?.headers[header], `${request.name}: ${header}`);
        }
        const length = Buffer.byteLength(answer?.body ?? '');
        assert.is(answer?.headers['content-length'], String(length), `${request.name}: content-length`);
      }
    } finally {
      await program.close();
      await bench.close();
    }
  });
}

test('answers HEAD with the headers of GET and no body', async () => {
  const bench = await createHostBench();
  const program = await listen(nodeHost(bench.service));
  try {
    const headers = { authorization: `Bearer ${bench.liveKey}`, 'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
    const ask = async (method: string, path: string) =>
      answerOf(await fetch(`${program.origin}${path}`, { method, headers }));
    const got = await ask('GET', '/v1/templates/receipt');
    const head = await ask('HEAD', '/v1/templates/receipt');
    assert.is(head.status, 200);
    assert.is(head.body, '');
    assert.is(head.headers['content-length'], String(Buffer.byteLength(got.body)));
    assert.is(head.headers['content-type'], got.headers['content-type']);
    assert.is((await ask('HEAD', '/v1/templates/none')).status, 404);
    const refused = await ask('HEAD', '/v1/templates/receipt/send');
    assert.is(refused.status, 405);
    assert.is(refused.headers['allow'], 'POST');
  } finally {
    await program.close();
    await bench.close();
  }
});

test.run();
