// Adds to the decision about marketing mail whether each recipient is subscribed to the topic of the mail.
import type { MarketingFacts, MarketingFactsSource } from '../email/index.ts';

/** If the topic of the mail was deleted, it excludes no recipient. */
export const createTopicFacts = (): MarketingFactsSource => ({
  async factsOf({ services, trx }, { recipients, topicKey }) {
    const facts = new Map<string, MarketingFacts>();
    if (topicKey === null || recipients.length === 0) return facts;
    const emails = recipients.map(({ email }) => email);
    const subscriptionsOf = await services.topics.subscriptionsOf(trx, topicKey, emails);
    for (const [email, { subscribed }] of subscriptionsOf ?? [])
      facts.set(email, { topic: { key: topicKey, subscribed } });
    return facts;
  },
});
