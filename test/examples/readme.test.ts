// The README's code is a program: it starts, and its key sends over HTTP the same mail that its own code sends in process.
// full-run: slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { buildProgram, codeBlocks, createProgramFolder, removeFolder } from './documents.ts';

const test = suite('README');

test('the README shows in twelve lines how to embed the service', async () => {
  const [embedding = ''] = await codeBlocks('README.md', 'ts');
  const lines = embedding.split('\n').filter((line) => line !== '');
  assert.ok(lines.length <= 12, `${lines.length} lines`);
});

test("the README's program serves the same send over HTTP as in process", async () => {
  const blocks = await codeBlocks('README.md', 'ts');
  const folder = await createProgramFolder();
  const info = 'console.log(JSON.stringify({ secret: key.secret, send: send.id }));';
  await writeFile(join(folder, 'readme.mts'), [...blocks, info].join('\n'));
  const port = await freePort();
  const child = spawn(process.execPath, [await buildProgram(folder, 'readme.mts')], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [output] = (await Promise.race([
      once(child.stdout.setEncoding('utf8'), 'data'),
      once(child, 'exit').then(([code]) => assert.unreachable(`The program ended with ${String(code)}.`)),
    ])) as [string];
    const { secret, send } = JSON.parse(output) as { secret: string; send: string };
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/messaging/v1`;
    const readAnswer = await fetch(`${url}/sends/${send}`, { headers });
    assert.is(((await readAnswer.json()) as { to: string }).to, 'ada@example.com');
    const body = JSON.stringify({ to: 'grace@example.com', variables: { name: 'Grace' } });
    const sendAnswer = await fetch(`${url}/templates/hello/send`, { method: 'POST', headers, body });
    assert.is(sendAnswer.status, 202);
    assert.is(((await sendAnswer.json()) as { subject: string }).subject, 'Hello Grace');
  } finally {
    if (child.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    await removeFolder(folder);
  }
});

test.run();
