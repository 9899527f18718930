// The inbox's part of exports and erasures: the messages to a person's addresses.
import type { PersonalData } from '../../core/index.ts';
import { presentItem } from './present.ts';
import { listMessages, removeMessages } from './store.ts';

/** The number of messages that one transaction removes. Sealed parts may be several megabytes. */
const batch = 50;

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }, limit) {
    const messages = await Promise.all(
      emails.map((toNormalised) => listMessages(handle, { toNormalised }, limit, undefined)),
    );
    return { messages: messages.flat().map((row) => presentItem(row, undefined)) };
  },

  async erase({ trx }, { emails }) {
    let outcome: 'done' | 'more' = 'done';
    for (const toNormalised of emails) {
      const rows = await listMessages(trx, { toNormalised }, batch, undefined);
      await removeMessages(
        trx,
        rows.map(({ send_id: id }) => id),
      );
      if (rows.length > batch) outcome = 'more';
    }
    return outcome;
  },
};
