// The picture of a hero section without a picture: shapes in the brand's colours, always the same for the same page. It
// is part of the document, so nothing is loaded.
import { hash } from 'node:crypto';

/** Makes a generator of numbers from 0 to 1, determined by a text. */
function numbersOf(seed: string): () => number {
  const bytes = Buffer.from(hash('sha256', seed, 'hex'), 'hex');
  let at = 0;
  return () => {
    at += 1;
    return (bytes[at % bytes.length] ?? 0) / 255;
  };
}

/** An SVG of 480 by 420 px. Its colours are variables of the style. */
export function artwork(seed: string): string {
  const next = numbersOf(seed);
  const round = (value: number): string => value.toFixed(1);
  const discs = Array.from({ length: 3 }, (_, index) => {
    const [x, y, r] = [80 + next() * 320, 70 + next() * 280, 46 + next() * 74];
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="var(--${index === 0 ? 'act' : 'accent'})" opacity="${index === 0 ? '1' : '.35'}"/>`;
  });
  const [a, b] = [220 + next() * 90, 200 + next() * 110];
  const wave = `<path d="M0 ${round(a)}C120 ${round(a - 90)} 210 ${round(b + 80)} 480 ${round(b)}V420H0Z" fill="var(--act)" opacity=".22"/>`;
  const lines = Array.from({ length: 5 }, (_, index) => {
    const y = 40 + index * 26 + next() * 8;
    return `<path d="M${round(30 + next() * 60)} ${round(y)}h${round(60 + next() * 160)}" stroke="var(--ink)" stroke-width="3" stroke-linecap="round" opacity=".16"/>`;
  });
  return `<svg viewBox="0 0 480 420" aria-hidden="true" focusable="false"><rect width="480" height="420" fill="var(--soft)"/>${wave}${discs.join('')}${lines.join('')}</svg>`;
}
