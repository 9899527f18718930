// How `postrider mcp` handles responses that it must not pass on unchanged: responses with its key, invalid or endless
// responses.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { envelopeIn, launch, serveOddly } from './mcp-launcher-process.ts';

const test = suite('launcher: answers');
const request = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method });

test("a key that the server repeats appears in no line of the launcher's output", async () => {
  const key = 'acme_live_"repeated"';
  const escaped = JSON.stringify({ note: key }).replace('acme', '\\u0061cme');
  const answers: Record<string, [number, Record<string, string>, (id: string) => string]> = {
    result: [200, {}, (id) => JSON.stringify({ jsonrpc: '2.0', id, result: { saw: `Bearer ${key}` } })],
    escaped: [200, {}, (id) => `{"jsonrpc":"2.0","id":"${id}","result":${escaped}}`],
    error: [200, {}, (id) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: key, data: [key] } })],
    envelope: [403, {}, () => JSON.stringify({ error: { code: 'no', message: `No ${key}.`, key } })],
    redirect: [302, { Location: `https://elsewhere.test/?key=${key}` }, () => ''],
  };
  const server = await serveOddly((_incoming, response, body) => {
    const { id } = JSON.parse(body) as { id: string };
    const [status, headers, text] = answers[id]!;
    response.writeHead(status, headers).end(text(id));
  });
  const launched = launch(['--url', server.url], { POSTRIDER_API_KEY: key });
  for (const id of Object.keys(answers)) {
    launched.send(request(id, 'ping'));
    const answerText = JSON.stringify(await launched.answer(id));
    assert.match(answerText, '[API key]', id);
    assert.not.ok(answerText.includes('repeated'), id);
  }
  const { stdout, stderr } = await launched.end();
  await server.stop();
  assert.not.ok(`${stdout}${stderr}`.includes('repeated'));
});

test('a response broken by CR is written as one line, and an endless response is aborted', async () => {
  let written = 0;
  const part = Buffer.alloc(1_048_576, 'x');
  const server = await serveOddly((_incoming, response, body) => {
    const { id } = JSON.parse(body) as { id: string };
    if (id === 'cr') {
      response.end(`{"jsonrpc":"2.0",\r"id":"cr",\r"result":{}}\r`);
      return;
    }
    const more = (): void => {
      if (response.destroyed || written > 400) return;
      written += 1;
      response.write(part, more);
    };
    more();
  });
  const launched = launch(['--url', server.url], { POSTRIDER_API_KEY: 'acme_live_nobody' });
  launched.send(request('cr', 'ping'));
  await launched.answer('cr');
  launched.send(request('endless', 'ping'));
  const answer = await launched.answer('endless');
  assert.is(envelopeIn(answer).code, 'answer_too_large');
  assert.match(answer.error?.message ?? '', /longer than 67108864 bytes\. Ask for less/);
  const { stdout } = await launched.end();
  await server.stop();
  assert.ok(written > 60 && written < 200, `${written} MB`);
  assert.not.ok(stdout.includes('\r'));
});

test.run();
