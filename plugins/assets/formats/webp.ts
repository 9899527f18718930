// Reads WebP (RFC 9649): its chunks and dimensions. Removes Exif and XMP.
import { BlockCount, brokenFile, type ReadPicture } from './fault.ts';

const metadata = new Set(['EXIF', 'XMP ']);
/** The bits of VP8X that announce the metadata chunks. */
const metadataFlags = 0x0c;

const uint24 = (bytes: Buffer, at: number): number => bytes.readUIntLE(at, 3);

/** The dimensions in the first chunk of a picture: extended, lossless or lossy. */
function dimensionsIn(type: string, data: Buffer): { readonly width: number; readonly height: number } | undefined {
  if (type === 'VP8X' && data.length >= 10) return { width: uint24(data, 4) + 1, height: uint24(data, 7) + 1 };
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (type === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  return undefined;
}

/** @throws FormatFault */
export function readWebp(bytes: Buffer): ReadPicture {
  const length = bytes.readUInt32LE(4) + 8;
  if (length > bytes.length || length < 20) throw brokenFile('WebP');
  let dimensions: { readonly width: number; readonly height: number } | undefined;
  let mustRewrite = length < bytes.length;
  let hasPicture = false;
  const keptParts: Buffer[] = [];
  const count = new BlockCount();
  for (let at = 12; at < length; ) {
    count.add('WebP');
    if (at + 8 > length) throw brokenFile('WebP');
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    // Chunks have an even length; the last one may lack its padding.
    const end = Math.min(at + 8 + size + (size % 2), length);
    if (at + 8 + size > length) throw brokenFile('WebP');
    const data = bytes.subarray(at + 8, at + 8 + size);
    dimensions ??= dimensionsIn(type, data);
    if (dimensions === undefined) throw brokenFile('WebP');
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ANMF') hasPicture = true;
    if (metadata.has(type)) mustRewrite = true;
    else keptParts.push(bytes.subarray(at, end));
    at = end;
  }
  if (dimensions === undefined || !hasPicture) throw brokenFile('WebP');
  if (!mustRewrite) return { ...dimensions, durationMs: null };
  const body = Buffer.concat(keptParts);
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  if (body.toString('latin1', 0, 4) === 'VP8X') body.writeUInt8(body.readUInt8(8) & ~metadataFlags, 8);
  return { ...dimensions, durationMs: null, cleaned: Buffer.concat([head, body]) };
}
