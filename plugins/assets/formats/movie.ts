// Reads MP4 and QuickTime (ISO/IEC 14496-12): the boxes, the dimensions of the picture and the duration. Reads by position, so that only
// the index of a film is in memory.
import { brokenFile, FormatFault, type MediaDimensions } from './fault.ts';

/** Bytes that are read by position. `read` returns fewer bytes at the end. */
export interface ByteSource {
  readonly size: number;
  read(start: number, length: number): Promise<Buffer>;
}

/** The maximum size of an index, in bytes. The index of a film of several hours has some megabytes. */
const maxIndexBytes = 32 * 1_048_576;
/** The maximum number of boxes that are read. A fragmented film has about two boxes per second. */
const maxBoxes = 10_000;

/** Counts the boxes of a film. */
class BoxCount {
  #seen = 0;

  /** @throws FormatFault */
  add(): void {
    this.#seen += 1;
    if (this.#seen > maxBoxes)
      throw new FormatFault('The video has too many parts. Export it as one file, not fragmented.');
  }
}

/** The index of a film, which describes its content. */
interface Index {
  readonly bytes: Buffer;
  readonly count: BoxCount;
}

interface Box {
  readonly type: string;
  readonly start: number;
  /** The position at which the content of the box begins. */
  readonly content: number;
  readonly end: number;
}

/** The box that begins with the 16 bytes `head`. `end`: the end of the surrounding box or file. */
function boxAt(head: Buffer, start: number, end: number): Box {
  if (head.length < 8) throw brokenFile('video');
  const size = head.readUInt32BE(0);
  const type = head.toString('latin1', 4, 8);
  if (size === 1) {
    if (head.length < 16) throw brokenFile('video');
    const longSize = head.readBigUInt64BE(8);
    if (longSize < 16n || BigInt(start) + longSize > BigInt(end)) throw brokenFile('video');
    return { type, start, content: start + 16, end: start + Number(longSize) };
  }
  const last = size === 0 ? end : start + size;
  if ((size !== 0 && size < 8) || last > end) throw brokenFile('video');
  return { type, start, content: start + 8, end: last };
}

/** The boxes inside a part of the index. */
function* boxesIn({ bytes, count }: Index, from: number, end: number): Generator<Box> {
  for (let at = from; at + 8 <= end; ) {
    const box = boxAt(bytes.subarray(at, at + 16), at, end);
    count.add();
    yield box;
    at = box.end;
  }
}

function childOf(index: Index, parent: Box, type: string): Box | undefined {
  for (const box of boxesIn(index, parent.content, parent.end)) if (box.type === type) return box;
  return undefined;
}

/** Reads a field of a box. @throws FormatFault if the box is too short */
function numberAt({ bytes }: Index, box: Box, offset: number, length: 4 | 8): number {
  if (box.content + offset + length > box.end) throw brokenFile('video');
  const at = box.content + offset;
  return length === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at));
}

function durationOf(index: Index, header: Box | undefined): number | null {
  if (header === undefined) throw brokenFile('video');
  const isLong = numberAt(index, header, 0, 4) >>> 24 === 1;
  const scale = numberAt(index, header, isLong ? 20 : 12, 4);
  const units = numberAt(index, header, isLong ? 24 : 16, isLong ? 8 : 4);
  const unknown = !isLong && units === 0xffffffff;
  const ms = Math.round((units / scale) * 1_000);
  return scale === 0 || units === 0 || unknown || !Number.isSafeInteger(ms) ? null : ms;
}

/** The dimensions of a track as players show it; undefined for audio. */
function dimensionsOf(index: Index, track: Box): { readonly width: number; readonly height: number } | undefined {
  const media = childOf(index, track, 'mdia');
  const handler = media === undefined ? undefined : childOf(index, media, 'hdlr');
  const header = childOf(index, track, 'tkhd');
  if (handler === undefined || header === undefined) return undefined;
  numberAt(index, handler, 8, 4);
  if (index.bytes.toString('latin1', handler.content + 8, handler.content + 12) !== 'vide') return undefined;
  const shift = numberAt(index, header, 0, 4) >>> 24 === 1 ? 12 : 0;
  const [width, height] = [
    numberAt(index, header, 76 + shift, 4) >>> 16,
    numberAt(index, header, 80 + shift, 4) >>> 16,
  ];
  // If a track is rotated by 90 degrees, the first value of its matrix is 0.
  const isTurned = numberAt(index, header, 40 + shift, 4) === 0 && numberAt(index, header, 44 + shift, 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** @throws FormatFault */
export async function readMovie(source: ByteSource): Promise<MediaDimensions> {
  let movie: Box | undefined;
  const count = new BoxCount();
  for (let at = 0; at < source.size; ) {
    const box = boxAt(await source.read(at, 16), at, source.size);
    if (box.type === 'moov') movie = box;
    count.add();
    at = box.end;
  }
  if (movie === undefined) throw brokenFile('video');
  if (movie.end - movie.start > maxIndexBytes) throw new FormatFault('The index of the video is too large.');
  const bytes = await source.read(movie.start, movie.end - movie.start);
  if (bytes.length !== movie.end - movie.start) throw brokenFile('video');
  const index: Index = { bytes, count };
  const movieBox: Box = { ...movie, start: 0, content: movie.content - movie.start, end: bytes.length };
  const durationMs = durationOf(index, childOf(index, movieBox, 'mvhd'));
  let largest: { readonly width: number; readonly height: number } | undefined;
  for (const box of boxesIn(index, movieBox.content, movieBox.end)) {
    const dimensions = box.type === 'trak' ? dimensionsOf(index, box) : undefined;
    if (
      dimensions !== undefined &&
      dimensions.width * dimensions.height > (largest?.width ?? 0) * (largest?.height ?? 0)
    )
      largest = dimensions;
  }
  if (largest === undefined || largest.width === 0 || largest.height === 0)
    throw new FormatFault('The file has no picture in it, only sound.');
  return { ...largest, durationMs };
}
