// The program of the process that opens pictures, with the package `sharp`. Started by picture-child.ts and never
// imported. Loads only two small modules of the core, has no secrets in its environment, and ends with the process that
// started it.
import { writeSync } from 'node:fs';
import type { Sharp } from 'sharp';
import { isMissingPackage } from '../contract/errors/missing-package.ts';
import { frameOf, frameReader } from './message-frames.ts';
import type { PictureFormat, PictureReply, PictureRequest, PictureWork } from './picture-messages.ts';

type Package = typeof import('sharp')['default'];

/** The memory that the process may use. A picture of the largest size with some layers takes half of it. */
const maxMegabytes = 1_536;
const watchMs = 50;

/** The decoders for the formats of assets and of the pictures that the service draws. */
const decoders = ['Svg', 'Png', 'Jpeg', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);

const reply = (head: PictureReply, body?: Uint8Array): void => {
  process.stdout.write(frameOf(head, body));
};

/** Ends the process at once. An ordinary exit would wait for the picture that is being drawn. */
const end = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

async function load(): Promise<Package> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function encodedAs(picture: Sharp, { kind, ...options }: PictureFormat): Sharp {
  if (kind === 'raw') return picture.raw();
  const { density, ...encodingOptions } = options as { readonly density?: number };
  const encoded = picture.toFormat(kind, encodingOptions);
  return density === undefined ? encoded : encoded.withMetadata({ density });
}

function pipeline(sharp: Package, bytes: Buffer, work: PictureWork): Sharp {
  const { maxPixels, density, isOwn = false, isUpright, size, edges, alpha, colours, format } = work;
  const options = { limitInputPixels: maxPixels, failOn: 'error', unlimited: isOwn } as const;
  let picture = sharp(bytes, density === undefined ? options : { ...options, density });
  if (isUpright === true) picture = picture.rotate();
  if (alpha === 'white') picture = picture.flatten({ background: '#ffffff' });
  if (size !== undefined) picture = picture.resize(size);
  if (edges !== undefined) picture = picture.extend({ ...edges, background: '#ffffff' });
  if (alpha === 'remove') picture = picture.removeAlpha();
  if (alpha === 'add') picture = picture.ensureAlpha();
  if (colours !== undefined) picture = picture.toColourspace(colours === 'grey' ? 'b-w' : 'srgb');
  return encodedAs(picture, format);
}

async function answer(sharp: Package, { work }: PictureRequest, bytes: Buffer): Promise<void> {
  if (work === undefined) {
    const { format = '', width = 0, height = 0, hasAlpha = false, orientation = 1 } = await sharp(bytes).metadata();
    reply({ kind: 'facts', facts: { format, width, height, hasAlpha, orientation } });
    return;
  }
  const { data, info } = await pipeline(sharp, bytes, work).toBuffer({ resolveWithObject: true });
  reply({ kind: 'drawn', format: info.format, width: info.width, height: info.height }, data);
}

/** The processor time that was used so far, in seconds. */
function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** The processor time, in seconds, at which the current picture exceeds its limit. */
let endsAt = Number.POSITIVE_INFINITY;

/** Ends the process when a picture exceeds its limit, because a decoder does not check any clock. */
function watch(): void {
  setInterval(() => {
    const limit = process.memoryUsage.rss() >= maxMegabytes * 1_048_576 ? 'memory' : 'time';
    if (limit === 'time' && usedSeconds() < endsAt) return;
    writeSync(1, frameOf({ kind: 'too_expensive', limit } satisfies PictureReply));
    end();
  }, watchMs);
}

async function run(): Promise<void> {
  process.stdin.on('end', end);
  process.stdin.on('error', end);
  process.stdout.on('error', end);
  let sharp: Package;
  try {
    sharp = await load();
  } catch (error) {
    const { message } = error as { readonly message?: string };
    reply(isMissingPackage(error) ? { kind: 'package_missing' } : { kind: 'failed', message: String(message) });
    return;
  }
  watch();
  const read = frameReader<PictureRequest>((request, bytes) => {
    endsAt = usedSeconds() + request.seconds;
    answer(sharp, request, bytes)
      .catch((error: unknown) => {
        reply({ kind: 'unreadable', message: error instanceof Error ? error.message : String(error) });
      })
      .finally(() => {
        endsAt = Number.POSITIVE_INFINITY;
      });
  });
  process.stdin.on('data', read);
  reply({ kind: 'ready' });
}

void run();
