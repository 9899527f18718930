// The program of the decode thread: decodes codes with ZXing, compiled to WebAssembly. Started by decoder.ts and never
// imported. It does not load the core.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { isMissingPackage } from '../../../core/contract/errors/missing-package.ts';
import type { DecodeReply, DecodeRequest, GreyPicture } from './protocol.ts';

type Reader = typeof import('zxing-wasm/reader');

async function loadReader(): Promise<Reader> {
  const reader = await import('zxing-wasm/reader');
  // By default, the package fetches its WebAssembly file from a server. This loads the file from the installed package instead.
  const file = createRequire(import.meta.filename).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const wasm = await readFile(file);
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  await reader.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return reader;
}

let loading: Promise<Reader> | undefined;

/** The picture with four bytes per pixel, in the form of a browser's ImageData, which the package requires. */
function imageOf({ width, height, grey }: GreyPicture) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < grey.length; pixel += 1) {
    const value = grey[pixel] ?? 255;
    data[pixel * 4] = value;
    data[pixel * 4 + 1] = value;
    data[pixel * 4 + 2] = value;
    data[pixel * 4 + 3] = 255;
  }
  return { data, width, height, colorSpace: 'srgb' as const };
}

async function decode(picture: GreyPicture): Promise<DecodeReply> {
  loading ??= loadReader();
  const reader = await loading;
  // The decoder does not try inverted, rotated or scaled pictures: a code that needs this counts as unreadable.
  const [barcode] = await reader.readBarcodes(imageOf(picture) as never, {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: false,
    tryRotate: false,
    tryDownscale: false,
    maxNumberOfSymbols: 1,
  });
  return { kind: 'decoded', bytes: barcode?.isValid === true ? barcode.bytes : null };
}

parentPort?.on('message', async ({ picture }: DecodeRequest) => {
  const reply = await decode(picture).catch((error: unknown): DecodeReply => {
    loading = undefined;
    if (isMissingPackage(error)) return { kind: 'package_missing', name: 'zxing-wasm' };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  });
  parentPort?.postMessage(reply);
});
