// own-process: measures which threads of its process are free
// time-limit: 600
// Everything that opens untrusted pictures refuses a hostile picture with a reason, without blocking this process: layers and thumbnails
// of designs, logos of QR codes and of PDFs, pictures for networks. Errors that are visible without drawing are refused at upload.
// full-run: slow
import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { fittingImage } from '../../adapters/kit/social-images.ts';
import { PictureError, pictures } from '../../core/pictures/picture-pool.ts';
import { FormatFault, memorySource, readFormat } from '../../plugins/assets/formats/read-format.ts';
import { createPainter } from '../../plugins/lead-magnets/pdf/painter.ts';
import { isSocialError } from '../../plugins/social/port/index.ts';
import { sampleMedia } from '../../plugins/social/testing/index.ts';
import { oneDatabase } from '../support/databases.ts';
import { type DesignsBench, openDesignsBench } from '../support/designs-bench.ts';
import {
  entityBomb,
  expensiveSvgs,
  externalReferences,
  gifBomb,
  keptResults,
  nestedMasks,
  pngBomb,
  svgOf,
} from '../support/hostile-pictures.ts';

/** This picture passes the upload check, and needs gigabytes when it is drawn. */
const memoryBomb = keptResults(40, 4_000);
/** This picture passes even the check of logos, and needs minutes when it is drawn. */
const timeBomb = nestedMasks(4_000);

/** Waits for `work`, and checks that a password hash is finished before it. */
async function withFreeThread<T>(work: Promise<T>): Promise<T> {
  const order: string[] = [];
  const finished = work.finally(() => order.push('picture'));
  const password = promisify(scrypt)('secret', 'salt', 32).then(() => order.push('password'));
  const [answer] = await Promise.all([finished, password]);
  assert.equal(order, ['password', 'picture']);
  return answer;
}

const reason = /takes too much time or memory/;

await oneDatabase('hostile pictures', (test, database) => {
  let bench: DesignsBench;
  test.before(async () => {
    bench = await openDesignsBench(database);
  });
  test.after(async () => {
    await bench.close();
    pictures().stop();
  });

  test('an upload is refused for errors that are visible without drawing: asset_invalid', async () => {
    const hostileFiles: Readonly<Record<string, Buffer>> = {
      octaves: expensiveSvgs['noise with many octaves'] ?? svgOf(''),
      radius: expensiveSvgs['a morphology of a large radius'] ?? svgOf(''),
      order: expensiveSvgs['a convolution of many values'] ?? svgOf(''),
      'a filter that is used a thousand times': svgOf(
        `<filter id="f"><feOffset/><feFlood/></filter>${'<rect width="1" height="1" filter="url(#f)"/>'.repeat(600)}`,
      ),
      'a filter in a repeated element': svgOf(
        `<filter id="f"><feOffset/></filter><g id="a">${'<rect filter="url(#f)"/>'.repeat(40)}</g>${'<use xlink:href="#a"/>'.repeat(40)}`,
      ),
      entities: entityBomb(),
      area: svgOf('<rect/>', 30_000),
      'pixels of a PNG': pngBomb(60_000, 60_000),
      'pixels of a GIF': gifBomb(65_535, 65_535),
      ...externalReferences('http://127.0.0.1:9/a.svg'),
      ...externalReferences('file:///etc/passwd'),
    };
    for (const [title, bytes] of Object.entries(hostileFiles)) {
      const answer = await readFormat(memorySource(bytes)).then(String, (error: unknown) => error);
      assert.instance(answer, FormatFault, title);
    }
    const shadows = `<filter id="f"><feOffset/><feGaussianBlur stdDeviation="4"/><feColorMatrix/><feBlend/></filter>${'<rect filter="url(#f)"/>'.repeat(100)}`;
    assert.is(
      (await readFormat(memorySource(svgOf(shadows, 500)))).kind,
      'image',
      "an SVG with a drawing program's shadows is accepted",
    );
  });

  for (const [limit, bomb] of Object.entries({ memory: memoryBomb, time: timeBomb }))
    test(`a picture that needs too much ${limit} is stopped at the limit of ${limit}`, async () => {
      const drawn = pictures().draw(bomb, { maxPixels: 50_000_000, format: { kind: 'png' } });
      const error = await withFreeThread(drawn.then(String, (thrown: unknown) => thrown));
      assert.instance(error, PictureError);
      assert.match(String((error as PictureError).cause), `the limit of ${limit}`);
    });

  for (const [kind, bomb] of Object.entries({ memory: memoryBomb, time: timeBomb }))
    test(`a layer whose picture needs too much ${kind} is refused, and the error names the layer`, async () => {
      const assetId = await bench.asset(bomb);
      const { compositionId } = await bench.create({ width: 1_000, height: 1_000 });
      const layers = [{ id: 'bad', kind: 'image', assetId, x: 0, y: 0, width: 4_000, height: 4_000 }];
      await bench.change(compositionId, { layers });
      const answer = await withFreeThread(bench.render(compositionId, { format: 'png', scale: 1 }));
      assert.equal([answer.status, answer.body.error.code], [409, 'composition_incomplete']);
      assert.match(answer.body.error.message, reason);
      assert.match(answer.body.error.message, 'bad');
      const { thumbnailUrl } = (await bench.request(`/v1/compositions/${compositionId}`)).body;
      const { pathname, search } = new URL(thumbnailUrl);
      const request = { method: 'GET', url: `${pathname}${search}`, headers: {}, body: undefined };
      const response = await bench.service.dispatch(request);
      // A thumbnail is small, so it can be drawn from a picture that needs gigabytes in full size.
      assert.ok(response.status < 500, `${response.status}`);
      if (kind === 'time') assert.is(response.status, 409);
    });

  test('a QR code logo that needs too much time is refused: qr_logo_invalid', async () => {
    const logoAssetId = await bench.asset(timeBomb);
    const body = {
      encodes: { kind: 'static', payload: 'https://acme.example/' },
      style: { logoAssetId, errorCorrection: 'H' },
    };
    const { qrId } = (await bench.call('/v1/qr', 'POST', body)).body;
    const answer = await withFreeThread(bench.call(`/v1/qr/${qrId}/render`, 'POST', { format: 'svg' }));
    assert.equal([answer.status, answer.body.error.code], [422, 'qr_logo_invalid']);
    assert.match(answer.body.error.message, reason);
  });

  test('a PDF shows the name instead of a logo that needs too much time', async () => {
    const chapters = [{ heading: 'Bread', summary: '', text: 'Bake it.' }];
    const logo = { bytes: timeBomb, contentType: 'image/svg+xml' };
    const book = { title: 'Sourdough', format: 'guide' as const, covers: 1, chapters, style: undefined, logo };
    const pdf = await withFreeThread(createPainter({ language: 'en' }).paint(book, new AbortController().signal));
    assert.not.ok(pdf.includes('/Subtype /Image'));
  });

  test('a picture for a network that needs too much memory is rejected, and the error names it', async () => {
    const { length } = memoryBomb;
    const media = sampleMedia('image', {
      bytes: length,
      read: async () => memoryBomb,
      contentType: 'image/svg+xml',
      width: 4_000,
      height: 4_000,
      alt: 'Our oven',
    });
    const fitting = fittingImage(media, { types: ['image/png'], maxBytes: 1_000_000 });
    const error = await withFreeThread(fitting.then(String, (thrown: unknown) => thrown));
    assert.ok(isSocialError(error));
    assert.equal([error.fault, error.problem], ['rejected', 'media_kind']);
    assert.match(error.message, /Our oven takes too much/);
  });
});
