// What the overview of the console shows of the workspace: its plan, and what is left of it this month.
import type { ConsoleContext } from '../../../core/index.ts';
import { facts, type Html, panel } from '../../../core/unstable.ts';
import type { OverviewPart } from '../../console/index.ts';

const shown = (count: number | null): string => (count === null ? 'Unlimited' : count.toLocaleString('en-GB'));

async function usage({ calls }: ConsoleContext): Promise<Html> {
  const { plan, limits, usage: used } = await calls.workspace.read();
  return panel(
    'This month',
    facts([
      ['Plan', plan],
      ['Sends', `${shown(used.sends_this_month)} of ${shown(limits.monthly_send_budget).toLowerCase()}`],
      ['Credits left', shown(used.credits_balance)],
    ]),
  );
}

export const overviewPart: OverviewPart = { scopes: ['workspace:read'], render: usage };
