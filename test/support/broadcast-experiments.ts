// Drafts with an experiment, for tests of broadcasts.
import type { BroadcastBench } from './broadcast-bench.ts';

/** Fields that replace the defaults of a draft */
export type DraftFields = Parameters<BroadcastBench['draft']>[0];

/** Two variants in half of the recipients, compared by clicks. */
export const twoVariants = {
  variants: [{ name: 'Plain' }, { name: 'Bold', subject: 'BIG news, {{name}}' }],
  samplePercent: 50,
  metric: 'human_clicks' as const,
  decideAfter: 'PT4H',
  minimum: 2,
};

/** The addresses of this number of readers */
export const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}@example.org`);

/** Creates a draft for this number of readers, with an experiment unless the fields replace it. Returns its id. */
export async function draftFor(bench: BroadcastBench, count: number, fields: DraftFields = {}): Promise<string> {
  const listId = await bench.list(people(count));
  return bench.draft({ audience: { include: [{ listId }] }, experiment: twoVariants, ...fields });
}

/** Creates a broadcast for this number of readers, and schedules it. Returns its id. */
export async function scheduledFor(bench: BroadcastBench, count: number, fields: DraftFields = {}): Promise<string> {
  const broadcastId = await draftFor(bench, count, fields);
  await bench.calls().broadcasts.schedule({ broadcastId });
  return broadcastId;
}
