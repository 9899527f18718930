// The page: connects state, controller and components. Runs once, when the page is loaded.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused, showPage, titleWindow, WorkspacePicker } from '../../../core/pages/browser/console.ts';
import { html, type Markup } from '../../../core/pages/browser/markup.ts';
import { SearchField, useFocusKept } from '../../../core/pages/browser/search-field.ts';
import type { LinkDetails } from '../console/wire.ts';
import type { CardKey } from '../rollups/card.ts';
import type { LinkResource } from '../schema.ts';
import { Bars, Timeline, TimelineTable } from './charts.ts';
import { createController, type LinksController } from './controller.ts';
import { emptyState, type LinksState, spans } from './state.ts';

interface LinksPageProps {
  readonly state: LinksState;
  readonly controller: LinksController;
}

const timeForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const time = (iso: string): Markup => html`<time datetime=${iso}>${timeForm.format(new Date(iso))}</time>`;

const statuses = {
  active: { text: 'Active', tone: 'good' },
  scheduled: { text: 'Not yet live', tone: 'slow' },
  expired: { text: 'Expired', tone: 'bad' },
  archived: { text: 'Archived', tone: 'plain' },
  disabled: { text: 'Disabled', tone: 'bad' },
} as const;

const Status = ({ link }: { readonly link: LinkResource }): Markup => html`
  <span class=${`status ${statuses[link.status].tone}`}>${statuses[link.status].text}</span>
  ${link.sandbox ? html`<span class="unseen">, </span><span class="mark">Sandbox</span>` : null}
`;

const nameOf = ({ label, slug }: LinkResource): string => label ?? slug;

/** The short URL without its scheme. */
const shortOf = ({ redirectUrl }: LinkResource): string => redirectUrl.replace(/^https?:\/\//, '');

function foundWords({ search, links, cursor, isOutdated }: LinksState): string {
  if (search === '' || links === undefined || links.length === 0 || isOutdated) return '';
  const count = `${links.length}${cursor === null ? '' : ' or more'}`;
  return `${count} ${count === '1' ? 'link' : 'links'} found.`;
}

function Side({ state, controller }: LinksPageProps): Markup {
  const { workspaces, links, cursor } = state;
  const place = useRef<HTMLElement>(null);
  useFocusKept(place);
  return html`
    <nav class="side" aria-label="Links" ref=${place}>
      <h1>Links</h1>
      <${WorkspacePicker} workspaces=${workspaces?.data} value=${state.workspace} set=${(id: string) => controller.go({ workspace: id })} />
      <${SearchField} name="picker" label="Search" isLabelUnseen=${true} placeholder="Search links" value=${state.search} set=${controller.search} found=${foundWords(state)} />
      <ul class="choices links">
        ${links?.map(
          (link) => html`
            <li key=${link.linkId}>
              <button type="button" aria-current=${String(link.linkId === state.link)} onClick=${() => controller.go({ link: link.linkId })}>
                <span class="top"><b dir="auto">${nameOf(link)}</b> <span class="number">${link.clicks.total.toLocaleString()}<span class="unseen"> clicks</span></span></span>${' '}
                <span class="hush">${shortOf(link)}</span>${' '}
                ${link.status === 'active' && !link.sandbox ? null : html`<span><${Status} link=${link} /></span>`}
              </button>
            </li>
          `,
        )}
      </ul>
      <p class="hush" role="status">${links?.length === 0 ? (state.search === '' ? 'This workspace has no links yet.' : 'No link matches.') : ''}</p>
      ${cursor === null ? null : html`<button type="button" class="button" onClick=${() => controller.loadMore()}>Older ones</button>`}
    </nav>
  `;
}

const titles: Readonly<Record<CardKey, string>> = {
  overview: 'Overview',
  timeseries: 'Clicks by day',
  countries: 'Countries',
  cities: 'Cities',
  referrers: 'Referrers',
  devices: 'Devices',
  browsers: 'Browsers',
  platforms: 'Platforms',
  utm: 'UTM',
  qr: 'QR code or link',
};

const ruleWords = (count: number): string => (count === 0 ? '' : ` ${count} route rule${count === 1 ? '' : 's'}.`);

function Facts({ details: { link, abuseReason } }: { readonly details: LinkDetails }): Markup {
  const { clicks } = link;
  const figures = [
    { name: 'Clicks, all time', value: clicks.total },
    { name: 'Unique, all time', value: clicks.unique },
    { name: 'Bots, all time', value: clicks.bots },
  ];
  return html`
    <header class="facts">
      <h2 dir="auto">${nameOf(link)}</h2>
      <p><${Status} link=${link} /> <a href=${link.redirectUrl} rel="noreferrer">${shortOf(link)}</a></p>
      <p class="hush">leads to <span class="destination">${link.destinationUrl}</span></p>
      <p class="hush">
        Created ${time(link.createdAt)}.
        ${link.expiresAt === null ? null : html` Ends ${time(link.expiresAt)}.`}
        ${link.hasPassword ? ' Has a password.' : ''}
        ${ruleWords(link.routeRules.length)}
      </p>
      ${abuseReason === null ? null : html`<p class="warning" dir="auto">${link.status === 'disabled' ? 'Held back: ' : 'Reported: '}${abuseReason}</p>`}
      <dl class="figures">
        ${figures.map(({ name, value }) => html`<div key=${name}><dt>${name}</dt><dd>${value.toLocaleString()}</dd></div>`)}
        <div><dt>Last click</dt><dd class="small">${clicks.lastAt === null ? 'none yet' : time(clicks.lastAt)}</dd></div>
      </dl>
    </header>
  `;
}

function Cards({ state, controller, details }: LinksPageProps & { readonly details: LinkDetails }): Markup {
  const rowsOf = (key: CardKey) => details.cards.find((card) => card.key === key)?.rows ?? [];
  const others = details.cards.filter(({ key }) => key !== 'overview' && key !== 'timeseries');
  const filled = others.filter(({ rows }) => rows.length > 0);
  return html`
    <div class="segments" role="group" aria-label="Days">
      ${spans.map((days) => html`<button type="button" key=${days} aria-pressed=${String(days === state.days)} onClick=${() => controller.go({ days })}>${days} days</button>`)}
    </div>
    <section class="card wide">
      <h3>${titles.timeseries}</h3>
      <${Timeline} rows=${rowsOf('timeseries')} />
      <p class="legend hush"><span class="key unique"></span> unique visitors of the day <span class="key clicks"></span> further clicks</p>
      <${TimelineTable} rows=${rowsOf('timeseries')} />
    </section>
    ${filled.length === 0 ? html`<p class="hush">No clicks in these days yet.</p>` : null}
    <div class="cards">
      ${filled.map(({ key, rows }) => html`<section class="card" key=${key}><h3>${titles[key]}</h3><${Bars} rows=${rows} /></section>`)}
    </div>
  `;
}

/** Why no link is shown. */
function absence({ isGone, link, links, search }: LinksState): string {
  if (isGone) return `There is no link ${link}, or it was deleted.`;
  if (links?.length !== 0) return 'Reading …';
  return search === ''
    ? 'Create a link with POST /v1/links. Its clicks appear here.'
    : 'Search for another word, or for nothing to see all links.';
}

function Page(): Markup {
  const [state, setState] = useState(emptyState);
  const [controller] = useState(() => createController(setState));
  useEffect(() => controller.start(), []);
  const { details, workspaces, refusal } = state;
  titleWindow([details && nameOf(details.link), 'Links', workspaces?.service.name]);
  if (refusal !== undefined) return html`<${Refused} title="The links cannot be shown" reason=${refusal} />`;
  return html`
    <div class="console">
      <${Side} state=${state} controller=${controller} />
      <main>
        <p class="unseen" role="status">${details === undefined ? '' : `${nameOf(details.link)}, ${details.days} days.`}</p>
        ${state.online ? null : html`<p class="warning" role="status">The service cannot be reached. Trying again …</p>`}
        ${
          details === undefined
            ? html`<p class="hush">${absence(state)}</p>`
            : html`<${Facts} details=${details} /><${Cards} state=${state} controller=${controller} details=${details} />`
        }
      </main>
    </div>
  `;
}

showPage('links-console', Page);
