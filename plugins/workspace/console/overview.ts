// The part of the console's overview about the workspace: its plan, its sends of this month, and its remaining credits.
import type { ConsoleContext } from '../../../core/index.ts';
import { facts, type Html, html, panel } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';
import { countText } from './words.ts';

async function usage({ calls, link }: ConsoleContext): Promise<Html> {
  const { plan, limits, usage: used } = await calls.workspace.read();
  return panel(
    'This month',
    html`${facts([
      ['Plan', plan],
      ['Sends', `${countText(used.sends_this_month)} of ${countText(limits.monthly_send_budget).toLowerCase()}`],
      ['Credits left', countText(used.credits_balance)],
    ])}<p><a href="${link('plan')}">Plan and limits</a></p>`,
  );
}

export const overviewPart: OverviewPart = { scopes: ['workspace:read'], render: usage };
