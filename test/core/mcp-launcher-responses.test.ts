// Responses that `postrider mcp` must not pass on unchanged: responses that contain its key, and invalid or endless responses.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { envelopeIn, launch, startScriptedServer } from './mcp-launcher-process.ts';

const test = suite('launcher: answers');
const request = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method });

test("if the server repeats the key, no line of the launcher's output contains it", async () => {
  const key = 'acme_live_"repeated"';
  const escapedNote = JSON.stringify({ note: key }).replace('acme', '\\u0061cme');
  const answers: Record<string, [number, Record<string, string>, (id: string) => string]> = {
    result: [200, {}, (id) => JSON.stringify({ jsonrpc: '2.0', id, result: { saw: `Bearer ${key}` } })],
    escaped: [200, {}, (id) => `{"jsonrpc":"2.0","id":"${id}","result":${escapedNote}}`],
    error: [200, {}, (id) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message: key, data: [key] } })],
    envelope: [403, {}, () => JSON.stringify({ error: { code: 'no', message: `No ${key}.`, key } })],
    redirect: [302, { Location: `https://elsewhere.test/?key=${key}` }, () => ''],
  };
  const server = await startScriptedServer((_incoming, response, body) => {
    const { id } = JSON.parse(body) as { id: string };
    const [status, headers, text] = answers[id]!;
    response.writeHead(status, headers).end(text(id));
  });
  const launcher = launch(['--url', server.url], { POSTRIDER_API_KEY: key });
  for (const id of Object.keys(answers)) {
    launcher.send(request(id, 'ping'));
    const answerText = JSON.stringify(await launcher.answer(id));
    assert.match(answerText, '[API key]', id);
    assert.not.ok(answerText.includes('repeated'), id);
  }
  const { stdout, stderr } = await launcher.end();
  await server.stop();
  assert.not.ok(`${stdout}${stderr}`.includes('repeated'));
});

test('a response that contains CR is written as one line, and an endless response is aborted', async () => {
  let bytesWritten = 0;
  const part = Buffer.alloc(1_048_576, 'x');
  const server = await startScriptedServer((_incoming, response, body) => {
    const { id } = JSON.parse(body) as { id: string };
    if (id === 'cr') {
      response.end(`{"jsonrpc":"2.0",\r"id":"cr",\r"result":{}}\r`);
      return;
    }
    const more = (): void => {
      if (response.destroyed || bytesWritten > 400) return;
      bytesWritten += 1;
      response.write(part, more);
    };
    more();
  });
  const launcher = launch(['--url', server.url], { POSTRIDER_API_KEY: 'acme_live_nobody' });
  launcher.send(request('cr', 'ping'));
  await launcher.answer('cr');
  launcher.send(request('endless', 'ping'));
  const answer = await launcher.answer('endless');
  assert.is(envelopeIn(answer).code, 'answer_too_large');
  assert.match(answer.error?.message ?? '', /longer than 67108864 bytes\. Request less data/);
  const { stdout } = await launcher.end();
  await server.stop();
  assert.ok(bytesWritten > 60 && bytesWritten < 200, `${bytesWritten} MB`);
  assert.not.ok(stdout.includes('\r'));
});

test.run();
