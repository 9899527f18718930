// The colours of a brand as a picture: an example text on its background, and a field for each colour. Pure.
import { escapeHtml, type Html, html } from '../../../core/unstable.ts';
import type { Palette } from '../schema.ts';

const names = ['primary', 'secondary', 'accent', 'background', 'text'] as const;

/** The picture of the palette. */
export function palettePicture(palette: Palette): Html {
  const colour = (name: (typeof names)[number]): string => escapeHtml(palette[name]);
  const fields = names.map(
    (name, index) =>
      `<rect x="${12 + index * 60}" y="72" width="52" height="36" rx="6" fill="${colour(name)}" stroke="#7a867f"/>`,
  );
  const picture = [
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="120" viewBox="0 0 320 120">',
    `<rect width="320" height="120" rx="10" fill="${colour('background')}"/>`,
    `<text x="12" y="42" font-family="system-ui,sans-serif" font-size="22" fill="${colour('text')}">Text</text>`,
    `<text x="92" y="42" font-family="system-ui,sans-serif" font-size="22" fill="${colour('primary')}">Heading</text>`,
    ...fields,
    '</svg>',
  ].join('');
  const source = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
  const alt = names.map((name) => `${name} ${palette[name]}`).join(', ');
  return html`<img class="chart" src="${source}" alt="${`The colours: ${alt}`}" width="320" height="120">`;
}
