// The preferences of a person. Opt-outs by a link in a mail stay under the pseudonym of the address, so that they still hold.
import { type PersonalData, pseudonymOf, toIsoTime } from '../../core/index.ts';
import { isOptOutByLink } from './preference-by-link.ts';
import { removePreferences } from './store.ts';
import { preferenceRows } from './tables.ts';

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }, limit) {
    const storedAddresses = emails.flatMap((email) => [email, pseudonymOf(handle.workspaceId, email)]);
    const preferences = await preferenceRows.findIn(handle, 'email', storedAddresses);
    const newestFirst = preferences.sort((one, other) => other.at - one.at).slice(0, limit);
    return {
      topic_preferences: newestFirst.map(({ topic_key: topic, subscribed, source, consent_note: consentNote, at }) => ({
        topic,
        subscribed,
        source,
        consentNote,
        at: toIsoTime(at),
      })),
    };
  },

  async erase({ trx }, { emails }) {
    for (const email of emails) {
      const pseudonym = pseudonymOf(trx.workspaceId, email);
      const rows = await preferenceRows.findIn(trx, 'email', [email, pseudonym], 'update');
      const optOuts = new Map(rows.filter(isOptOutByLink).map((row) => [row.topic_key, row]));
      const topics = rows.map(({ topic_key: key }) => key);
      await removePreferences(trx, [email, pseudonym], topics);
      for (const row of optOuts.values())
        await preferenceRows.insert(trx, { ...row, email: pseudonym, consent_note: null });
    }
    return 'done';
  },
};
