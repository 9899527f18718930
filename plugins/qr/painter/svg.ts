// Writes a picture as SVG 1.1, without texts, scripts, style sheets or external references. Pure.
import type { Drawing, Paint, Shape } from './drawing.ts';
import type { Outline } from './outline.ts';

/** A number with at most two decimals. */
const number = (value: number): string => String(Math.round(value * 100) / 100);

const pathOf = ({ steps }: Outline): string =>
  steps.map(([kind, ...numbers]) => `${kind}${numbers.map(number).join(' ')}`).join('');

/** The picture, `width` pixels wide. */
export function writeSvg(drawing: Drawing, width: number): string {
  const gradients: string[] = [];
  const fillOf = (paint: Paint): string => {
    if (typeof paint === 'string') return paint;
    const id = `g${gradients.length}`;
    const [x1, y1, x2, y2] = [...paint.start, ...paint.end].map(number);
    gradients.push(
      `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"><stop stop-color="${paint.from}"/><stop offset="1" stop-color="${paint.to}"/></linearGradient>`,
    );
    return `url(#${id})`;
  };
  const draw = (shape: Shape): string => {
    const path = pathOf(shape.outline);
    if (shape.kind === 'fill')
      return `<path fill="${fillOf(shape.paint)}"${shape.holes === true ? ' fill-rule="evenodd"' : ''} d="${path}"/>`;
    return `<path fill="none" stroke="${shape.colour}" stroke-width="${number(shape.width)}" stroke-linecap="round" stroke-linejoin="round" d="${path}"/>`;
  };
  const { image } = drawing;
  const [w, h] = [number(drawing.width), number(drawing.height)];
  const shapes = drawing.shapes.map(draw).join('');
  const logo =
    image === undefined
      ? ''
      : `<image x="${number(image.x)}" y="${number(image.y)}" width="${number(image.width)}" height="${number(image.height)}" xlink:href="data:image/png;base64,${Buffer.from(image.pixels.png).toString('base64')}"/>`;
  const linked = image === undefined ? '' : ' xmlns:xlink="http://www.w3.org/1999/xlink"';
  const definitions = gradients.length === 0 ? '' : `<defs>${gradients.join('')}</defs>`;
  return `<svg xmlns="http://www.w3.org/2000/svg"${linked} width="${width}" height="${heightOf(drawing, width)}" viewBox="0 0 ${w} ${h}">${definitions}<path fill="${drawing.ground}" d="M0 0H${w}V${h}H0Z"/>${shapes}${logo}</svg>`;
}

/** The height in whole pixels of a picture that is `width` pixels wide. */
export const heightOf = (drawing: Drawing, width: number): number =>
  Math.round((width * drawing.height) / drawing.width);
