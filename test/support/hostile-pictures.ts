// Pictures of a few kilobytes for which a decoder needs minutes or gigabytes, and pictures that refer to files and hosts. Used by the
// tests of all code that opens untrusted pictures.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** An SVG whose sides have `side` px */
export const svgOf = (inner: string, side = 5_000, more = ''): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${side}" height="${side}"${more}>${inner}</svg>`,
  );

const all = 'width="100%" height="100%"';
const wide = 'x="-1" y="-1" width="3" height="3"';
const svgWithFilter = (steps: string): Buffer =>
  svgOf(`<filter id="f" ${wide}>${steps}</filter><rect ${all} filter="url(#f)"/>`);

/** `count` levels, each of which draws the previous level ten times. */
const levels = (count: number, level: (id: number, inner: string) => string, first: string): string =>
  Array.from({ length: count }, (_, id) => level(id, id === 0 ? first : '')).join('');
const tenTimes = (use: (at: number) => string): string => Array.from({ length: 10 }, (_, at) => use(at)).join('');

/** Nested groups, each of which needs its own surface. */
export const nestedGroups = (depth: number, side = 5_000): Buffer =>
  svgOf(`${'<g opacity="0.9">'.repeat(depth)}<rect ${all}/>${'</g>'.repeat(depth)}`, side);

/** A filter that keeps the result of each step. Each result is as large as the picture: gigabytes within a second. */
export const keptResults = (steps = 40, side = 5_000): Buffer => {
  const names = Array.from({ length: steps }, (_, index) => `r${index}`);
  const parts = names.map((name) => `<feOffset in="SourceGraphic" dx="1" result="${name}"/>`);
  const mergeNodes = names.map((name) => `<feMergeNode in="${name}"/>`);
  const filter = `<filter id="f" x="0" y="0" width="1" height="1">${parts.join('')}<feMerge>${mergeNodes.join('')}</feMerge></filter>`;
  return svgOf(`${filter}<rect ${all} filter="url(#f)"/>`, side);
};

/** Nested masks that use only harmless shapes, which a logo may contain. */
export const nestedMasks = (side = 4_096, count = 5): Buffer =>
  svgOf(
    `${levels(
      count,
      (id) =>
        `<mask id="m${id}">${tenTimes((at) => `<rect x="${at}" ${all} fill="#fff"${id === 0 ? '' : ` mask="url(#m${id - 1})"`}/>`)}</mask>`,
      '',
    )}<rect ${all} mask="url(#m${count - 1})"/>`,
    side,
  );

/** SVGs that are named by their effect. For each, a decoder needs more than a second or more than two gigabytes. */
export const expensiveSvgs: Readonly<Record<string, Buffer>> = {
  'a blur of a large picture, a hundred times': svgWithFilter('<feGaussianBlur stdDeviation="500"/>'.repeat(100)),
  'noise with many octaves': svgWithFilter('<feTurbulence baseFrequency="0.9" numOctaves="200"/>'),
  'a morphology of a large radius': svgWithFilter('<feMorphology operator="dilate" radius="400"/>'.repeat(20)),
  'a convolution of many values': svgWithFilter(
    `<feConvolveMatrix order="31" kernelMatrix="${'1 '.repeat(961).trim()}"/>`.repeat(10),
  ),
  'lights over a blur': svgWithFilter(
    '<feGaussianBlur stdDeviation="90"/><feSpecularLighting surfaceScale="9"><fePointLight x="1" y="1" z="9"/></feSpecularLighting>'.repeat(
      30,
    ),
  ),
  'masks in masks': nestedMasks(),
  'groups in groups': nestedGroups(60),
  'paths of many arcs with thick dashes': svgOf(
    `<path fill="none" stroke="#000" stroke-width="2000" stroke-dasharray="0.001 0.001" d="M0 0${' a2500 2500 0 1 1 1 1'.repeat(2_000)}"/>`,
  ),
};

/** References to targets outside the file. A decoder that follows them would draw the target in red. */
export const externalReferences = (target: string): Readonly<Record<string, Buffer>> => ({
  image: svgOf(`<image xlink:href="${target}" width="20" height="20"/>`, 20),
  use: svgOf(`<use xlink:href="${target}#a"/>`, 20),
  'style sheet': Buffer.from(`<?xml-stylesheet href="${target}" type="text/css"?>${svgOf('<rect/>', 20)}`),
  'document type': Buffer.from(`<!DOCTYPE svg [<!ENTITY x SYSTEM "${target}">]>${svgOf('<text y="9">&x;</text>', 20)}`),
  'picture in a picture': svgOf(
    `<image width="20" height="20" xlink:href="data:image/svg+xml;base64,${svgOf(`<image xlink:href="${target}" width="20" height="20"/>`, 20).toString('base64')}"/>`,
    20,
  ),
});

/** Entities that each expand to ten others */
export const entityBomb = (): Buffer => {
  const entities = Array.from(
    { length: 10 },
    (_, id) => `<!ENTITY e${id} "${id === 0 ? 'ha' : `&e${id - 1};`.repeat(10)}">`,
  );
  return Buffer.from(`<!DOCTYPE svg [${entities.join('')}]>${svgOf('<text y="9">&e9;</text>', 20)}`);
};

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of one colour, which compresses to almost nothing. */
export function pngBomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One bit per pixel, grey.
  head.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF whose header and only frame declare this size. */
export function gifBomb(width: number, height: number, frames = 1): Buffer {
  const head = Buffer.from('4749463839610000000080000000000000ffffff', 'hex').subarray(0, 19);
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('2c0000000000000000000202440100', 'hex');
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** A progressive JPEG that repeats its last scan: each scan covers the whole picture. */
export async function jpegOfScans(side: number, scans: number): Promise<Buffer> {
  const grey = { create: { width: side, height: side, channels: 3, background: '#808080' } } as const;
  const bytes = await sharp(grey).jpeg({ progressive: true, mozjpeg: true }).toBuffer();
  const last = bytes.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = bytes.subarray(last, bytes.length - 2);
  return Buffer.concat([bytes.subarray(0, last), ...Array.from({ length: scans }, () => scan), bytes.subarray(-2)]);
}
