// The broadcasts that name a list, a segment, a topic or a template, and are neither sent nor canceled.
import type { ReferenceSource } from '../../core/index.ts';
import type { BroadcastRow } from './broadcasts.ts';
import { templateKeysOf } from './experiments/variants.ts';
import type { AudiencePart } from './schema.ts';
import { openBroadcasts, openStates } from './store.ts';

const maxShown = 20;

const createReferences = (names: (row: BroadcastRow, id: string) => boolean) => (): ReferenceSource => ({
  async referencesTo({ trx }, id) {
    const broadcasts: BroadcastRow[] = [];
    // Lists, segments, topics and templates are shared by both sides.
    for (const side of [false, true]) broadcasts.push(...(await openBroadcasts(trx.onSide(side), openStates)));
    return broadcasts
      .filter((row) => names(row, id))
      .slice(0, maxShown)
      .map(({ name }) => ({ kind: 'broadcast', name }));
  },
});

const partsOf = ({ audience }: BroadcastRow): readonly AudiencePart[] => [
  ...(audience?.include ?? []),
  ...(audience?.exclude ?? []),
];

export const createListReferences = createReferences((row, id) =>
  partsOf(row).some((part) => 'listId' in part && part.listId === id),
);
export const createSegmentReferences = createReferences((row, id) =>
  partsOf(row).some((part) => 'segmentId' in part && part.segmentId === id),
);
export const createTopicReferences = createReferences(({ topic_key: topic }, key) => topic === key);
/** A draft does not keep a template from being archived: scheduling it reports the fault. */
export const createTemplateReferences = createReferences(
  (row, key) => row.status !== 'draft' && templateKeysOf(row).includes(key),
);
