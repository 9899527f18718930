import { defineEvent, type TransactionContext, z } from '../../core/index.ts';
import { type LinkResource, linkResource } from './schema.ts';
import type { LinkRow } from './tables.ts';

const example: LinkResource = {
  linkId: 'lnk_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  slug: 'spring',
  domain: 'go.example.com',
  redirectUrl: 'https://go.example.com/spring',
  destinationUrl: 'https://example.com/spring-sale',
  label: 'Spring sale',
  campaignId: 'spring-2026',
  tags: ['newsletter'],
  expiresAt: null,
  scheduledGoLiveAt: null,
  routeRules: [],
  utm: { source: 'newsletter', medium: 'email', campaign: 'spring' },
  status: 'active',
  hasPassword: false,
  sandbox: false,
  clicks: { total: 0, unique: 0, bots: 0, lastAt: null },
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-11-20T15:04:05.000Z',
};

/** The lowest tier whose webhooks get events of links. */
const minimumTier = 2;

const clicked = z.object({
  linkId: z.string(),
  slug: z.string(),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
  device: z.string().nullable().describe('mobile, tablet, desktop or other.'),
  platform: z.string().nullable().describe('ios, android, windows, macos, linux or other.'),
  referrer: z.string().nullable().describe('The host of the page with the link.'),
  bot: z.boolean().describe('A program or a prefetch: not counted as a click.'),
});
/** The data of link.clicked. */
export type LinkClicked = z.output<typeof clicked>;

const linkEvent = <const T extends string>(type: T, description: string, changes: Partial<LinkResource> = {}) =>
  defineEvent({ type, description, data: linkResource, example: { ...example, ...changes }, minimumTier });

export const events = [
  defineEvent({
    type: 'link.clicked',
    description: 'A visitor followed a short link. The event is sent when the batch with the click is stored.',
    data: clicked,
    example: {
      linkId: example.linkId,
      slug: 'spring',
      country: 'AT',
      device: 'mobile',
      platform: 'ios',
      referrer: 'news.example.com',
      bot: false,
    },
    minimumTier,
  }),
  linkEvent('link.created', 'A short link was created.'),
  linkEvent('link.updated', 'A short link was changed.', { label: 'Spring sale, extended' }),
  linkEvent('link.archived', 'A short link was archived: visitors go to the landing page.', { status: 'archived' }),
  linkEvent('link.abuse_flagged', 'A check found the destination suspicious, or its host name mixes scripts.'),
  linkEvent(
    'link.disabled_for_abuse',
    'A link was disabled because of abuse: visitors get a plain page with 410 instead of the destination.',
    {
      status: 'disabled',
    },
  ),
  linkEvent('link.reinstated', 'A link that was held back or disabled works again.'),
];

type LinkEvents = {
  [T in
    | 'link.created'
    | 'link.updated'
    | 'link.archived'
    | 'link.abuse_flagged'
    | 'link.disabled_for_abuse'
    | 'link.reinstated']: LinkResource;
};

declare module '../../core/contract/open.ts' {
  interface EventMap extends LinkEvents {
    'link.clicked': LinkClicked;
  }
}

/** Emits an event about a link, on the link's own side, and returns the data of the event. */
export async function announce(
  { services, trx, now, emit }: TransactionContext,
  type: keyof LinkEvents,
  row: LinkRow,
): Promise<LinkResource> {
  const shown = await services.links.present(trx.onSide(row.sandbox), row, now);
  emit(type, shown, { synthetic: row.sandbox });
  return shown;
}
