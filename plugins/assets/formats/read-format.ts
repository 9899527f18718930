// Detects the type of a file from its first bytes, then checks the whole file. A declared content type is only compared with the result.
import type { AssetKind } from '../tables.ts';
import { FormatFault, type MediaDimensions } from './fault.ts';
import { readGif } from './gif.ts';
import { readJpeg } from './jpeg.ts';
import { type ByteSource, readMovie } from './movie.ts';
import { readPdf } from './pdf.ts';
import { pngSignature, readPng } from './png.ts';
import { hasSvgStart, readSvg } from './svg.ts';
import { readWebp } from './webp.ts';

export { FormatFault } from './fault.ts';
export type { ByteSource } from './movie.ts';

/** The types that assets can have, and the kind of each. */
export const kindOfType = {
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/webp': 'image',
  'image/gif': 'gif',
  'image/svg+xml': 'image',
  'video/mp4': 'video',
  'video/quicktime': 'video',
  'application/pdf': 'document',
} as const satisfies Readonly<Record<string, AssetKind>>;

export type ContentType = keyof typeof kindOfType;
export const contentTypes = Object.keys(kindOfType) as ContentType[];

const mebibyte = 1_048_576;
/** The maximum number of bytes of an asset, by kind. */
export const maxBytes = (kind: AssetKind): number => (kind === 'video' ? 512 : 25) * mebibyte;
/** The maximum number of bytes of an SVG. Every program that draws an SVG reads it whole. */
const maxSvgBytes = 2 * mebibyte;
const maxPixels = 50_000_000;

/** The result of reading a file. */
export interface ReadFormat extends MediaDimensions {
  readonly contentType: ContentType;
  readonly kind: AssetKind;
  /** The bytes without metadata, to store instead. Undefined if the file stays as it is. */
  readonly cleaned?: Uint8Array;
}

/** The number of bytes that are read to detect a type. An SVG may have comments before its first element. */
const headBytes = 4_096;

/** The brands of ISO files that are films. Pictures (avif, heic) and audio files have other brands. */
const mp4Brands = /^(?:isom|iso\d|mp4[12]|mmp4|avc1|M4V.|dash|msdh|3gp\d|f4v )$/;

/** The type that the first bytes show; undefined if it is not an accepted type. */
export function contentTypeOf(head: Buffer): ContentType | undefined {
  const latin = head.toString('latin1', 0, 16);
  if (head.subarray(0, 8).equals(pngSignature)) return 'image/png';
  if (head.length > 3 && head.readUIntBE(0, 3) === 0xffd8ff) return 'image/jpeg';
  if (/^GIF8[79]a/.test(latin)) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(latin)) return 'image/webp';
  if (latin.startsWith('%PDF-')) return 'application/pdf';
  const [box, brand] = [latin.slice(4, 8), latin.slice(8, 12)];
  if (box === 'ftyp') return brand === 'qt  ' ? 'video/quicktime' : mp4Brands.test(brand) ? 'video/mp4' : undefined;
  // QuickTime films from before 2001 have no `ftyp` box and begin with another one.
  if (['moov', 'mdat', 'wide', 'free', 'skip'].includes(box)) return 'video/quicktime';
  return hasSvgStart(head.toString('utf8')) ? 'image/svg+xml' : undefined;
}

const readers = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/gif': readGif,
  'image/svg+xml': readSvg,
  'application/pdf': readPdf,
} as const;

/**
 * Reads a file. `declared` is the type that the client announced.
 * @throws FormatFault with a sentence for the caller
 */
export async function readFormat(source: ByteSource, declared?: string): Promise<ReadFormat> {
  const contentType = contentTypeOf(await source.read(0, headBytes));
  if (contentType === undefined)
    throw new FormatFault(`The file does not have an accepted type: ${contentTypes.join(', ')}.`);
  if (declared !== undefined && declared !== contentType)
    throw new FormatFault(`The file is ${contentType}, and was announced as ${declared.slice(0, 100)}.`);
  const kind = kindOfType[contentType];
  const [subject, maxSize] =
    contentType === 'image/svg+xml' ? ['an SVG', maxSvgBytes] : [`the kind ${kind}`, maxBytes(kind)];
  if (source.size > maxSize)
    throw new FormatFault(`The file has ${source.size} bytes; of ${subject} at most ${maxSize} are accepted.`);
  const read =
    contentType === 'video/mp4' || contentType === 'video/quicktime'
      ? await readMovie(source)
      : readers[contentType](await source.read(0, source.size));
  const { width, height } = read;
  if (width === 0 || height === 0) throw new FormatFault('The picture has no area.');
  if (width !== null && height !== null && width * height > maxPixels)
    throw new FormatFault(`The picture has ${width} × ${height} pixels; at most 50 million are accepted.`);
  return { contentType, kind, ...read };
}

/** Bytes in memory as a source. */
export const memorySource = (bytes: Uint8Array): ByteSource => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: buffer.length, read: async (start, length) => buffer.subarray(start, start + length) };
};
