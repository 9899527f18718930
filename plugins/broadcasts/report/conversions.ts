// The conversions of a broadcast: how many, why they are attributed to it, and their value by currency. Reads only.
import { type WorkspaceHandle, z } from '../../../core/index.ts';
import { decimalOf } from '../conversions/values.ts';

const count = z.int().min(0);

export const conversionsSchema = z
  .object({
    total: count.describe('Events. A recipient who converts several times is counted once in counts.converted.'),
    clicked: count.describe('Events of contacts who had clicked in the mail.'),
    delivered: count.describe(
      'Events of contacts who had clicked in no mail, and whose last delivered mail was this one.',
    ),
    values: z
      .array(
        z.object({
          currency: z.string().nullable().describe('ISO 4217; null if the events do not name one.'),
          amount: z.string().describe('The exact sum, as a decimal number.'),
          conversions: count.describe('Events with a value in this currency.'),
        }),
      )
      .describe('The largest number of conversions first.'),
  })
  .meta({ id: 'BroadcastConversions' });

export type Conversions = z.output<typeof conversionsSchema>;

/** A sum of a database as a whole number. */
const sumOf = (value: string | number | bigint | null): bigint => BigInt(value ?? 0);

/** The conversions that are attributed to a broadcast. */
export async function readConversions({ db }: WorkspaceHandle, broadcastId: string): Promise<Conversions> {
  const rows = await db
    .selectFrom('broadcast_conversions')
    .select(['basis', 'currency'])
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.count<number>('whole').as('valued'),
      fn.sum<string | number | null>('whole').as('units'),
      fn.sum<string | number | null>('fraction').as('fractions'),
    ])
    .where('source', '=', 'broadcasts')
    .where('source_id', '=', broadcastId)
    .groupBy(['basis', 'currency'])
    .execute();
  const byBasis = { clicked: 0, delivered: 0 };
  const byCurrency = new Map<string | null, { units: bigint; fractions: bigint; conversions: number }>();
  for (const { basis, currency, total, valued, units, fractions } of rows) {
    byBasis[basis as keyof typeof byBasis] += Number(total);
    if (Number(valued) === 0) continue;
    const sum = byCurrency.get(currency) ?? { units: 0n, fractions: 0n, conversions: 0 };
    sum.units += sumOf(units);
    sum.fractions += sumOf(fractions);
    sum.conversions += Number(valued);
    byCurrency.set(currency, sum);
  }
  return {
    total: byBasis.clicked + byBasis.delivered,
    ...byBasis,
    values: [...byCurrency]
      .map(([currency, { units, fractions, conversions }]) => ({
        currency,
        amount: decimalOf(units, fractions),
        conversions,
      }))
      .sort(
        (one, other) => other.conversions - one.conversions || ((one.currency ?? '') < (other.currency ?? '') ? -1 : 1),
      ),
  };
}
