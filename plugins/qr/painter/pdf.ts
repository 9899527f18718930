// Writes a picture as a PDF 1.7 with one page for print: 100 mm wide when trimmed, with 3 mm of bleed around it and crop marks
// outside of the bleed. Shapes stay vectors; letters are lines, so no font is needed. Pure except for the compression.
import { promisify } from 'node:util';
import { deflate as deflateWithCallback } from 'node:zlib';
import { channelsOf } from './colours.ts';
import type { Drawing, Paint, Pixels, Shape } from './drawing.ts';
import type { Outline } from './outline.ts';

const deflate = promisify(deflateWithCallback);

/** Points of 1/72 inch in a millimetre. */
const millimetre = 72 / 25.4;
/** The trimmed width, in mm. */
export const printWidth = 100;
const bleed = 3;
/** The length of crop marks, in mm. They begin at the bleed's edge. */
const markLength = 5;
/** The white edge around the marks, in mm. */
const edge = 2;
const offset = (bleed + markLength + edge) * millimetre;

const number = (value: number): string => String(Math.round(value * 10_000) / 10_000);
const rgb = (colour: string): string => channelsOf(colour).map(number).join(' ');

/** The objects of the file, numbered from 1. */
class Objects {
  readonly #bodies: Buffer[] = [];

  add(dictionary: string): number {
    return this.#bodies.push(Buffer.from(dictionary, 'latin1'));
  }

  /** Replaces an object, for objects that reference each other. */
  replace(id: number, dictionary: string): void {
    this.#bodies[id - 1] = Buffer.from(dictionary, 'latin1');
  }

  async addStream(entries: string, bytes: Uint8Array): Promise<number> {
    const compressed = await deflate(bytes);
    const head = `<< ${entries} /Filter /FlateDecode /Length ${compressed.length} >>\nstream\n`;
    return this.#bodies.push(
      Buffer.concat([Buffer.from(head, 'latin1'), compressed, Buffer.from('\nendstream', 'latin1')]),
    );
  }

  /** The file: header, objects, cross-reference table, trailer (ISO 32000-1, section 7.5). */
  write(root: number): Buffer {
    // The comment with bytes above 127 marks the file as binary for programs that transfer files.
    const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let position = parts[0]?.length ?? 0;
    const positions: number[] = [];
    for (const [index, body] of this.#bodies.entries()) {
      const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
      positions.push(position);
      parts.push(part);
      position += part.length;
    }
    const rows = positions.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    const size = positions.length + 1;
    parts.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root ${root} 0 R >>\nstartxref\n${position}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

const operators = { M: 'm', L: 'l', C: 'c', Z: 'h' } as const;

const pathOf = ({ steps }: Outline): string =>
  steps.map(([kind, ...numbers]) => `${numbers.map(number).join(' ')} ${operators[kind]}`).join('\n');

/** A gradient as an axial shading of two colours (ISO 32000-1, section 8.7.4.5.3). */
const shadingOf = ({ from, to, start, end }: Exclude<Paint, string>): string =>
  `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [${[...start, ...end].map(number).join(' ')}] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [${rgb(from)}] /C1 [${rgb(to)}] /N 1 >> >>`;

function drawShape(shape: Shape, shadings: string[]): string {
  const path = pathOf(shape.outline);
  if (shape.kind === 'line') return `${rgb(shape.colour)} RG ${number(shape.width)} w 1 J 1 j\n${path}\nS`;
  const rule = shape.holes === true ? '*' : '';
  if (typeof shape.paint === 'string') return `${rgb(shape.paint)} rg\n${path}\nf${rule}`;
  shadings.push(shadingOf(shape.paint));
  return `q\n${path}\nW${rule} n\n/S${shadings.length} sh\nQ`;
}

/** Adds the logo and its opacity as two images, and returns the id of the logo. */
async function addPixels(objects: Objects, { width, height, rgba }: Pixels): Promise<number> {
  const count = width * height;
  const [colours, opacity] = [new Uint8Array(count * 3), new Uint8Array(count)];
  for (let pixel = 0; pixel < count; pixel += 1) {
    colours.set(rgba.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
    opacity[pixel] = rgba[pixel * 4 + 3] ?? 255;
  }
  const sharedEntries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const mask = await objects.addStream(`${sharedEntries} /ColorSpace /DeviceGray`, opacity);
  return objects.addStream(`${sharedEntries} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, colours);
}

/** Four pairs of hairlines at the corners of the trimmed picture, outside of the bleed. */
function cropMarks(width: number, height: number): string {
  const [markStart, markEnd] = [bleed * millimetre, (bleed + markLength) * millimetre];
  const lines = [0, width].flatMap((x) =>
    [0, height].flatMap((y) => {
      const [sx, sy] = [x === 0 ? -1 : 1, y === 0 ? -1 : 1];
      return [
        [x + sx * markStart, y, x + sx * markEnd, y],
        [x, y + sy * markStart, x, y + sy * markEnd],
      ];
    }),
  );
  const lineCommands = lines.map(
    ([a = 0, b = 0, c = 0, d = 0]) => `${number(a)} ${number(b)} m ${number(c)} ${number(d)} l S`,
  );
  return `q\n0 0 0 RG 0.25 w 0 J\n${lineCommands.join('\n')}\nQ`;
}

/** The size of the page in points, with bleed and marks. */
export function pageSize(drawing: Drawing): { readonly width: number; readonly height: number } {
  const width = printWidth * millimetre;
  return { width: width + 2 * offset, height: (width * drawing.height) / drawing.width + 2 * offset };
}

/** The picture as a PDF. */
export async function writePdf(drawing: Drawing): Promise<Buffer> {
  const objects = new Objects();
  const shadings: string[] = [];
  const page = pageSize(drawing);
  const [width, height] = [page.width - 2 * offset, page.height - 2 * offset];
  const scale = width / drawing.width;
  const bleedSize = bleed * millimetre;
  const shapes = drawing.shapes.map((shape) => drawShape(shape, shadings)).join('\n');
  const { image } = drawing;
  const logo = image === undefined ? undefined : await addPixels(objects, image.pixels);
  // In PDF, an image fills the unit square upwards. The page content is flipped, so the image is flipped back.
  const drawLogo =
    image === undefined
      ? ''
      : `q ${number(image.width)} 0 0 ${number(-image.height)} ${number(image.x)} ${number(image.y + image.height)} cm /Logo Do Q\n`;
  const content = [
    `q 1 0 0 1 ${number(offset)} ${number(offset)} cm`,
    `${rgb(drawing.ground)} rg ${number(-bleedSize)} ${number(-bleedSize)} ${number(width + 2 * bleedSize)} ${number(height + 2 * bleedSize)} re f`,
    cropMarks(width, height),
    `q ${number(scale)} 0 0 ${number(-scale)} 0 ${number(height)} cm`,
    shapes,
    `${drawLogo}Q`,
    'Q',
  ].join('\n');
  const stream = await objects.addStream('', Buffer.from(content, 'latin1'));
  const shadingRefs = shadings.map((shading, index) => `/S${index + 1} ${objects.add(shading)} 0 R`).join(' ');
  const resources = `<< /Shading << ${shadingRefs} >>${logo === undefined ? '' : ` /XObject << /Logo ${logo} 0 R >>`} >>`;
  const box = (out: number): string =>
    `[${[offset - out, offset - out, offset + width + out, offset + height + out].map(number).join(' ')}]`;
  const pages = objects.add('');
  const kid = objects.add(
    `<< /Type /Page /Parent ${pages} 0 R /MediaBox ${box(offset)} /TrimBox ${box(0)} /BleedBox ${box(bleedSize)} /Resources ${resources} /Contents ${stream} 0 R >>`,
  );
  objects.replace(pages, `<< /Type /Pages /Kids [${kid} 0 R] /Count 1 >>`);
  return objects.write(objects.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
}
