// The third gate: the texts of the slots, in batches. Each batch is stored, so that after a crash a later attempt writes only the
// missing texts.
import type { JobContext } from '../../../core/index.ts';
import { contentOf } from '../runs/content.ts';
import type { Caption, PlanRunRow, Slot } from '../runs/tables.ts';
import { gatePrompt } from './knowledge.ts';

/** The number of texts per batch. */
const captionsPerBatch = 5;

/** The brief of one text. */
function briefOf(run: PlanRunRow, slot: Slot): string {
  const theme = run.gates.themes.proposal?.find(({ id }) => id === slot.theme);
  const themes = theme === undefined ? [] : [`The theme: ${theme.title}. ${theme.reason}`];
  return [`What the post says: ${slot.idea}`, ...themes, gatePrompt(run, 'captions', ({ id }) => id === slot.id)].join(
    '\n\n',
  );
}

/** The next batch of slots without a text. */
export function nextSlots({ gates, drafted }: PlanRunRow): readonly Slot[] {
  const writtenIds = new Set(drafted.map(({ id }) => id));
  return (gates.slots.proposal ?? []).filter(({ id }) => !writtenIds.has(id)).slice(0, captionsPerBatch);
}

/** Writes the texts of some slots. @throws compose_failed, provider_timeout, account_ambiguous */
export const writeCaptions = (ctx: JobContext, run: PlanRunRow, slots: readonly Slot[]): Promise<readonly Caption[]> =>
  Promise.all(
    slots.map(async (slot) => {
      const { caption } = await ctx.services.social.write(
        ctx,
        contentOf(ctx, run, slot),
        // If there is no model, the text has the facts of the idea, and placeholders for people to replace.
        (await ctx.services.writer.withoutModel(ctx)) ? slot.idea : briefOf(run, slot),
      );
      return { id: slot.id, channel: slot.channel, caption };
    }),
  );
