// Generates clicks for the page of links in development and in its tests. The service itself never calls it.
import type { TransactionContext } from '../../core/index.ts';
import type { RecordedClick } from './clicks/batch.ts';
import { writeBatch } from './clicks/write-clicks.ts';
import type { LinkRow } from './tables.ts';

const day = 86_400_000;
const countries = ['AT', 'AT', 'AT', 'DE', 'DE', 'CH', 'US', 'FR', 'IT'] as const;
const cities = ['Wien', 'Graz', 'Wien', 'Berlin', 'Hamburg', 'Zürich', 'Austin', 'Lyon', 'Milano'] as const;
const referrers = ['news.example', null, 'search.example', null, null, 'social.example'] as const;
const clients = [
  ['mobile', 'ios', 'Safari'],
  ['mobile', 'android', 'Chrome'],
  ['desktop', 'windows', 'Chrome'],
  ['desktop', 'macos', 'Safari'],
  ['tablet', 'android', 'Samsung Internet for Android'],
] as const;

const batchSize = 500;

/** Writes clicks of the last `days` days and queues their roll-up. The same arguments produce the same clicks. */
export function writeSampleClicks(
  { trx, now, newId, enqueue }: TransactionContext,
  link: Pick<LinkRow, 'id' | 'utm' | 'sandbox'>,
  days: number,
  clicksPerDay: number,
): void {
  let seed = 1;
  const random = (below: number): number => {
    // The generator of Park and Miller (1988).
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const clicks: RecordedClick[] = [];
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo -= 1)
    for (let count = random(clicksPerDay) + (daysAgo % 7 < 5 ? clicksPerDay : 0); count > 0; count -= 1) {
      const at = Math.max(0, now - daysAgo * day - random(3_600_000));
      const locationIndex = random(countries.length);
      const [device, platform, browser] = clients[random(clients.length)] ?? clients[0];
      clicks.push({
        linkId: link.id,
        visitor: `sample ${link.id} ${daysAgo} ${random(clicksPerDay * 2)}`,
        at,
        bot: random(12) === 0,
        qr: random(5) === 0,
        country: countries[locationIndex] ?? null,
        city: cities[locationIndex] ?? null,
        device,
        platform,
        browser,
        referrer: referrers[random(referrers.length)] ?? null,
        utm: link.utm,
      });
    }
  for (let from = 0; from < clicks.length; from += batchSize)
    writeBatch({ trx: trx.onSide(link.sandbox), now }, newId('clb'), clicks.slice(from, from + batchSize));
  enqueue({ kind: 'links.roll_up', key: 'links.roll_up', payload: {}, sandbox: link.sandbox });
}
