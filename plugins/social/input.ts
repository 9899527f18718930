// The input schemas of posts.
import { timeInput, z } from '../../core/index.ts';
import { mediaKinds } from './schema.ts';

const maxCodePoints = (max: number) => (text: string) => text.length <= max || [...text].length <= max;

const channelId = z.string().min(1).max(40);
const caption = z.string().max(63_206);
const accountRef = z.string().min(1).max(60);

const tweet = z
  .string()
  .min(1)
  .refine(maxCodePoints(280), 'A tweet has at most 280 characters.')
  .meta({ maxLength: 280 });

const hashtag = z
  .string()
  .regex(/^#?[^\s#]{1,100}$/u, 'A hashtag is one word, with or without # before it.')
  .transform((word) => word.replace(/^#/, ''));

const linkUrl = z.url({ protocol: /^https?$/ }).max(2_048);

const medium = z.strictObject({
  kind: z.enum(mediaKinds),
  assetId: z.string().min(1).max(60).describe('An asset that is ready, of this kind.'),
  alt: z.string().max(1_000).default('').describe('The alternative text, for people who cannot see the attachment.'),
});

/** If a network does not accept the title, the post gets a problem; the call is not refused. */
const title = z.string().max(1_000);

const channelSettings = z.strictObject({
  reddit: z
    .strictObject({
      subreddit: z.string().max(300).optional().describe('Without r/.'),
      title: title.optional(),
    })
    .optional(),
  pinterest: z.strictObject({ boardId: z.string().max(100).optional(), title: title.optional() }).optional(),
  youtube: z
    .strictObject({ title: title.optional(), privacy: z.enum(['public', 'unlisted', 'private']).optional() })
    .optional(),
  tiktok: z
    .strictObject({
      privacy: z.string().max(60).optional().describe('A value that the account allows: see the list of networks.'),
    })
    .optional(),
});

const texts = {
  channelCaptions: z
    .record(channelId, caption)
    .describe('Other texts for single channels, by channel. Only for channels of the post.'),
};

const content = {
  channels: z.array(channelId).min(1).max(10).describe('Its channels: channelIds from the list of social networks.'),
  threadTweets: z.array(tweet).max(24).nullable().describe('X only: tweets 2 to N of a thread. null or [] clears.'),
  hashtags: z.array(hashtag).max(30).describe('Appended to the text, on X to tweet 1, and counted.'),
  media: z.array(medium).max(20).describe('On X all of them go to tweet 1.'),
  linkUrl: linkUrl.nullable().describe('On X appended to tweet 1, unless its text contains it.'),
  channelSettings,
  targetAccountRefs: z
    .record(channelId, accountRef)
    .describe('The account of a channel, where several are connected: channel to accountRef.'),
};

const assigneeUid = z.string().min(1).max(200).describe('Only for a hold: the uid of the member who is responsible.');
const brief = z.string().max(8_000);

export const simulationScenario = z
  .enum(['published', 'failed', 'partially_published', 'unknown'])
  .optional()
  .describe('Sandbox only: the simulated result. (Default: published)');
export type SimulationScenario = z.output<typeof simulationScenario>;

export const createBody = z.object({
  mode: z
    .enum(['copy', 'compose', 'hold'])
    .default('copy')
    .describe('copy: the text is given. compose: it is written from the brief. hold: a place in the plan.'),
  channels: content.channels,
  caption: caption.optional().describe('The text; on X tweet 1. Refused in mode compose.'),
  channelCaptions: texts.channelCaptions.optional(),
  threadTweets: content.threadTweets.optional(),
  hashtags: content.hashtags.default([]),
  media: content.media.default([]),
  linkUrl: content.linkUrl.optional(),
  channelSettings: content.channelSettings.default({}),
  targetAccountRefs: content.targetAccountRefs.default({}),
  scheduleAt: timeInput
    .optional()
    .describe('The publication time, from now to 365 days ahead. For a hold, required: its time in the plan.'),
  publish: z
    .boolean()
    .default(false)
    .describe('true publishes now. Ask a person first. Needs social:posts:publish, as scheduleAt does.'),
  assigneeUid: assigneeUid.optional(),
  brief: brief.min(1).optional().describe('What to write. Required in mode compose.'),
  composer: z
    .enum(['sonnet', 'opus'])
    .optional()
    .describe('Mode compose: the model. (Default: the model of the service)'),
  simulationScenario,
});
export type CreatePostBody = z.output<typeof createBody>;

export const updateBody = z.object({
  channels: content.channels.optional(),
  caption: caption.optional(),
  channelCaptions: texts.channelCaptions.optional(),
  threadTweets: content.threadTweets.optional(),
  hashtags: content.hashtags.optional(),
  media: content.media.optional(),
  linkUrl: content.linkUrl.optional(),
  channelSettings: content.channelSettings.optional(),
  targetAccountRefs: content.targetAccountRefs.optional(),
  plannedAt: timeInput.optional().describe('Of a hold: its place in the plan, from now to 365 days ahead.'),
  assigneeUid: assigneeUid.nullable().optional(),
  brief: brief.nullable().optional(),
});
export type UpdatePostBody = z.output<typeof updateBody>;

/** The content fields in a call. Omitted fields keep their values. */
export type PostContentInput = Pick<
  UpdatePostBody,
  | 'channels'
  | 'caption'
  | 'channelCaptions'
  | 'threadTweets'
  | 'hashtags'
  | 'media'
  | 'linkUrl'
  | 'channelSettings'
  | 'targetAccountRefs'
>;
