// The webhooks plugin's part of erasures: receivers' responses to events about a person. The core erases the events.
import type { PersonalData } from '../../core/index.ts';
import { eventsToErase } from '../../core/unstable.ts';
import { eraseAnswers, sweepAnswers } from './answers.ts';
import { forgetLater } from './jobs/forget-answers.ts';

export const personalData: PersonalData = {
  // The core exports the events.
  export: async () => ({}),

  async erase({ trx, enqueue, now }, subject) {
    const eventIds = await eventsToErase(trx, subject);
    if (eventIds.length > 0 && (await eraseAnswers(trx, eventIds))) enqueue(forgetLater(eventIds, now));
    return 'done';
  },

  sweep: sweepAnswers,
};
