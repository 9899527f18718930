// The facts of the guard about recipients of marketing mail: whether the mail of the workspace is held.
import { normaliseAddress } from '../../core/index.ts';
import type { MarketingFacts, MarketingFactsSource } from '../email/index.ts';

/** Adds the holds of the reputation guard to the decision about marketing mail. */
export const createHoldFacts = (): MarketingFactsSource => ({
  async factsOf({ services, trx }, { recipients }) {
    const facts = new Map<string, MarketingFacts>();
    if (recipients.length === 0 || !(await services.reputation.isHeld(trx))) return facts;
    for (const { email } of recipients) facts.set(normaliseAddress(email), { hold: true });
    return facts;
  },
});
