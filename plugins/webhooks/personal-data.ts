// The webhooks plugin's part of erasures: receivers' responses to events about a person. The core erases the events.
import type { PersonalData } from '../../core/index.ts';
import { eventsToErase } from '../../core/unstable.ts';
import { eraseResponses, sweepResponses } from './erase-responses.ts';
import { eraseAgainLater } from './jobs/erase-responses-again.ts';

export const personalData: PersonalData = {
  // The core exports the events.
  export: async () => ({}),

  async erase({ trx, enqueue, now }, subject) {
    const eventIds = await eventsToErase(trx, subject);
    const mustRunAgain = eventIds.length > 0 && (await eraseResponses(trx, eventIds));
    if (mustRunAgain) enqueue(eraseAgainLater(eventIds, now));
    return 'done';
  },

  sweep: sweepResponses,
};
