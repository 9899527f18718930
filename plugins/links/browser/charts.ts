// Charts as SVG: clicks by day, and values with bars. Sizes are attributes, because the page allows no inline style. Each chart
// has its numbers as text, too.
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import type { AnalyticsCardRow } from '../rollups/card.ts';

const dayForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const shortForm = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const atNoon = (day: string): Date => new Date(`${day}T12:00:00Z`);

/** A round number at or above the highest column. */
export function scaleOf(highest: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, highest))));
  return [1, 2, 5, 10].map((factor) => factor * step).find((top) => top >= highest) ?? highest;
}

const width = 720;
const height = 180;
const left = 40;
const bottom = 30;
const top = 8;

/** Clicks by day: columns of clicks, with the unique ones in a stronger colour. */
export function Timeline({ rows }: { readonly rows: readonly AnalyticsCardRow[] }): Markup {
  const scale = scaleOf(Math.max(0, ...rows.map(({ clicks }) => clicks)));
  const room = height - bottom - top;
  const tall = (count: number): number => (count / scale) * room;
  const step = (width - left) / Math.max(1, rows.length);
  const thick = Math.max(1, step * 0.72);
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  const marks = rows.length <= 1 ? [0] : [0, Math.floor((rows.length - 1) / 2), rows.length - 1];
  const label = `${total.toLocaleString()} clicks in ${rows.length} days`;
  return html`
    <svg class="timeline" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
      ${[0, 0.5, 1].map((part) => {
        const y = top + room - part * room;
        return html`
          <g key=${part}>
            <line class="rule" x1=${left} x2=${width} y1=${y} y2=${y} />
            <text class="tick" x=${left - 6} y=${y + 4} text-anchor="end">${part === 0.5 && scale < 2 ? '' : (part * scale).toLocaleString()}</text>
          </g>
        `;
      })}
      ${rows.map(({ value, clicks, unique }, index) => {
        const x = left + index * step + (step - thick) / 2;
        const title = `${dayForm.format(atNoon(value))}: ${clicks.toLocaleString()} clicks, ${unique.toLocaleString()} unique`;
        return html`
          <g key=${value} class="day">
            <title>${title}</title>
            <rect class="reach" x=${left + index * step} y=${top} width=${step} height=${room} />
            <rect class="clicks" x=${x} y=${top + room - tall(clicks)} width=${thick} height=${tall(clicks)} />
            <rect class="unique" x=${x} y=${top + room - tall(unique)} width=${thick} height=${tall(unique)} />
          </g>
        `;
      })}
      ${marks.map((index, at) => {
        const day = rows[index]?.value;
        const anchor = at === 0 ? 'start' : at === marks.length - 1 ? 'end' : 'middle';
        const x = at === 0 ? left : at === marks.length - 1 ? width : left + (index + 0.5) * step;
        return day === undefined
          ? null
          : html`<text key=${`mark${at}`} class="tick" x=${x} y=${height - 5} text-anchor=${anchor}>${shortForm.format(atNoon(day))}</text>`;
      })}
    </svg>
  `;
}

/** The counts of the timeline as a table: for screen readers, and to copy. */
export const TimelineTable = ({ rows }: { readonly rows: readonly AnalyticsCardRow[] }): Markup => html`
  <details class="by-day">
    <summary>The counts as a table</summary>
    <table>
      <thead><tr><th scope="col">Day</th><th scope="col">Clicks</th><th scope="col">Unique</th></tr></thead>
      <tbody>
        ${rows.map(
          ({ value, clicks, unique }) => html`
            <tr key=${value}><th scope="row">${dayForm.format(atNoon(value))}</th><td>${clicks.toLocaleString()}</td><td>${unique.toLocaleString()}</td></tr>
          `,
        )}
      </tbody>
    </table>
  </details>
`;

/** The maximum number of values that a card shows. */
const max = 8;

/** The most frequent values, each with a bar and its number. */
export function Bars({ rows }: { readonly rows: readonly AnalyticsCardRow[] }): Markup {
  const highest = Math.max(1, ...rows.map(({ clicks }) => clicks));
  const rest = rows.slice(max).reduce((sum, { clicks }) => sum + clicks, 0);
  return html`
    <ul class="bars">
      ${rows.slice(0, max).map(
        ({ value, field, clicks, unique }) => html`
          <li key=${`${field ?? ''} ${value}`} title=${`${clicks.toLocaleString()} clicks, ${unique.toLocaleString()} unique`}>
            <span class="value" dir="auto">${field === undefined ? null : html`<span class="hush">${field} </span>`}${value}</span>
            <span class="number">${clicks.toLocaleString()}</span>
            <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect class="ground" width="100" height="4" />
              <rect class="clicks" width=${(clicks / highest) * 100} height="4" />
            </svg>
          </li>
        `,
      )}
    </ul>
    ${rest === 0 ? null : html`<p class="hush">${rest.toLocaleString()} more of ${rows.length - max} others</p>`}
  `;
}
