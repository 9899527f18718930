// The second gate: the slots, each with a channel, a time, a theme and an idea.
import { type JobContext, z } from '../../../core/index.ts';
import { maxSlots } from '../runs/schema.ts';
import type { PlanRunRow, Slot, Theme } from '../runs/tables.ts';
import { atLeastOneHourAhead, momentIn } from '../runs/week.ts';
import { gatePrompt, instructionsOf, type PlanKnowledge, plannedEntriesText } from './knowledge.ts';

const slotsForm = z.strictObject({
  slots: z
    .array(
      z.strictObject({
        channel: z.string().max(60),
        day: z.int().min(0).max(6).describe('0 is Monday.'),
        time: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
          .describe('HH:MM by the clock of the time zone.'),
        theme: z.int().min(0).describe('The position of its theme: the first is 0.'),
        idea: z.string().min(1).max(500).describe('What the post says, in a sentence or two.'),
      }),
    )
    .min(1)
    .max(maxSlots),
});
type SlotsReply = z.output<typeof slotsForm>;

/** The approved themes of a run. */
const themesOf = ({ gates }: PlanRunRow): readonly Theme[] => gates.themes.proposal ?? [];

/** `count` evenly spread days, from Monday to Friday if these are enough. */
function daysOf(count: number, firstDay: number): readonly number[] {
  const allDays = [0, 1, 2, 3, 4, 5, 6].filter((day) => day >= Math.min(firstDay, 6));
  const working = allDays.filter((day) => day < 5);
  const days = working.length >= count ? working : allDays;
  return Array.from({ length: count }, (_, index) => {
    const dayIndex = count === 1 ? 0 : Math.round((index * (days.length - 1)) / (count - 1));
    return days[dayIndex] ?? 6;
  });
}

const hours = ['10:00', '13:00', '16:00', '18:00', '09:00', '11:00', '15:00'];

/** The slots if there is no model: each channel on evenly spread days, with the themes in turn. */
function embeddedSlots(run: PlanRunRow, { firstDay }: PlanKnowledge): SlotsReply {
  const themes = themesOf(run);
  const slots: SlotsReply['slots'] = [];
  for (const channel of run.channels) {
    const postsByDay = new Map<number, number>();
    for (const day of daysOf(run.posts_per_channel, firstDay)) {
      const before = postsByDay.get(day) ?? 0;
      postsByDay.set(day, before + 1);
      const theme = slots.length % themes.length;
      slots.push({ channel, day, time: hours[before] ?? '10:00', theme, idea: themes[theme]?.title ?? run.week_of });
    }
  }
  return { slots };
}

/** The faults of an answer. */
function faultsOf({ slots }: SlotsReply, run: PlanRunRow, { firstDay }: PlanKnowledge): string[] {
  const themes = themesOf(run);
  const counted = run.channels.flatMap((channel) => {
    const count = slots.filter((slot) => slot.channel === channel).length;
    return count === run.posts_per_channel
      ? []
      : [`slots: ${channel} has ${count} slots, and ${run.posts_per_channel} are wanted.`];
  });
  const single = slots.flatMap(({ channel, day, theme }, index) => [
    ...(run.channels.includes(channel) ? [] : [`slots.${index}.channel: the run has no channel ${channel}.`]),
    ...(themes[theme] === undefined ? [`slots.${index}.theme: there is no theme ${theme}.`] : []),
    ...(day < Math.min(firstDay, 6) ? [`slots.${index}.day: this day has passed.`] : []),
  ]);
  return [...counted, ...single];
}

/** Proposes the slots, earliest first. @throws compose_failed, provider_timeout */
export async function planSlots(
  ctx: JobContext,
  run: PlanRunRow,
  knowledge: PlanKnowledge,
  now: number,
): Promise<readonly Slot[]> {
  const themes = themesOf(run);
  const { slots } = await ctx.services.writer.write(ctx, {
    kind: 'content_plan_slots',
    what: 'the slots',
    form: slotsForm,
    instructions: instructionsOf(run, knowledge, [
      `Propose ${run.posts_per_channel} posts for each channel: a day, a time at which its readers are there, a theme and an idea. Spread them over the week, and leave room around what is in the plan already.`,
      `Days before ${Math.min(knowledge.firstDay, 6)} have passed: 0 is Monday.`,
    ]),
    // People may have edited the themes, and third parties wrote the news behind them. So the themes belong to the brief, not to the
    // instructions.
    brief: [
      gatePrompt(run, 'slots'),
      `The approved themes, in order: ${JSON.stringify(themes.map(({ title, reason }) => ({ title, reason })))}`,
      plannedEntriesText(knowledge),
    ].join('\n\n'),
    faultsOf: (answer) => faultsOf(answer, run, knowledge),
    embedded: () => embeddedSlots(run, knowledge),
  });
  return slots
    .map(({ channel, day, time, theme, idea }) => ({
      channel,
      at: atLeastOneHourAhead(momentIn(run, day, time), now),
      theme: themes[theme]?.id ?? '',
      idea,
    }))
    .sort((a, b) => a.at - b.at)
    .map((slot, index) => ({ id: `s${index + 1}`, ...slot }));
}
