// The page of the reputation in the console: whether marketing mail is held, the reason, and the form that releases it.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  dataTable,
  emptyNotice,
  type Html,
  html,
  moment,
  pill,
} from '../../../core/unstable.ts';
import type { Reputation } from '../schema.ts';
import { percent, stateWords } from './words.ts';

type State = Reputation['state'];

const kindWords = { complaints: 'Complaints', hard_bounces: 'Hard bounces' } as const;
const windowWords = { '1h': '1 hour', '24h': '24 hours' } as const;
const byWords: Readonly<Record<string, string>> = { system: 'The guard', service: 'The program' };

const sentences: Readonly<Record<State, readonly [sentence: string, detail: string]>> = {
  ok: ['Marketing mail goes on.', 'A rate counts only after enough mail was sent.'],
  warned: [
    'The rates are high, and marketing mail goes on.',
    'If the rates rise further, it is held. Check where the addresses of the last mailings came from.',
  ],
  held: [
    'Marketing mail is held, and broadcasts are paused.',
    'Receipts, login codes and other mail that people wait for goes on. First remove what caused it: delete the imported list, or stop the campaign. Then release marketing mail with a note.',
  ],
};

const releaseForm = (ctx: ConsoleContext): Html =>
  actionForm(ctx, 'release', {
    label: 'Release marketing mail',
    question:
      'All waiting marketing mail of this workspace is sent within 15 minutes, and the rates start again from zero. Paused broadcasts stay paused until they are resumed.',
    verb: 'Release marketing mail',
    isDestructive: true,
    inputs: [
      {
        name: 'note',
        label: 'What was wrong, and what you changed',
        isLong: true,
        isRequired: true,
        maxLength: 2_000,
      },
    ],
  });

/** Releases marketing mail in the name of the person. */
export const releaseAction: ConsoleAction = {
  done: 'Marketing mail was released. Waiting mail is sent within 15 minutes.',
  async run({ calls }, { idempotencyKey, fields: { note = '' } }) {
    await calls.reputation.release({ note }, { idempotencyKey });
  },
};

function rates({ windows }: Reputation): Html {
  const figures = ['Handed over', 'Faulty', 'Rate', 'Warns from', 'Holds from'];
  const rows = windows.map(({ domain, kind, window, handedOver, faults, rate, warn, hold }) => [
    domain ?? 'The workspace',
    `${kindWords[kind]}, ${windowWords[window]}`,
    handedOver,
    faults,
    handedOver === 0 ? '–' : percent(rate),
    percent(warn),
    percent(hold),
  ]);
  const columns = ['Sender', 'Faults', ...figures.map((head) => ({ head, isNumber: true }))];
  return html`<section class="stack"><h2>Rates</h2>${dataTable('Rates of the last hour and the last 24 hours', columns, rows)}</section>`;
}

function changes(ctx: ConsoleContext, { history }: Reputation): Html | null {
  if (history.length === 0) return null;
  const rows = history.map(({ at, state, by, note }) => [
    pill(...stateWords[state]),
    html`<span dir="auto">${note}</span>`,
    byWords[by] ?? by,
    moment(at, ctx),
  ]);
  return html`<section class="stack"><h2>Changes</h2>${dataTable('Changes of the state', ['State', 'Why', 'By', 'When'], rows)}</section>`;
}

/** A link to the broadcasts that a person must resume after a release. */
const pausedLink = (ctx: ConsoleContext, { history }: Reputation): Html | null =>
  history.length > 0 && ctx.mayCall('broadcasts.list')
    ? html`<p><a href="${ctx.link('broadcasts', { status: 'paused' })}">Paused broadcasts</a></p>`
    : null;

/** The page. */
export async function reputationPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const heading = 'Reputation';
  if (ctx.side === 'sandbox')
    return {
      heading,
      body: emptyNotice('Mail of the sandbox reaches nobody, so only the live side has a reputation.'),
    };
  const reputation = await ctx.calls.reputation.read();
  const { state } = reputation;
  const [words, tone] = stateWords[state];
  const main = [
    conclusion(tone, ...sentences[state]),
    state === 'held' && ctx.mayCall('reputation.release') ? releaseForm(ctx) : null,
    pausedLink(ctx, reputation),
    rates(reputation),
    changes(ctx, reputation),
  ];
  return { heading, status: pill(words, tone), body: html`<div class="stack">${main}</div>` };
}
