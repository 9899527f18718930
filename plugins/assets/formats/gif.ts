// Reads GIF (Graphics Interchange Format, version 89a): its blocks, its dimensions and the duration of one loop of its frames.
import { BlockCount, brokenFile, type ReadPicture } from './fault.ts';

/** The length of a colour table in bytes, according to the flags before it. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** @throws FormatFault */
export function readGif(bytes: Buffer): ReadPicture {
  const byte = (at: number): number => {
    const value = bytes[at];
    if (value === undefined) throw brokenFile('GIF');
    return value;
  };
  const afterSubBlocks = (from: number): number => {
    let at = from;
    for (let length = byte(at); length > 0; length = byte(at)) at += length + 1;
    return at + 1;
  };
  if (bytes.length < 14) throw brokenFile('GIF');
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let [frames, hundredths] = [0, 0];
  let at = 13 + tableBytes(byte(10));
  const count = new BlockCount();
  for (let block = byte(at); block !== 0x3b; block = byte(at)) {
    count.add('GIF');
    if (block === 0x2c) {
      frames += 1;
      at = afterSubBlocks(at + 11 + tableBytes(byte(at + 9)));
    } else if (block === 0x21) {
      // The graphic control extension before a frame contains the time that it is shown.
      if (byte(at + 1) === 0xf9) hundredths += byte(at + 4) + 256 * byte(at + 5);
      at = afterSubBlocks(at + 2);
    } else throw brokenFile('GIF');
  }
  if (frames === 0) throw brokenFile('GIF');
  return { width, height, durationMs: frames > 1 ? hundredths * 10 : null };
}
