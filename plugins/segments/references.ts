// Finds the segments that refer to a list or a topic before it is deleted: the entries of `lists.references` and
// `topics.references`.
import type { ReferenceSource } from '../../core/index.ts';
import { listsIn, type SegmentFilter, topicsIn } from './filter-schema.ts';
import { maxSegments, segmentRows } from './segments.ts';

const createReferences = (namesIn: (filter: SegmentFilter) => string[]) => (): ReferenceSource => ({
  async referencesTo({ trx }, name) {
    const rows = await segmentRows.page(trx, { limit: maxSegments });
    const referringSegments = rows.filter(({ filter }) => namesIn(filter).includes(name)).slice(0, 20);
    return referringSegments.map(({ name: segment }) => ({ kind: 'segment', name: segment }));
  },
});

export const createListReferences = createReferences(listsIn);
export const createTopicReferences = createReferences(topicsIn);
