// The inbox's part of exports and erasures: the messages to a person's addresses.
import type { PersonalData } from '../../core/index.ts';
import { presentItem } from './present.ts';
import { listMessages, removeMessages } from './store.ts';

/** The number of messages that one transaction removes. Sealed parts may be several megabytes. */
const batch = 50;

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }, limit) {
    const rows = await Promise.all(
      emails.map((toNormalised) => listMessages(handle, { toNormalised }, limit, undefined)),
    );
    const messages = rows.flat().sort((one, other) => other.created_at - one.created_at);
    return { messages: messages.slice(0, limit).map((row) => presentItem(row, undefined)) };
  },

  async erase({ trx }, { emails }) {
    let outcome: 'done' | 'more' = 'done';
    for (const toNormalised of emails) {
      const rows = await listMessages(trx, { toNormalised }, batch, undefined);
      await removeMessages(
        trx,
        rows.slice(0, batch).map(({ send_id: id }) => id),
      );
      if (rows.length > batch) outcome = 'more';
    }
    return outcome;
  },
};
