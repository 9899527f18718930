// The facts of the marketing calendar about recipients of marketing mail: their hours, in their time zones, and the caps.
import { normaliseAddress, type ReadContext } from '../../core/index.ts';
import { isAlwaysAllowed, namesZone } from '../../core/unstable.ts';
import type { MarketingFacts, MarketingFactsSource, MarketingRecipient } from '../email/index.ts';
import { calendar } from './documents.ts';
import { periodMs } from './schema.ts';
import { readDocument } from './store.ts';

/**
 * The attribute `timezone` of these recipients, by normalised address. One query reads it for all recipients whose
 * attributes the caller did not pass.
 */
async function zonesOf(
  { services, trx }: ReadContext,
  recipients: readonly MarketingRecipient[],
): Promise<ReadonlyMap<string, unknown>> {
  const zones = new Map<string, unknown>();
  const withoutAttributes: string[] = [];
  for (const { email, attributes } of recipients)
    if (attributes === undefined) withoutAttributes.push(email);
    else zones.set(normaliseAddress(email), attributes['timezone']);
  if (withoutAttributes.length === 0) return zones;
  for (const [email, { attributes }] of await services.contacts.byEmails(trx, withoutAttributes))
    zones.set(email, attributes['timezone']);
  return zones;
}

/** Contributes the calendar to the decision about marketing mail. */
export const createCalendarFacts = (): MarketingFactsSource => ({
  async factsOf(ctx, { recipients }) {
    const { content } = await readDocument(ctx.trx, calendar);
    const { quietHours, weekdays, timezone } = content;
    const hours = isAlwaysAllowed(content) ? undefined : { quietHours, weekdays };
    const caps = content.caps.flatMap(({ max, per }) => {
      const windowMs = periodMs(per);
      return windowMs === undefined ? [] : [{ max, windowMs }];
    });
    const facts = new Map<string, MarketingFacts>();
    if (hours === undefined && caps.length === 0) return facts;
    const zones = hours === undefined ? new Map<string, unknown>() : await zonesOf(ctx, recipients);
    for (const { email } of recipients) {
      const address = normaliseAddress(email);
      const contactZone = zones.get(address);
      const zone = namesZone(contactZone) ? contactZone : timezone;
      facts.set(address, { caps, ...(hours === undefined ? {} : { hours: { ...hours, zone } }) });
    }
    return facts;
  },
});
