// own-process: counts the processes that it started
// time-limit: 600
// Untrusted pictures are opened in a separate process, which is killed if it takes too much time or memory. Meanwhile this process can
// still use files, DNS and password hashes, which share its few threads.
// full-run: slow
import { scrypt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createPicturePool,
  PictureError,
  type PicturePool,
  type PictureWork,
} from '../../core/pictures/picture-pool.ts';
import {
  entityBomb,
  expensiveSvgs,
  externalReferences,
  gifBomb,
  jpegOfScans,
  keptResults,
  pngBomb,
  svgOf,
} from '../support/hostile-pictures.ts';
import { longTests } from '../support/long-tests.ts';

const test = suite<{ desk: PicturePool; folder: string }>('the process that opens pictures');

test.before.each((context) => {
  context.desk = createPicturePool();
  context.folder = mkdtempSync(join(tmpdir(), 'postrider-pictures-'));
});
test.after.each(({ desk, folder }) => {
  desk.stop();
  rmSync(folder, { recursive: true, force: true });
});

const pngOptions: PictureWork = { maxPixels: 50_000_000, format: { kind: 'png' } };
const pixels: PictureWork = { ...pngOptions, alpha: 'white', format: { kind: 'raw' } };
const small = svgOf('<rect width="100%" height="100%" fill="#ff0000"/>', 20);

const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'drawn',
    (error: unknown) => {
      if (error instanceof PictureError) return error.fault;
      throw error;
    },
  );

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended but was not waited for still has its process id.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function waitForExit(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await wait(10);
}

/** A short run tests every third picture. */
const expensive = Object.entries(expensiveSvgs).filter((_, index) => longTests || index % 3 === 0);

for (const [title, svg] of expensive)
  test(`the process of an SVG with ${title} is killed, and the threads of this process stay free`, async ({ desk }) => {
    assert.ok(svg.length < 100_000, `${svg.length} bytes`);
    await desk.read(small);
    const finished: string[] = [];
    const drawing = Array.from({ length: 2 }, (_, index) =>
      faultOf(desk.draw(svg, pngOptions, { workspaceId: `ws_${index}`, seconds: 0.5 })).finally(() =>
        finished.push('picture'),
      ),
    );
    const pids = desk.pids();
    assert.ok(pids.length > 0);
    const otherWork = Promise.all([
      promisify(scrypt)('secret', 'salt', 32).then(() => finished.push('password')),
      readFile(import.meta.filename).then(() => finished.push('file')),
    ]);
    assert.equal(new Set(await Promise.all(drawing)), new Set(['too_expensive']));
    await otherWork;
    assert.equal(new Set(finished.slice(0, 2)), new Set(['password', 'file']));
    assert.equal(desk.pids(), []);
    await waitForExit(pids);
    const { width } = await desk.draw(small, pngOptions);
    assert.is(width, 20, 'the next picture gets a new process');
  });

test('pictures with too large declared dimensions are refused before decoding', async ({ desk }) => {
  const large = {
    png: pngBomb(60_000, 60_000),
    gif: gifBomb(65_535, 65_535),
    svg: svgOf('<rect/>', 30_000),
    'svg in centimetres': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9999cm" height="9999cm"/>'),
  };
  for (const [kind, bytes] of Object.entries(large))
    assert.is(await faultOf(desk.draw(bytes, pngOptions, { seconds: 2 })), 'unreadable', kind);
});

test('pictures with thousands of frames or scans cost only their first frame, or their process is killed', async ({
  desk,
}) => {
  const gif = gifBomb(2_000, 2_000, 20_000);
  const results = ['drawn', 'too_expensive', 'unreadable'];
  assert.ok(results.includes(await faultOf(desk.draw(gif, pngOptions, { seconds: 2 }))));
  const jpeg = await jpegOfScans(5_000, 3_000);
  assert.ok(results.includes(await faultOf(desk.draw(jpeg, pngOptions, { seconds: 2 }))));
  const animation = await sharp(Buffer.alloc(300 * 10 * 900 * 3, 7), {
    raw: { width: 300, height: 9_000, channels: 3 },
  } as never)
    .webp({ lossless: true })
    .toBuffer();
  assert.is(await faultOf(desk.draw(animation, pngOptions)), 'drawn');
});

test('formats that assets do not allow are not decoded', async ({ desk }) => {
  const picture = sharp({ create: { width: 9, height: 9, channels: 3, background: '#ff0000' } });
  for (const format of ['tiff', 'avif'] as const)
    assert.is(
      await faultOf(desk.draw(await picture.clone().toFormat(format).toBuffer(), pngOptions)),
      'unreadable',
      format,
    );
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const)
    assert.is(await faultOf(desk.draw(await picture.clone().toFormat(format).toBuffer(), pngOptions)), 'drawn', format);
});

test('an SVG cannot read files or call hosts', async ({ desk, folder }) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(small);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const file = join(folder, 'red.svg');
  writeFileSync(file, small);
  for (const target of [`http://127.0.0.1:${port}/red.svg`, `file://${file}`, file, 'red.svg'])
    for (const [title, svg] of Object.entries(externalReferences(target))) {
      const result = await desk.draw(svg, pixels).then(
        ({ bytes }) => bytes,
        (error: unknown) => (error instanceof PictureError ? Buffer.alloc(0) : Promise.reject(error)),
      );
      const red = result.some((_, at) => at % 3 === 0 && result[at] === 255 && result[at + 1] === 0);
      assert.not(red, `${title} of ${target}`);
    }
  server.close();
  assert.is(requests, 0);
});

test('exponential XML entities are refused', async ({ desk }) => {
  assert.ok(
    ['unreadable', 'too_expensive'].includes(await faultOf(desk.draw(entityBomb(), pngOptions, { seconds: 2 }))),
  );
});

test('the process of a picture that needs too much memory is killed', async ({ desk }) => {
  await desk.read(small);
  const pids = desk.pids();
  const error = await desk.draw(keptResults(), pngOptions, { seconds: 60 }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof PictureError);
  assert.equal([error.fault, String(error.cause)], ['too_expensive', 'Error: It reached the limit of memory.']);
  await waitForExit(pids);
});

test('an aborted call ends its running picture and removes its waiting picture', async ({ desk }) => {
  await desk.read(small);
  const giveUp = new AbortController();
  const bomb = Object.values(expensiveSvgs)[0] ?? small;
  const reason = new Error('gave up');
  const drawing = desk.draw(bomb, pngOptions, { signal: giveUp.signal }).catch((error: unknown) => error);
  const waiting = desk.draw(small, pngOptions, { signal: giveUp.signal }).catch((error: unknown) => error);
  const pids = desk.pids();
  await wait(100);
  giveUp.abort(reason);
  assert.is(await drawing, reason);
  assert.is(await waiting, reason);
  await waitForExit(pids);
});

test('a workspace has one picture open at a time and at most 20 waiting', async ({ desk }) => {
  const bomb = Object.values(expensiveSvgs)[0] ?? small;
  const order: string[] = [];
  const slow = faultOf(desk.draw(bomb, pngOptions, { workspaceId: 'a', seconds: 1 })).then(() => order.push('a'));
  const ownPictures = Array.from({ length: 21 }, () => faultOf(desk.draw(small, pngOptions, { workspaceId: 'a' })));
  const otherPicture = faultOf(desk.draw(small, pngOptions, { workspaceId: 'b' })).then(() => order.push('b'));
  await Promise.all([slow, otherPicture]);
  assert.equal(order, ['b', 'a']);
  const faults = await Promise.all(ownPictures);
  assert.equal([faults.filter((one) => one === 'drawn').length, faults.at(-1)], [20, 'busy']);
});

test('the picture process gets no secrets of this process and ends with it', async ({ folder }) => {
  process.env['POSTRIDER_TEST_SECRET'] = 'planted';
  const file = join(folder, 'program.mjs');
  // The program returns its environment as the name of a format.
  writeFileSync(
    file,
    `const frame = (head) => { const json = Buffer.from(JSON.stringify(head)); const n = Buffer.alloc(8); n.writeUInt32BE(json.length); process.stdout.write(Buffer.concat([n, json])); };
process.stdin.once('data', () => frame({ kind: 'facts', facts: { format: JSON.stringify(process.env) } }));
process.stdin.on('end', () => process.exit());
frame({ kind: 'ready' });`,
  );
  const desk = createPicturePool({ file });
  const { format } = await desk.read(small);
  assert.not.ok(format.includes('planted'), format);
  assert.ok(format.includes('PATH'));
  const pids = desk.pids();
  desk.stop();
  await waitForExit(pids);
  delete process.env['POSTRIDER_TEST_SECRET'];
});

test('an idle process exits', async () => {
  const desk = createPicturePool({ idleSeconds: 0.05 });
  await desk.read(small);
  const pids = desk.pids();
  assert.is(pids.length, 1);
  await waitForExit(pids);
  assert.is(await faultOf(desk.draw(small, pngOptions)), 'drawn');
  desk.stop();
});

test('if the process crashes, only its own picture fails', async ({ folder }) => {
  const file = join(folder, 'crashing.mjs');
  writeFileSync(file, 'process.abort();');
  const desk = createPicturePool({ file });
  assert.is(await faultOf(desk.draw(small, pngOptions)), 'unreadable');
  desk.stop();
});

test('the error for a missing program or package names it', async ({ folder }) => {
  assert.is(await faultOf(createPicturePool({ file: join(folder, 'absent.js') }).read(small)), 'program_missing');
  // This folder is outside every folder of packages.
  const file = join(folder, 'picture-process.mjs');
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(import.meta.dirname, '../../core/pictures/picture-process.ts')],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['sharp'],
    logLevel: 'silent',
  });
  const desk = createPicturePool({ file });
  assert.is(await faultOf(desk.read(small)), 'package_missing');
  desk.stop();
});

test.run();
