// The page of the plan in the console: its limits, their usage, and the feature areas of the service.
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
  const usageFacts = facts([
    ['Sends this month (UTC)', countText(usage.sends_this_month)],
    ['Sends a month at most', countText(limits.monthly_send_budget)],
    ['Credits left', countText(usage.credits_balance)],
    ['Requests a minute at most, over all keys', countText(limits.rate_limit_per_minute)],
  ]);
  const areaList = html`<ul>${features.map((feature) => html`<li>${feature}</li>`)}</ul>`;
  const limitFacts = facts([
    ['Plan', plan],
    ['Workspace', name],
    ['Default sender', from.name === '' ? from.email : `${from.name} <${from.email}>`],
    ['Created', moment(created, ctx)],
    ['Id', idOfRow(id)],
  ]);
  return {
    heading: 'Plan and limits',
    body: detailLayout(
      [panel('Limits and usage', usageFacts), panel('Areas of this service', areaList)],
      panel('Workspace', limitFacts),
    ),
  };
}
