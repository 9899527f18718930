// The thread that reads codes: it has limits on time and queue length, starts when it is needed, and stops with its service.
// full-run: slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createDecoder } from '../../plugins/qr/decode/decoder.ts';
import { loadPackage } from '../../plugins/qr/packages.ts';
import { composeDrawing } from '../../plugins/qr/painter/compose.ts';
import { createMatrix } from '../../plugins/qr/painter/matrix.ts';
import { greyPixelsAt } from '../../plugins/qr/painter/raster.ts';
import { writeSvg } from '../../plugins/qr/painter/svg.ts';
import { defaultStyle, noFrame } from '../../plugins/qr/schema.ts';

const test = suite<{ folder: string }>('the decoder of codes');
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'postrider-decoder-'));
});
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }));

const blank = { width: 8, height: 8, grey: new Uint8Array(64).fill(255) };
const codeOf = async (text: string) =>
  greyPixelsAt(writeSvg(composeDrawing(await createMatrix(text, 'M'), defaultStyle, noFrame, undefined), 200), 200);
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const program = (folder: string, name: string, source: string): string => {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
};

test('codes are read one after another, a blank picture has no code, and decoding works again after a stop', async () => {
  const decoder = createDecoder();
  try {
    const texts = ['one', 'zwei 2', 'três'];
    const results = await Promise.all(texts.map(async (text) => decoder.decode(await codeOf(text))));
    assert.equal(
      results.map((bytes) => Buffer.from(bytes ?? []).toString()),
      texts,
    );
    assert.is(await decoder.decode(blank), undefined);
    await decoder.stop();
    assert.is(Buffer.from((await decoder.decode(await codeOf('again'))) ?? []).toString(), 'again');
  } finally {
    await decoder.stop();
  }
});

test('a picture that needs too much time or memory counts as unreadable, and the next picture is read', async ({
  folder,
}) => {
  const file = program(
    folder,
    'slow.cjs',
    `const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ picture }) => {
  if (picture.width === 9) for (;;);
  if (picture.width === 10) { const all = []; for (;;) all.push(new Array(100000).fill(Math.random())); }
  parentPort.postMessage({ kind: 'decoded', bytes: new Uint8Array([111, 107]) });
});`,
  );
  const decoder = createDecoder({ file, seconds: 0.3 });
  try {
    const ok = async () => assert.is(Buffer.from((await decoder.decode(blank)) ?? []).toString(), 'ok');
    await ok();
    assert.is(await decoder.decode({ ...blank, width: 9 }), undefined);
    await ok();
    assert.is(await decoder.decode({ ...blank, width: 10 }), undefined);
    await ok();
    // This picture is larger than any render, so it is never sent to the thread.
    assert.is(await decoder.decode({ ...blank, width: 10_000, height: 10_000 }), undefined);
  } finally {
    await decoder.stop();
  }
});

test('if the queue is full, a call fails with qr_busy, and an aborted call is rejected', async ({ folder }) => {
  const file = program(
    folder,
    'silent.cjs',
    "require('node:worker_threads').parentPort.on('message', () => undefined);",
  );
  const decoder = createDecoder({ file });
  const waiting = Array.from({ length: 50 }, () => errorOf(decoder.decode(blank)));
  const refusal = await errorOf(decoder.decode(blank));
  assert.ok(isPostriderError(refusal, 'qr_busy'));
  assert.is(refusal.retryAfterSeconds, 1);
  const stoppedDecoder = createDecoder();
  assert.is((await errorOf(stoppedDecoder.decode(blank, AbortSignal.abort(new Error('gone'))))) instanceof Error, true);
  const repeatedStop = setInterval(() => void decoder.stop(), 5);
  for (const error of await Promise.all(waiting)) assert.ok(isPostriderError(error, 'qr_busy'));
  clearInterval(repeatedStop);
});

test('if the program or a package is missing, the call fails with qr_renderer_missing and instructions', async ({
  folder,
}) => {
  const absent = createDecoder({ file: join(folder, 'absent.js') });
  const noFile = await errorOf(absent.decode(blank));
  assert.ok(isPostriderError(noFile, 'qr_renderer_missing'));
  assert.match(noFile.message, 'decode-worker.js');
  const file = program(
    folder,
    'bare.cjs',
    `const { parentPort } = require('node:worker_threads');
parentPort.on('message', () => parentPort.postMessage({ kind: 'package_missing', name: 'zxing-wasm' }));`,
  );
  const bare = createDecoder({ file });
  const noPackage = await errorOf(bare.decode(blank));
  await bare.stop();
  assert.ok(isPostriderError(noPackage, 'qr_renderer_missing'));
  assert.match(noPackage.message, 'npm install qrcode sharp zxing-wasm');
  const absentName = 'postrider-no-such-package';
  const notInstalled = await errorOf(loadPackage('sharp', () => import(absentName)));
  assert.ok(isPostriderError(notInstalled, 'qr_renderer_missing'));
});

test.run();
