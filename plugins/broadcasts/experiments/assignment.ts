// Decides which recipients are in the sample of an experiment, and which variant each of them gets. Pure.
import type { BroadcastRow } from '../broadcasts.ts';
import { draw } from '../draw.ts';
import type { RecipientRow } from '../tables.ts';

/** The first state of a recipient, and its variant. Outside the sample, it waits for the decision. */
export function assignmentOf(
  { id, experiment }: Pick<BroadcastRow, 'id' | 'experiment'>,
  contactId: string,
): Pick<RecipientRow, 'variant'> & { readonly state: 'waiting' | 'undecided' } {
  if (experiment === null) return { state: 'waiting', variant: null };
  const { variants, samplePercent } = experiment;
  if (draw(id, contactId, 'sample') >= samplePercent / 100) return { state: 'undecided', variant: null };
  const variant = variants[Math.floor(draw(id, contactId, 'variant') * variants.length)];
  return { state: 'waiting', variant: variant?.name ?? null };
}
