// Reads PNG (W3C Portable Network Graphics, third edition): the chunks, their checksums and the dimensions. Removes texts, the
// time and Exif.
import { crc32 } from 'node:zlib';
import { BlockCount, brokenFile, type ReadPicture } from './fault.ts';

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const metadata = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf']);

/** @throws FormatFault */
export function readPng(bytes: Buffer): ReadPicture {
  const keptParts: Buffer[] = [bytes.subarray(0, 8)];
  let dimensions = { width: 0, height: 0 };
  let hasData = false;
  let wasStripped = false;
  const count = new BlockCount();
  for (let at = 8; ; ) {
    count.add('PNG');
    if (at + 12 > bytes.length) throw brokenFile('PNG');
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw brokenFile('PNG');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw brokenFile('PNG');
    if (at === 8) {
      if (type !== 'IHDR' || length !== 13) throw brokenFile('PNG');
      dimensions = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    }
    if (type === 'IDAT') hasData = true;
    if (metadata.has(type)) wasStripped = true;
    else keptParts.push(bytes.subarray(at, end));
    at = end;
    if (type === 'IEND') {
      if (!hasData) throw brokenFile('PNG');
      if (at < bytes.length) wasStripped = true;
      break;
    }
  }
  return { ...dimensions, durationMs: null, ...(wasStripped ? { cleaned: Buffer.concat(keptParts) } : {}) };
}
