// Drafts with an experiment, for tests of broadcasts.
import type { BroadcastBench } from './broadcast-bench.ts';

/** What a draft may say otherwise. */
export type DraftFields = Parameters<BroadcastBench['draft']>[0];

/** Two variants in half of the recipients, compared by clicks. */
export const twoVariants = {
  variants: [{ name: 'Plain' }, { name: 'Bold', subject: 'BIG news, {{name}}' }],
  samplePercent: 50,
  metric: 'human_clicks' as const,
  decideAfter: 'PT4H',
  minimum: 2,
};

/** So many addresses of readers. */
export const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}@example.org`);

/** A draft to so many readers, with an experiment unless the fields say otherwise. */
export async function draftFor(bench: BroadcastBench, count: number, fields: DraftFields = {}): Promise<string> {
  const listId = await bench.list(people(count));
  return bench.draft({ audience: { include: [{ listId }] }, experiment: twoVariants, ...fields });
}

/** The same, scheduled. */
export async function scheduledFor(bench: BroadcastBench, count: number, fields: DraftFields = {}): Promise<string> {
  const broadcastId = await draftFor(bench, count, fields);
  await bench.calls().broadcasts.schedule({ broadcastId });
  return broadcastId;
}
