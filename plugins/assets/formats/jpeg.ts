// Reads JPEG (ITU-T T.81): its segments and dimensions. Removes metadata: Exif with places and devices, XMP, IPTC, comments. The
// orientation stays, in an Exif segment of its own (JEITA CP-3451); without it, pictures would be shown rotated.
import { BlockCount, brokenFile, type ReadPicture } from './fault.ts';

const fault = () => brokenFile('JPEG');

/** The frame types that decoders support: baseline, extended, progressive. */
const supportedFrames = new Set([0xc0, 0xc1, 0xc2]);
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Whether a segment is needed to show the picture: APP0 (JFIF), APP2 with a colour profile, or APP14 (Adobe's colour
 * transform).
 */
function belongsToPicture(marker: number, segment: Buffer): boolean {
  if (marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)) {
    const name = segment.toString('latin1', 4, 16);
    if (marker === 0xe0) return name.startsWith('JFIF\0');
    if (marker === 0xe2) return name.startsWith('ICC_PROFILE\0');
    return marker === 0xee && name.startsWith('Adobe');
  }
  return true;
}

/** The orientation in an Exif segment, 1 to 8; 1 if the segment contains no readable orientation. */
function orientationIn(segment: Buffer): number {
  if (segment.toString('latin1', 4, 10) !== 'Exif\0\0') return 1;
  const tiff = segment.subarray(10);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 1;
  const count = read16(first);
  for (let entry = 0; entry < count; entry += 1) {
    const at = first + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (read16(at) !== 0x0112) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif segment that contains only the orientation. */
function orientationSegment(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(2 + 6 + tiff.length, 2);
  return Buffer.concat([head, Buffer.from('Exif\0\0', 'latin1'), tiff]);
}

/** The end of the coded data of a scan: the next marker that is neither a stuffed byte nor a restart. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw fault();
}

/** @throws FormatFault */
export function readJpeg(bytes: Buffer): ReadPicture {
  const keptParts: Buffer[] = [];
  let [width, height, orientation] = [0, 0, 1];
  let [mustRewrite, hasScan] = [false, false];
  let at = 2;
  const count = new BlockCount();
  for (;;) {
    count.add('JPEG');
    if (bytes[at] !== 0xff) throw fault();
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1];
    if (marker === undefined) throw fault();
    if (marker === 0xd9) break;
    if (at + 4 > bytes.length) throw fault();
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || end < at + 4) throw fault();
    const segment = bytes.subarray(at, end);
    if (isFrame(marker)) {
      if (!supportedFrames.has(marker) || segment.length < 10) throw fault();
      [height, width] = [segment.readUInt16BE(5), segment.readUInt16BE(7)];
    }
    if (belongsToPicture(marker, segment)) keptParts.push(segment);
    else {
      mustRewrite = true;
      if (marker === 0xe1) orientation = Math.max(orientation, orientationIn(segment));
    }
    at = end;
    if (marker !== 0xda) continue;
    hasScan = true;
    at = scanEnd(bytes, end);
    keptParts.push(bytes.subarray(end, at));
  }
  if (!hasScan || width === 0 || height === 0) throw fault();
  if (at + 2 < bytes.length) mustRewrite = true;
  if (orientation > 1) keptParts.unshift(orientationSegment(orientation));
  const cleaned = () => Buffer.concat([bytes.subarray(0, 2), ...keptParts, Buffer.from([0xff, 0xd9])]);
  // With orientations 5 to 8, the picture is shown rotated by 90 degrees.
  const dimensions = orientation >= 5 ? { width: height, height: width } : { width, height };
  return { ...dimensions, durationMs: null, ...(mustRewrite ? { cleaned: cleaned() } : {}) };
}
