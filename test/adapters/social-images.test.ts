// Pictures as networks accept them: unchanged if they fit, else turned upright, scaled, converted, or with white edges.
// full-run: slow
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fittingImage, fittingImageUrl, type ImageLimit } from '../../adapters/kit/social-images.ts';
import { type ConvertedFile, isSocialError, type SocialMedia } from '../../plugins/social/port/index.ts';
import { sampleMedia } from '../../plugins/social/testing/index.ts';

const test = suite('social images');

/** A picture attachment with these bytes. */
async function mediaOf(bytes: Uint8Array, contentType: string): Promise<SocialMedia> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  return sampleMedia('image', { bytes: bytes.length, read: async () => bytes, contentType, width, height });
}

/** A picture that compresses poorly. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });

const jpegOnly: ImageLimit = { types: ['image/jpeg'], maxBytes: 8_000_000 };

test('a picture that fits is passed on unchanged', async () => {
  const bytes = await noise(64, 48).jpeg().toBuffer();
  const fitting = await fittingImage(await mediaOf(bytes, 'image/jpeg'), { ...jpegOnly, maxWidth: 64, minRatio: 1 });
  assert.not.ok(fitting.isConverted);
  assert.ok(Buffer.from(fitting.bytes).equals(bytes));
});

test('transparent pictures get a white background in JPEG', async () => {
  const bytes = await sharp({
    create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  const { contentType, bytes: convertedBytes } = await fittingImage(await mediaOf(bytes, 'image/png'), jpegOnly);
  assert.is(contentType, 'image/jpeg');
  const { data } = await sharp(convertedBytes).raw().toBuffer({ resolveWithObject: true });
  assert.ok((data[0] ?? 0) > 250);
});

test('wide and tall pictures are scaled, and get white edges up to the allowed shape', async () => {
  const limit = { ...jpegOnly, maxWidth: 1_440, minRatio: 0.8, maxRatio: 1.91 };
  for (const [width, height] of [
    [3_000, 500],
    [500, 3_000],
    [2_000, 2_000],
    [1, 400],
  ] as const) {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#004080' } })
      .png()
      .toBuffer();
    const { bytes: convertedBytes } = await fittingImage(await mediaOf(bytes, 'image/png'), limit);
    const { width: w = 0, height: h = 0 } = await sharp(convertedBytes).metadata();
    assert.ok(w <= 1_440, `${w} wide`);
    assert.ok(w / h >= 0.8 && w / h <= 1.91, `${width} × ${height} became ${w} × ${h}`);
  }
});

test('large files are made smaller until they fit', async () => {
  const bytes = await noise(1_200, 1_200).png({ compressionLevel: 0 }).toBuffer();
  const media = await mediaOf(bytes, 'image/png');
  const convertedImage = await fittingImage(media, { types: ['image/jpeg', 'image/png'], maxBytes: 200_000 });
  assert.ok(convertedImage.bytes.byteLength <= 200_000);
  assert.is(convertedImage.contentType, 'image/jpeg');
  const webp = await fittingImage(media, { types: ['image/webp'], maxBytes: 300_000 });
  assert.is((await sharp(webp.bytes).metadata()).format, 'webp');
});

test('pictures whose orientation is only in metadata are turned upright', async () => {
  const bytes = await noise(60, 30).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const { bytes: convertedBytes } = await fittingImage(await mediaOf(bytes, 'image/jpeg'), {
    ...jpegOnly,
    maxWidth: 40,
  });
  const { width = 0, height = 0, orientation } = await sharp(convertedBytes).metadata();
  assert.ok(height > width);
  assert.is(orientation, undefined);
});

test('an SVG and an animation become a still picture', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>',
  );
  const convertedImage = await fittingImage(await mediaOf(svg, 'image/svg+xml'), jpegOnly);
  assert.is((await sharp(convertedImage.bytes).metadata()).format, 'jpeg');
  const gif = sampleMedia('gif');
  assert.is((await fittingImage(gif, jpegOnly)).contentType, 'image/jpeg');
});

test('a network that fetches files gets the URL of the attachment or of its converted version', async () => {
  const askedFor: (ConvertedFile | undefined)[] = [];
  const url = async (converted?: ConvertedFile) => {
    askedFor.push(converted);
    return 'https://media.example/1';
  };
  const media = { ...sampleMedia(), url };
  assert.is(await fittingImageUrl(media, { types: ['image/png'], maxBytes: 8_000_000 }), 'https://media.example/1');
  await fittingImageUrl(media, jpegOnly);
  assert.equal(
    askedFor.map((converted) => converted?.contentType),
    [undefined, 'image/jpeg'],
  );
});

test('a file that is not a picture is refused; bytes that cannot be read now are retried', async () => {
  const faultOf = async (read: () => Promise<Uint8Array>) => {
    try {
      await fittingImage(sampleMedia('image', { read }), jpegOnly);
    } catch (error) {
      if (isSocialError(error)) return `${error.fault} ${error.problem ?? ''}`.trim();
    }
    return 'taken';
  };
  assert.is(await faultOf(async () => Buffer.from('not a picture')), 'rejected media_kind');
  assert.is(await faultOf(async () => Promise.reject(new Error('The store is unavailable.'))), 'transient');
});

test.run();
