// Posts and networks as callers see them.
import { isoTime, personal, z } from '../../core/index.ts';
import { mediaKinds, problemCodes } from './schema.ts';

export const postStatuses = [
  'draft',
  'ready',
  'scheduled',
  'pending_approval',
  'publishing',
  'published',
  'partially_published',
  'failed',
  'deleting',
  'deleted',
] as const;

export const postStatus = z
  .enum(postStatuses)
  .describe(
    'draft: has problems, or is a hold. ready: has no problems. partially_published: on some of its channels. deleting: waits for the networks.',
  );

export const targetStatus = z
  .enum(['pending', 'publishing', 'published', 'failed', 'unknown', 'deleted'])
  .describe('unknown: the network did not say whether it was published, for more than a day.');

const channelId = z.string().meta({ examples: ['linkedin'] });

export const postProblem = z
  .object({
    channelId,
    path: z
      .string()
      .describe('The field.')
      .meta({ examples: ['media.0.alt'] }),
    code: z.enum(problemCodes),
    message: z.string(),
  })
  .meta({ id: 'SocialPostProblem' });

const targetError = z.object({ code: z.string(), message: z.string() });

export const postTarget = z
  .object({
    channelId,
    accountRef: z.string().nullable().describe('Prefix soa_. Null while no account is connected, or none is chosen.'),
    status: targetStatus,
    externalId: z.string().nullable().describe("The network's id of the live post."),
    url: z.string().nullable().describe('Where people see it.'),
    attempts: z.int(),
    error: targetError.nullable(),
  })
  .meta({ id: 'SocialPostTarget' });

const words = personal('text', z.string());

export const socialPost = z
  .object({
    id: z.string().describe('Prefix soc_.'),
    status: postStatus,
    mode: z.enum(['copy', 'compose', 'hold']),
    planningKind: z.enum(['post', 'hold']).describe('hold: a time in the plan, without a finished post.'),
    groupId: z.string().describe('Shared by posts that were created together; otherwise the id of the post.'),
    channels: z.array(channelId),
    caption: words,
    channelCaptions: z.record(z.string(), words),
    threadTweets: z.array(words),
    hashtags: z.array(z.string()).describe('Without #.'),
    media: z.array(z.object({ kind: z.enum(mediaKinds), assetId: z.string(), alt: words })),
    linkUrl: z.string().nullable(),
    channelSettings: z.record(z.string(), z.record(z.string(), z.string())),
    targetAccountRefs: z.record(z.string(), z.string()),
    plannedAt: isoTime.nullable().describe('Only for a hold: its time in the plan, at which nothing is published.'),
    scheduledAt: isoTime.nullable(),
    publishedAt: isoTime.nullable().describe('When the last of its channels was published.'),
    assigneeUid: z.string().nullable(),
    brief: words.nullable(),
    problems: z.array(postProblem).describe('Why the post cannot be published on its channels.'),
    targets: z.array(postTarget).describe('One for each channel, in the order of channels.'),
    approval: z
      .object({
        requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
        status: z.enum(['pending', 'approved']),
      })
      .nullable()
      .describe('The approval request that the post waits for.'),
    credits: z.object({
      price: z.int().describe('The price of publishing on all channels.'),
      charged: z.int().describe('The credits that were charged for publishing.'),
    }),
    creationId: z.string().nullable(),
    sandbox: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'SocialPost' });
export type SocialPost = z.output<typeof socialPost>;

export const socialNetwork = z
  .object({
    channelId: channelId.describe('The network.'),
    accountRef: z.string().describe('Prefix soa_. The account on the network.'),
    transport: z.string().describe('native, or the id of the adapter that publishes through another service.'),
    displayName: z.string(),
    handle: z.string(),
    avatarUrl: z.string().nullable(),
    status: z
      .enum(['connected', 'expired', 'revoked'])
      .describe('expired: the credentials have expired. revoked: the network refuses them.'),
    capabilities: z.object({
      media: z.boolean(),
      threads: z.boolean(),
      deletes: z.boolean().describe('Whether live posts can be deleted.'),
      analytics: z.boolean(),
    }),
    connectedAt: isoTime,
    lastSyncedAt: isoTime,
  })
  .meta({ id: 'SocialNetwork' });
export type SocialNetworkView = z.output<typeof socialNetwork>;
