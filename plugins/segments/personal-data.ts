// The watched segments whose stored contacts include a person. The core removes these rows when the person is erased.
import { type PersonalData, toIsoTime } from '../../core/index.ts';
import { storedSegmentsOf } from './watching/store.ts';

export const personalData: PersonalData = {
  async export({ trx }, { personId }, limit) {
    const storedSegments = personId === null ? [] : await storedSegmentsOf(trx, personId, limit);
    return {
      segment_memberships: storedSegments.map(({ segmentId, storedAt }) => ({
        segmentId,
        storedAt: toIsoTime(Number(storedAt)),
      })),
    };
  },
  erase: async () => 'done',
};
