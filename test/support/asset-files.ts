// Small files of every asset type, made byte by byte.
import { crc32, deflateSync } from 'node:zlib';

const u16 = (value: number): Buffer => Buffer.from([value >>> 8, value & 255]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const pngChunk = (type: string, data: Buffer): Buffer => {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), typeAndData, u32(crc32(typeAndData))]);
};

/** A grey PNG; `extra` chunks precede its data. */
export function png(width = 3, height = 2, extra: readonly (readonly [string, string])[] = []): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const rows = Buffer.alloc(Math.min(height, 100) * (Math.min(width, 100) + 1), 0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...extra.map(([type, text]) => pngChunk(type, Buffer.from(text, 'latin1'))),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);

/** Exif with an orientation and a GPS position, in the byte order `order`. */
export function exif(orientation: number, order: 'II' | 'MM' = 'MM', words = 'GPS 52.5200 13.4050'): Buffer {
  const little = order === 'II';
  const twoBytes = (value: number) => (little ? u16(value).reverse() : u16(value));
  const fourBytes = (value: number) => (little ? u32(value).reverse() : u32(value));
  const value = Buffer.concat([twoBytes(orientation), Buffer.alloc(2)]);
  const entry = Buffer.concat([twoBytes(0x0112), twoBytes(3), fourBytes(1), value]);
  const tiff = Buffer.concat([
    Buffer.from(order),
    twoBytes(42),
    fourBytes(8),
    twoBytes(1),
    entry,
    fourBytes(0),
    Buffer.from(words),
  ]);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

/** The frame, a scan and the end of a JPEG; `extra` segments follow its JFIF segment. */
export function jpeg(width = 6, height = 4, extra: readonly Buffer[] = [], after = ''): Buffer {
  const frame = Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...extra,
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(after),
  ]);
}

export const jpegSegment = segment;

/** A GIF of one colour; each frame lasts `hundredths` of a second. */
export function gif(width = 5, height = 7, frames = 1, hundredths = 20): Buffer {
  const le = (value: number) => Buffer.from([value & 255, value >>> 8]);
  const screen = Buffer.concat([le(width), le(height), Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])]);
  const control = Buffer.concat([Buffer.from([0x21, 0xf9, 4, 0]), le(hundredths), Buffer.from([0, 0])]);
  const picture = Buffer.concat([
    Buffer.from([0x2c, 0, 0, 0, 0]),
    le(width),
    le(height),
    Buffer.from([0, 2, 2, 0x44, 1, 0]),
  ]);
  const all = Array.from({ length: frames }, () => Buffer.concat([control, picture]));
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...all, Buffer.from([0x3b])]);
}

const riff = (type: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)]);
};

/** A WebP with the extended header, a lossless picture and Exif. */
export function webp(width = 9, height = 8): Buffer {
  const extendedHeader = Buffer.alloc(10);
  extendedHeader[0] = 0x08;
  extendedHeader.writeUIntLE(width - 1, 4, 3);
  extendedHeader.writeUIntLE(height - 1, 7, 3);
  const picture = Buffer.concat([Buffer.from([0x2f]), Buffer.alloc(4), Buffer.alloc(6)]);
  const chunks = Buffer.concat([
    riff('VP8X', extendedHeader),
    riff('VP8L', picture),
    riff('EXIF', Buffer.from('GPS 52.52')),
  ]);
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), chunks]));
}

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([u32(data.length + 8), Buffer.from(type, 'latin1'), data]);
};

/** A movie with one video track, whose data precede its index, as in files of cameras */
export function movie(
  { width = 640, height = 360, seconds = 2, brand = 'isom', isTurned = false, handler = 'vide' } = {},
  data: Buffer = Buffer.alloc(100),
): Buffer {
  const matrix = isTurned ? [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30] : [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1 << 30];
  const mvhd = box('mvhd', u32(0), u32(0), u32(0), u32(1_000), u32(seconds * 1_000), Buffer.alloc(80));
  const tkhd = box('tkhd', Buffer.alloc(40), ...matrix.map(u32), u32(width << 16), u32(height << 16));
  const hdlr = box('hdlr', u32(0), u32(0), Buffer.from(handler), Buffer.alloc(13));
  const moov = box('moov', mvhd, box('trak', tkhd, box('mdia', hdlr)));
  return Buffer.concat([
    box('ftyp', Buffer.from(brand.padEnd(4)), u32(0), Buffer.from('isom')),
    box('mdat', data),
    moov,
  ]);
}

export const pdf = (): Buffer =>
  Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n');

/** An SVG with a circle and `inside` */
export const svg = (inside = '', attributes = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- a logo -->\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" ${attributes}>${inside}<circle cx="5" cy="5" r="4"/></svg>`,
  );
