// Charts as self-contained SVG pictures: readable in light and dark mode, with a title and a description for screen
// readers, without scripts and external resources. Every text is escaped. Pure. Called by reports and by pages of the
// console.
import { shortened } from '../contract/values/shorten.ts';
import { escapeHtml } from './html.ts';

/** The texts that every chart has. */
interface ChartTexts {
  /** The name of the chart. Screen readers read it, too. */
  readonly title: string;
  /** Whether the title is drawn, because the page around the chart does not show it. (Default: true) */
  readonly showsTitle?: boolean;
  /** The content of the chart in a sentence, for people who cannot see the chart. */
  readonly description: string;
  /** Distinguishes several charts that one HTML page contains: letters, digits and hyphens. (Default: chart) */
  readonly id?: string;
}

/** One bar. */
export interface Bar {
  readonly label: string;
  /** Any value other than a number of at least 0 is drawn as 0. */
  readonly value: number;
  /** The text after the bar. (Default: the value) */
  readonly note?: string;
}

/** Horizontal bars, one below the other. */
export interface BarChart extends ChartTexts {
  readonly bars: readonly Bar[];
}

/** One line of a chart. */
export interface ChartLine {
  readonly name: string;
  /** One value for each label. Any value other than a number of at least 0 is drawn as 0. */
  readonly values: readonly number[];
}

/** Lines over time. */
export interface LineChart extends ChartTexts {
  /** One label for each position on the horizontal axis. Only the first, the middle and the last label are shown. */
  readonly labels: readonly string[];
  readonly lines: readonly ChartLine[];
}

const width = 720;
const margin = 20;
const heading = 44;
const row = 28;
const labelRoom = 250;
const noteRoom = 110;

/** The lines differ in colour and in dashes, so that readers can distinguish them without colours. */
const dashes = ['', '8 4', '2 4', '10 3 2 3', '14 6', '4 2', '1 3'] as const;

const light = ['#0b57a4', '#a8480a', '#1d7a46', '#7a3fa0', '#a0203c', '#5a6470', '#8a6d00'] as const;
const dark = ['#8fc1ff', '#ffb27d', '#7fdca6', '#d3a8f5', '#ff9db0', '#b5bfca', '#e8ca5e'] as const;

const coloursOf = (id: string, colours: readonly string[]): string =>
  colours.map((colour, index) => `#${id} .s${index}{stroke:${colour}}#${id} .f${index}{fill:${colour}}`).join('');

const styleOf = (id: string): string =>
  `#${id} text{font:13px system-ui,sans-serif;fill:#1c1c1f}#${id} .h{font-weight:600;font-size:15px}#${id} .q{fill:#55555e}` +
  `#${id} .x{stroke:#d5d5db}#${id} .l{fill:none;stroke-width:2}${coloursOf(id, light)}` +
  `@media(prefers-color-scheme:dark){#${id} text{fill:#f2f2f4}#${id} .q{fill:#b8b8c2}#${id} .x{stroke:#44444c}${coloursOf(id, dark)}}`;

const amount = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;

const numberText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });

const coordinate = (at: number): string => String(Math.round(at * 10) / 10);

interface TextPosition {
  readonly x: number;
  readonly y: number;
  readonly kind?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
}

const text = (content: string, { x, y, kind = '', anchor = 'start' }: TextPosition): string =>
  `<text class="${kind}" x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;

/** The whole picture around its parts. */
function picture(texts: ChartTexts, bottom: number, parts: readonly string[]): string {
  const { title, description, id: requestedId, showsTitle = true } = texts;
  // Without its title, the picture begins below the position of the title.
  const top = showsTitle ? 0 : heading - 16;
  const height = bottom - top;
  const id = requestedId !== undefined && /^[A-Za-z][\w-]*$/.test(requestedId) ? requestedId : 'chart';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="${id}" viewBox="0 ${top} ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-text">${escapeHtml(description)}</desc>`,
    `<style>${styleOf(id)}</style>`,
    showsTitle ? text(shortened(title, 80), { x: margin, y: 26, kind: 'h' }) : '',
    ...parts,
    '</svg>',
  ].join('');
}

const emptyChart = (texts: ChartTexts): string =>
  picture(texts, heading + row + margin, [text('Nothing yet', { x: margin, y: heading + 18, kind: 'q' })]);

/** Draws horizontal bars. Without a bar, the picture says that there is nothing yet. */
export function barChart({ bars, ...texts }: BarChart): string {
  if (bars.length === 0) return emptyChart(texts);
  const maxValue = Math.max(...bars.map(({ value }) => amount(value)), 1);
  const room = width - 2 * margin - labelRoom - noteRoom;
  const parts = bars.map(({ label, value, note }, index) => {
    const y = heading + index * row;
    const barLength = (amount(value) / maxValue) * room;
    const end = margin + labelRoom + barLength;
    return [
      `<g><title>${escapeHtml(`${label}: ${note ?? numberText(amount(value))}`)}</title>`,
      text(shortened(label, 36, { at: 'letter', by: 'width' }), {
        x: margin + labelRoom - 10,
        y: y + 18,
        anchor: 'end',
      }),
      `<rect class="f0" x="${margin + labelRoom}" y="${y + 5}" width="${coordinate(Math.max(barLength, 1))}" height="${row - 10}" rx="3"/>`,
      text(shortened(note ?? numberText(amount(value)), 16, { at: 'letter' }), { x: end + 8, y: y + 18, kind: 'q' }),
      '</g>',
    ].join('');
  });
  return picture(texts, heading + bars.length * row + margin, parts);
}

/** The distance between two lines of the scale: 1, 2 or 5 times a power of ten, about four of them up to the highest value. */
function stepOf(maxValue: number): number {
  const rough = maxValue / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return Math.max(factor * power, 1);
}

const plot = { left: margin + 50, right: width - margin, top: heading + 6, height: 200 } as const;
const legendColumns = 4;

/** Draws lines over time. Without a value, the picture says that there is nothing yet. */
export function lineChart({ labels, lines, ...texts }: LineChart): string {
  if (labels.length === 0 || lines.length === 0) return emptyChart(texts);
  const values = lines.map((line) => labels.map((_, index) => amount(line.values[index])));
  const step = stepOf(Math.max(...values.flat(), 1));
  const steps = Math.max(1, Math.ceil(Math.max(...values.flat(), 1) / step));
  const bottom = plot.top + plot.height;
  const plotWidth = plot.right - plot.left;
  const x = (index: number): number =>
    labels.length === 1 ? plot.left + plotWidth / 2 : plot.left + (index / (labels.length - 1)) * plotWidth;
  const y = (value: number): number => bottom - (value / (steps * step)) * plot.height;
  const scale = Array.from({ length: steps + 1 }, (_, index) => index * step).map(
    (value) =>
      `<path class="x" d="M${plot.left} ${coordinate(y(value))}H${plot.right}"/>` +
      text(numberText(value), { x: plot.left - 8, y: y(value) + 4, kind: 'q', anchor: 'end' }),
  );
  const last = labels.length - 1;
  const labelledIndexes = [...new Set([0, Math.floor(last / 2), last])].map((index) =>
    text(shortened(labels[index] ?? '', 24, { at: 'letter' }), {
      x: x(index),
      y: bottom + 20,
      kind: 'q',
      anchor: labels.length === 1 ? 'middle' : index === 0 ? 'start' : index === last ? 'end' : 'middle',
    }),
  );
  const drawnLines = lines.map(({ name }, index) => {
    const points = (values[index] ?? []).map((value, at) => `${coordinate(x(at))} ${coordinate(y(value))}`);
    const colour = index % light.length;
    const dash = dashes[colour] === '' ? '' : ` stroke-dasharray="${dashes[colour]}"`;
    const key = {
      x: plot.left + (index % legendColumns) * (plotWidth / legendColumns),
      y: bottom + 44 + Math.floor(index / legendColumns) * 20,
    };
    const dots = (values[index] ?? []).map(
      (value, at) => `<circle class="f${colour}" cx="${coordinate(x(at))}" cy="${coordinate(y(value))}" r="2.5"/>`,
    );
    return [
      `<g><title>${escapeHtml(name)}</title>`,
      points.length > 1 ? `<path class="l s${colour}"${dash} d="M${points.join('L')}"/>` : '',
      ...(points.length > 48 ? [] : dots),
      `<path class="l s${colour}"${dash} d="M${coordinate(key.x)} ${key.y - 4}h22"/>`,
      text(shortened(name, 16, { at: 'letter' }), { x: key.x + 28, y: key.y, kind: 'q' }),
      '</g>',
    ].join('');
  });
  const legend = Math.ceil(lines.length / legendColumns) * 20;
  return picture(texts, bottom + 44 + legend, [...scale, ...labelledIndexes, ...drawnLines]);
}
