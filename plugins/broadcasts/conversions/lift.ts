// The effect of a broadcast: the share of contacts who convert with the mail, minus the share without it. Every assigned contact counts,
// mailed or not, because contacts who can be mailed differ from all contacts, and the holdout contains both.
// The 95 % interval of the difference is Newcombe's hybrid score interval without continuity correction (R. G. Newcombe, "Interval
// estimation for the difference between independent proportions", Statistics in Medicine 17, 1998, method 10), from the intervals of
// E. B. Wilson (1927) of both shares. Pure except for reading the counts.
import { type WorkspaceHandle, z } from '../../../core/index.ts';
import { sumsOf } from '../tallies.ts';

/** The quantile of the normal distribution for 95 %, two-sided. */
const quantile = 1.959963984540054;

/** The contacts of a group, and how many of them converted. */
export interface ConvertedGroup {
  readonly converted: number;
  readonly assigned: number;
}

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const shareOf = ({ converted, assigned }: ConvertedGroup): number => (assigned === 0 ? 0 : converted / assigned);

/** Wilson's interval of a share. It needs at least one trial. */
function wilson(proportion: ConvertedGroup): Interval {
  const { assigned: trials } = proportion;
  const share = shareOf(proportion);
  const square = quantile ** 2;
  const centre = share + square / (2 * trials);
  const spread = quantile * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials ** 2));
  const whole = 1 + square / trials;
  return { low: Math.max(0, (centre - spread) / whole), high: Math.min(1, (centre + spread) / whole) };
}

/** The interval of the first share minus the second share. Both groups need at least one contact. */
export function differenceInterval(one: ConvertedGroup, other: ConvertedGroup): Interval {
  const difference = shareOf(one) - shareOf(other);
  const [first, second] = [wilson(one), wilson(other)];
  return {
    low: difference - Math.hypot(shareOf(one) - first.low, second.high - shareOf(other)),
    high: difference + Math.hypot(first.high - shareOf(one), shareOf(other) - second.low),
  };
}

const count = z.int().min(0);
const group = z.object({
  assigned: count.describe('Contacts whose mail was due, whether or not they got it.'),
  converted: count.describe('Contacts with at least one conversion within the set time after their turn.'),
  share: z.number().min(0).max(1),
});

export const liftSchema = z
  .object({
    mail: group.describe('Contacts who were to get the mail.'),
    holdout: group.describe('Contacts who were held out.'),
    difference: z.number().describe('The share with mail minus the share of the holdout: 0.02 means 2 in 100 more.'),
    low: z.number().describe('The lower end of the 95 % interval of the difference (Newcombe 1998, method 10).'),
    high: z.number().describe('Its upper end. An interval that contains 0 shows no effect.'),
  })
  .nullable()
  .describe('The effect of the broadcast; null without a holdout, and before both groups had a turn.')
  .meta({ id: 'BroadcastLift' });

export type Lift = z.output<typeof liftSchema>;

/** The effect from the counts of both groups; null if one of them is empty. */
export function liftOf(mail: ConvertedGroup, holdout: ConvertedGroup): Lift {
  if (mail.assigned === 0 || holdout.assigned === 0) return null;
  const withShare = (one: ConvertedGroup) => ({ ...one, share: shareOf(one) });
  const difference = shareOf(mail) - shareOf(holdout);
  return { mail: withShare(mail), holdout: withShare(holdout), difference, ...differenceInterval(mail, holdout) };
}

/** The effect of a broadcast. */
export async function readLift(handle: WorkspaceHandle, broadcastId: string): Promise<Lift> {
  const sums = await sumsOf(handle, [broadcastId]);
  const read = (name: 'mail' | 'holdout'): ConvertedGroup => ({
    assigned: sums(broadcastId, `assigned.${name}`),
    converted: sums(broadcastId, `responded.${name}`),
  });
  return liftOf(read('mail'), read('holdout'));
}
