// The reputation in the overview of the console: its state, and the counts of the last 24 hours.
import type { ConsoleContext } from '../../../core/index.ts';
import { facts, type Html, html, panel, pill } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';
import { percent, stateWords } from './words.ts';

async function state(ctx: ConsoleContext): Promise<Html | null> {
  if (ctx.side === 'sandbox') return null;
  const reputation = await ctx.calls.reputation.read();
  const day = reputation.windows.filter(({ domain, window }) => domain === null && window === '24h');
  const rateOf = (wanted: 'complaints' | 'hard_bounces'): string | undefined => {
    const rateWindow = day.find(({ kind }) => kind === wanted);
    return rateWindow === undefined || rateWindow.handedOver === 0 ? undefined : percent(rateWindow.rate);
  };
  const known = facts([
    ['State', pill(...stateWords[reputation.state])],
    ['Hard bounces, 24 hours', rateOf('hard_bounces')],
    ['Complaints, 24 hours', rateOf('complaints')],
  ]);
  return panel('Reputation', html`${known}<p><a href="${ctx.link('reputation')}">Rates and changes</a></p>`);
}

export const overviewPart: OverviewPart = { scopes: ['sends:read'], render: state };
