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

const aBatch = 500;

/** Writes clicks of the last `days` days and queues their roll-up. The same arguments produce the same clicks. */
export function writeSampleClicks(
  { trx, now, newId, enqueue }: TransactionContext,
  link: Pick<LinkRow, 'id' | 'utm' | 'sandbox'>,
  days: number,
  aDay: number,
): void {
  let seed = 1;
  const next = (below: number): number => {
    // The generator of Park and Miller (1988).
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const clicks: RecordedClick[] = [];
  for (let back = days - 1; back >= 0; back -= 1)
    for (let count = next(aDay) + (back % 7 < 5 ? aDay : 0); count > 0; count -= 1) {
      const at = Math.max(0, now - back * day - next(3_600_000));
      const place = next(countries.length);
      const [device, platform, browser] = clients[next(clients.length)] ?? clients[0];
      clicks.push({
        linkId: link.id,
        visitor: `sample ${link.id} ${back} ${next(aDay * 2)}`,
        at,
        bot: next(12) === 0,
        qr: next(5) === 0,
        country: countries[place] ?? null,
        city: cities[place] ?? null,
        device,
        platform,
        browser,
        referrer: referrers[next(referrers.length)] ?? null,
        utm: link.utm,
      });
    }
  for (let from = 0; from < clicks.length; from += aBatch)
    writeBatch({ trx: trx.onSide(link.sandbox), now }, newId('clb'), clicks.slice(from, from + aBatch));
  enqueue({ kind: 'links.roll_up', key: 'links.roll_up', payload: {}, sandbox: link.sandbox });
}
