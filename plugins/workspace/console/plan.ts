// The page of the plan in the console: its limits, what is used of them, and the areas that the service has.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { detailLayout, facts, html, idOfRow, moment, panel } from '../../../core/unstable.ts';
import { countText } from './words.ts';

/** The plan. */
export async function planPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const {
    id,
    name,
    plan,
    limits,
    usage,
    default_from: from,
    features,
    created_at: created,
  } = await ctx.calls.workspace.read();
  const used = facts([
    ['Sends this month (UTC)', countText(usage.sends_this_month)],
    ['Sends a month at most', countText(limits.monthly_send_budget)],
    ['Credits left', countText(usage.credits_balance)],
    ['Requests a minute at most, over all keys', countText(limits.rate_limit_per_minute)],
  ]);
  const areas = html`<ul>${features.map((feature) => html`<li>${feature}</li>`)}</ul>`;
  const known = facts([
    ['Plan', plan],
    ['Workspace', name],
    ['Default sender', from.name === '' ? from.email : `${from.name} <${from.email}>`],
    ['Created', moment(created, ctx)],
    ['Id', idOfRow(id)],
  ]);
  return {
    heading: 'Plan and limits',
    body: detailLayout(
      [panel('Limits and usage', used), panel('Areas of this service', areas)],
      panel('Workspace', known),
    ),
  };
}
