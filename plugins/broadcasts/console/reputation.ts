// The reputation on the page of broadcasts: whether marketing mail is held, why, and how it is released.
import { type ConsoleLocation, chip, type Html, html, linkWithin, tableOf, timeOf } from '../../../core/unstable.ts';
import type { BroadcastView, PageCalls } from './page-calls.ts';
import { share } from './words.ts';

type Reputation = Awaited<ReturnType<PageCalls['reputation']['read']>>;
type State = Reputation['state'];

const stateWords: Readonly<Record<State, string>> = { ok: 'Good', warned: 'Warned', held: 'Held' };
const tones = { ok: 'good', warned: 'slow', held: 'bad' } as const;
const kindWords = { complaints: 'Complaints', hard_bounces: 'Hard bounces' } as const;
const windowWords = { '1h': '1 hour', '24h': '24 hours' } as const;
const byWords: Readonly<Record<string, string>> = { system: 'the guard', service: 'the program' };

const explanations: Readonly<Record<State, string>> = {
  ok: 'Marketing mail goes on.',
  warned:
    'Rates are high, and mail goes on. If they rise further, marketing mail is held: look at where the addresses of the last mailings came from.',
  held: 'Marketing mail waits, and broadcasts are paused. Receipts, login codes and other mail that people wait for goes on. First remove what caused it: delete the imported list, or stop the campaign. Then a member of the workspace releases the hold with a note (POST /v1/reputation/release), or the program does. After that, resume the paused broadcasts.',
};

/** A share from 0 to 1 as a percentage. */
const percent = (value: number): string => `${Number((value * 100).toFixed(2))} %`;

/** The line above the other views if mail is held or was warned about; null if all is well. */
export function reputationNotice(place: ConsoleLocation, { state, history }: Reputation): Html | null {
  if (state === 'ok') return null;
  const why = history.find((entry) => entry.state === state)?.note ?? '';
  const what = state === 'held' ? 'Marketing mail is held.' : 'The reputation is at risk.';
  return html`<p class="warning" role="status">${what} ${why} <a href="${linkWithin(place, { view: 'reputation' })}">${state === 'held' ? 'What to do' : 'More'}</a></p>`;
}

export function reputationView(place: ConsoleLocation, { state, windows, history }: Reputation): BroadcastView {
  const rates = tableOf(
    'Rates of the last hour and the last 24 hours',
    ['Sender', 'Faults', 'Mail of', 'Handed over', 'Faulty', 'Rate', 'Warns from', 'Holds from'],
    windows.map(({ domain, kind, window, handedOver, faults, warn, hold }) => [
      domain ?? 'the workspace',
      kindWords[kind],
      windowWords[window],
      handedOver,
      faults,
      share(faults, handedOver),
      percent(warn),
      percent(hold),
    ]),
  );
  const changes = tableOf(
    'Changes of the state, the newest first',
    ['When (UTC)', 'State', 'By', 'Why'],
    history.map((entry) => [
      timeOf(Date.parse(entry.at)),
      chip(stateWords[entry.state], tones[entry.state]),
      byWords[entry.by] ?? entry.by,
      html`<span dir="auto">${entry.note}</span>`,
    ]),
  );
  const body = html`<p><a href="${linkWithin(place)}">All broadcasts</a></p><h1>Reputation</h1><p>${chip(stateWords[state], tones[state])} ${explanations[state]}</p>${rates}${history.length === 0 ? null : changes}`;
  return { about: 'Reputation', body };
}
