// What deliveries know of a person: what receivers answered to events about them. The bodies are the core's, which forgets
// them.
import type { PersonalData } from '../../core/index.ts';
import { eventsToErase } from '../../core/unstable.ts';
import { eraseAnswers, sweepAnswers } from './answers.ts';
import { forgetLater } from './jobs/forget-answers.ts';

export const personalData: PersonalData = {
  // The events are in the core's part.
  export: async () => ({}),

  async erase({ trx, enqueue, now }, subject) {
    const eventIds = await eventsToErase(trx, subject);
    if (eventIds.length > 0 && (await eraseAnswers(trx, eventIds))) enqueue(forgetLater(eventIds, now));
    return 'done';
  },

  sweep: sweepAnswers,
};
