// The form of a composer's answer: a strategy and its items, without ids, prices or accounts; and the check of an answer.
import { z } from '../../../core/index.ts';
import { linksIn } from '../../../core/unstable.ts';
import { itemKinds, maxItems } from '../schema.ts';
import type { ItemKind } from '../tables.ts';

export const strategyForm = z.strictObject({
  summary: z.string().min(1).max(2_000).describe('The idea of the campaign, in a few sentences.'),
  messages: z.array(z.string().min(1).max(500)).min(1).max(10).describe('What is to stay with people.'),
  channels: z
    .array(z.strictObject({ channel: z.string().min(1).max(60), purpose: z.string().max(500) }))
    .min(1)
    .max(20),
  items: z
    .array(
      z.strictObject({
        kind: z.enum(itemKinds),
        channel: z.string().max(60).nullable(),
        purpose: z.string().min(1).max(500).describe('The message of the item.'),
        day: z.int().min(0).max(180).describe('Days after the start of the campaign.'),
        url: z
          .string()
          .max(2_048)
          .nullable()
          .describe('Of a link: an https address that the brief names. Otherwise null.'),
        needs: z
          .array(z.int().min(0))
          .max(10)
          .describe('The positions of items before it that it uses: the first item is 0.'),
      }),
    )
    .min(1)
    .max(maxItems),
});

export type StrategyReply = z.output<typeof strategyForm>;
export type PlannedItem = StrategyReply['items'][number];

/** The https URLs in a brief. */
export const urlsIn = (brief: string): readonly string[] =>
  [...new Set(linksIn(brief).map(({ url }) => url))].filter((url) => new URL(url).protocol === 'https:');

/** The kinds of items that an item of each kind may use. */
const usable: Readonly<Record<ItemKind, readonly ItemKind[]>> = {
  link: [],
  email_template: ['link'],
  page: ['link'],
  blog_post: ['link'],
  social_post: ['link'],
  planned_email: ['email_template'],
  sequence: ['email_template'],
};

/** The possible parts of a campaign. */
export interface CampaignOptions {
  /** The kinds of items by channel. */
  readonly kinds: ReadonlyMap<string, readonly ItemKind[]>;
  readonly urls: readonly string[];
  /** The last day on which an item can be planned, in days after the start. */
  readonly lastDay: number;
}

function itemFaults(
  item: PlannedItem,
  index: number,
  items: readonly PlannedItem[],
  options: CampaignOptions,
): string[] {
  const { kind, channel, needs, url, day } = item;
  const label = `items.${index}`;
  const faults: string[] = [];
  if (kind === 'link') {
    if (url === null || !options.urls.includes(url)) faults.push(`${label}.url: name an https address of the brief.`);
  } else if (channel === null || options.kinds.get(channel)?.includes(kind) !== true)
    faults.push(`${label}: the campaign has no ${kind} on ${channel ?? 'no channel'}.`);
  if (day > options.lastDay) faults.push(`${label}.day: the campaign has ${options.lastDay} days.`);
  for (const need of needs) {
    const usedItem = items[need];
    if (usedItem === undefined || need >= index) faults.push(`${label}.needs: ${need} is not an earlier item.`);
    else if (!usable[kind].includes(usedItem.kind)) faults.push(`${label}.needs: a ${kind} uses no ${usedItem.kind}.`);
  }
  if (kind === 'sequence' && needs.length === 0) faults.push(`${label}.needs: a sequence sends templates.`);
  return faults;
}

/** The faults of an answer. */
export function strategyFaults({ channels, items }: StrategyReply, options: CampaignOptions): string[] {
  return [
    ...channels.flatMap(({ channel }) =>
      options.kinds.has(channel) ? [] : [`channels: there is no channel ${channel}.`],
    ),
    ...items.flatMap((item, index) => itemFaults(item, index, items, options)),
  ];
}
