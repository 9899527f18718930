// Styles, payloads and an independent reader of QR codes, for the tests of QR pictures.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultStyle, type QrFrame, type QrStyle } from '../../plugins/qr/schema.ts';
import { mayUse } from './services.ts';

const run = promisify(execFile);

const dots = ['square', 'rounded', 'dots', 'diamond'] as const;
const corners = ['square', 'rounded', 'circle'] as const;
const corrections = ['L', 'M', 'Q', 'H'] as const;
export const frames: readonly QrFrame[] = [
  { kind: 'none', text: null, colour: null },
  { kind: 'border', text: null, colour: null },
  { kind: 'banner-bottom', text: 'Scan me', colour: '#1c5a44' },
  { kind: 'banner-top', text: 'Öffnen → ici', colour: '#7a1f5c' },
  { kind: 'bubble', text: '¿Qué hay?', colour: '#ffd23f' },
];
const colours: readonly Partial<QrStyle>[] = [
  {},
  { foreground: '#1c5a44', eyes: '#7a1f5c' },
  { foreground: '#24476b', background: '#f5efe0' },
  { gradient: { from: '#7a1f5c', to: '#24476b', angle: 45 } },
];

/** A point of the grid: a style with a frame. */
export interface GridPoint {
  readonly style: QrStyle;
  readonly frame: QrFrame;
}

/** Every combination of dots, corners and error correction, with frames, colours and margins in rotation. */
export function styleGrid(): GridPoint[] {
  const points: GridPoint[] = [];
  for (const dot of dots)
    for (const corner of corners)
      for (const errorCorrection of corrections) {
        const at = points.length;
        const style = {
          ...defaultStyle,
          dots: dot,
          corners: corner,
          errorCorrection,
          margin: 2 + (at % 4),
          ...colours[at % 4],
        };
        points.push({ style, frame: frames[at % frames.length] as QrFrame });
      }
  return points;
}

/** A subset of the points that contains each pair of dots, corners and error correction. */
export function pairwisePoints(points: readonly GridPoint[]): GridPoint[] {
  const seenPairs = new Set<string>();
  return points.filter(({ style: { dots: a, corners: b, errorCorrection: c } }, index) => {
    const pointPairs = [`${a} ${b}`, `${a} ${c}`, `${b} ${c}`];
    const fresh = pointPairs.filter((pair) => !seenPairs.has(pair)).length;
    if (fresh < (index < points.length / 2 ? 2 : 1)) return false;
    for (const pair of pointPairs) seenPairs.add(pair);
    return true;
  });
}

/** Payloads of different kinds and lengths. */
export const payloads: Readonly<Record<string, string>> = {
  link: 'https://go.shop.example/aB3xZ9q?s=qr',
  wifi: 'WIFI:T:WPA;S:Café \\; Bar;P:p\\:a\\\\ss\\,w\\"ord;H:true;;',
  vcard:
    'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Lovelace\r\nN:Lovelace;Ada;;;\r\nORG:Analytical Engines\\, Ltd.\r\nTEL;VALUE=uri:tel:+44-20-7946-0018\r\nEMAIL:ada@example.com\r\nEND:VCARD\r\n',
  digits: '0123456789012345678901234567890123456789',
  long: 'Lorem ipsum '.repeat(100),
};

/** True if zbar is installed. If not, prints a line once, or throws an error if services are required. */
export async function hasZbar(): Promise<boolean> {
  const isInstalled = await run('zbarimg', ['--version']).then(
    () => true,
    () => false,
  );
  return mayUse('reading QR codes with zbar', isInstalled, 'zbarimg is not installed; the package zbar-tools has it');
}

/** The text that zbar reads in each picture, or undefined if it finds no code */
export async function readWithZbar(pictures: readonly Uint8Array[], ending: string): Promise<(string | undefined)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-qr-'));
  try {
    const texts: (string | undefined)[] = [];
    for (const [index, bytes] of pictures.entries()) {
      const path = join(folder, `${index}.${ending}`);
      await writeFile(path, bytes);
      const output = await run(
        'zbarimg',
        ['--quiet', '--raw', '--nodbus', '-Sdisable', '-Sqrcode.enable', '-Sbinary', path],
        {
          encoding: 'buffer',
        },
      ).catch(() => undefined);
      texts.push(output?.stdout.toString('utf8'));
    }
    return texts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
