// What the pages of broadcasts say while marketing mail is held or was warned about, with the way to the page of the reputation.
import type { ConsoleContext } from '../../../core/index.ts';
import { conclusion, type Html, html } from '../../../core/unstable.ts';

type Reputation = Awaited<ReturnType<ConsoleContext['calls']['reputation']['read']>>;

/** The reputation of the workspace; undefined if the person may not see it. */
export const readReputation = async (ctx: ConsoleContext): Promise<Reputation | undefined> =>
  ctx.mayCall('reputation.read') ? ctx.calls.reputation.read() : undefined;

/** Null if all is well. */
export function reputationNotice(ctx: ConsoleContext, reputation: Reputation | undefined): Html | null {
  if (reputation === undefined || reputation.state === 'ok') return null;
  const { state, history } = reputation;
  const why = history.find((entry) => entry.state === state)?.note;
  const isHeld = state === 'held';
  const way = html`<a href="${ctx.link('reputation')}">${isHeld ? 'See what to do' : 'See the rates'}</a>`;
  return conclusion(
    isHeld ? 'bad' : 'wait',
    html`${isHeld ? 'Marketing mail is held.' : 'The reputation is at risk.'} ${way}`,
    why,
  );
}
