// Detects the type and the size of a picture from the values in its first bytes, before a decoder reads it. File names
// are ignored. Pure.

/** The type of a picture and its size in px; 0 for an SVG, whose size is checked elsewhere. */
export interface DetectedPicture {
  readonly kind: 'png' | 'jpeg' | 'webp' | 'svg';
  readonly width: number;
  readonly height: number;
}

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** The size is in the first chunk (PNG specification, section 11.2.2). */
function png(bytes: Buffer): DetectedPicture | undefined {
  if (bytes.length < 33 || ascii(bytes, 12, 16) !== 'IHDR') return undefined;
  return { kind: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The size is in the start-of-frame segment (ITU T.81, annex B). */
function jpeg(bytes: Buffer): DetectedPicture | undefined {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { kind: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The size is in the first chunk, which is of one of three kinds (RFC 9649, section 2). */
function webp(bytes: Buffer): DetectedPicture | undefined {
  if (bytes.length < 30) return undefined;
  const chunk = ascii(bytes, 12, 16);
  if (chunk === 'VP8X')
    return { kind: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8 ')
    return { kind: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return { kind: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** The type and size of a picture; undefined for anything that cannot be a logo. */
export function detectPicture(input: Uint8Array): DetectedPicture | undefined {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return png(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return jpeg(bytes);
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return webp(bytes);
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:svg|\?xml|!--|!DOCTYPE)/i.test(ascii(bytes, 0, 512)))
    return { kind: 'svg', width: 0, height: 0 };
  return undefined;
}
