import { defineEvent, type EventDeclaration } from '../../core/index.ts';
import { type SocialNetworkView, type SocialPost, socialNetwork, socialPost } from './resources.ts';

const target: SocialPost['targets'][number] = {
  channelId: 'linkedin',
  accountRef: 'soa_01JCZ9R4T6V8X0Z2B4D6F8H0JK',
  status: 'pending',
  externalId: null,
  url: null,
  attempts: 0,
  error: null,
};

const post: SocialPost = {
  id: 'soc_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  status: 'ready',
  mode: 'copy',
  planningKind: 'post',
  groupId: 'soc_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  channels: ['linkedin'],
  caption: 'Acme 2.0 is here.',
  channelCaptions: {},
  threadTweets: [],
  hashtags: ['launch'],
  media: [],
  linkUrl: 'https://acme.example/2',
  channelSettings: {},
  targetAccountRefs: {},
  plannedAt: null,
  scheduledAt: null,
  publishedAt: null,
  assigneeUid: null,
  brief: null,
  problems: [],
  targets: [target],
  approval: null,
  credits: { price: 0, charged: 0 },
  creationId: null,
  sandbox: false,
  createdAt: '2026-11-20T15:04:03.000Z',
  updatedAt: '2026-11-20T15:04:03.000Z',
};

const live = { status: 'published', externalId: 'urn:li:share:7265', url: 'https://www.linkedin.com/feed/update/7265' };
const refused = { code: 'provider_rejected', message: 'LinkedIn refused the post: the image is too small.' };
const failed = { ...target, status: 'failed', attempts: 1, error: refused } as const;
const published = { ...target, ...live, attempts: 1 } as SocialPost['targets'][number];

const define = <const T extends string>(type: T, description: string, changed: Partial<SocialPost> = {}) =>
  defineEvent({ type, description, data: socialPost, example: { ...post, ...changed } });

const network: SocialNetworkView = {
  channelId: 'linkedin',
  accountRef: 'soa_01JCZ9R4T6V8X0Z2B4D6F8H0JK',
  transport: 'native',
  displayName: 'Acme Inc.',
  handle: 'acme',
  avatarUrl: null,
  status: 'revoked',
  capabilities: { media: true, threads: false, deletes: true, analytics: true },
  connectedAt: '2026-10-01T09:00:00.000Z',
  lastSyncedAt: '2026-11-20T15:04:03.000Z',
};

export const events: readonly EventDeclaration[] = [
  define('social.post.created', 'A post was created: by hand, by the composer, or as a hold in the plan.'),
  define('social.post.scheduled', 'A post was scheduled for publication.', {
    status: 'scheduled',
    scheduledAt: '2026-11-21T09:00:00.000Z',
  }),
  define('social.post.published', 'A post is live on all of its channels.', {
    status: 'published',
    publishedAt: '2026-11-20T15:04:09.000Z',
    targets: [published],
  }),
  define(
    'social.post.partially_published',
    'A post is live on some of its channels; targets contains the errors of the others.',
    {
      status: 'partially_published',
      publishedAt: '2026-11-20T15:04:09.000Z',
      channels: ['linkedin', 'x'],
      targets: [published, { ...failed, channelId: 'x', accountRef: 'soa_01JCZ9R4T6V8X0Z2B4D6F8H0JM' }],
    },
  ),
  define(
    'social.post.failed',
    'The publication of a post failed on all of its channels; targets contains the reasons.',
    {
      status: 'failed',
      targets: [failed],
    },
  ),
  define(
    'social.post.deleted',
    'A post was deleted in the service. If it was live, it was also deleted on the networks.',
    { status: 'deleted' },
  ),
  defineEvent({
    type: 'social.network.disconnected',
    description: 'The network no longer accepts the credentials of an account. Connect it again.',
    data: socialNetwork,
    example: network,
  }),
];

/** Events that a publication can emit, directly or from its jobs. */
export const publishingEvents = [
  'social.post.published',
  'social.post.partially_published',
  'social.post.failed',
  'social.network.disconnected',
] as const;

export type SocialPostEventType =
  | 'social.post.created'
  | 'social.post.scheduled'
  | 'social.post.published'
  | 'social.post.partially_published'
  | 'social.post.failed'
  | 'social.post.deleted';

declare module '../../core/contract/open.ts' {
  interface EventMap extends Record<SocialPostEventType, SocialPost> {
    'social.network.disconnected': SocialNetworkView;
  }
}
