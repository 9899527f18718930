// The watched segments in which a person is stored. The core removes these rows when the person is erased.
import { type PersonalData, toIsoTime } from '../../core/index.ts';
import { storedSegmentsOf } from './watching/store.ts';

export const personalData: PersonalData = {
  async export({ trx }, { personId }, limit) {
    const found = personId === null ? [] : await storedSegmentsOf(trx, personId, limit);
    return {
      segment_memberships: found.map(({ segmentId, storedAt }) => ({
        segmentId,
        storedAt: toIsoTime(Number(storedAt)),
      })),
    };
  },
  erase: async () => 'done',
};
