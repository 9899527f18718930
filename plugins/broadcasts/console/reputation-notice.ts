// The notice on pages of broadcasts while marketing mail is held or the reputation is at risk, with a link to the page of the reputation.
import type { ConsoleContext } from '../../../core/index.ts';
import { conclusion, type Html, html } from '../../../core/unstable.ts';

type Reputation = Awaited<ReturnType<ConsoleContext['calls']['reputation']['read']>>;

/** The reputation of the workspace; undefined if the person may not see it. */
export const readReputation = async (ctx: ConsoleContext): Promise<Reputation | undefined> =>
  ctx.mayCall('reputation.read') ? ctx.calls.reputation.read() : undefined;

/** The notice; null if marketing mail is not held and the reputation is not at risk. */
export function reputationNotice(ctx: ConsoleContext, reputation: Reputation | undefined): Html | null {
  if (reputation === undefined || reputation.state === 'ok') return null;
  const { state, history } = reputation;
  const reason = history.find((entry) => entry.state === state)?.note;
  const isHeld = state === 'held';
  const link = html`<a href="${ctx.link('reputation')}">${isHeld ? 'See what to do' : 'See the rates'}</a>`;
  return conclusion(
    isHeld ? 'bad' : 'wait',
    html`${isHeld ? 'Marketing mail is held.' : 'The reputation is at risk.'} ${link}`,
    reason,
  );
}
