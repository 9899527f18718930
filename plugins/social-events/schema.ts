import { isoTime, listOf, personal, timeInput, z } from '../../core/index.ts';

const eventKey = z.string().min(1).max(100).describe('An event of the social event kit.');
const variables = z.record(z.string(), z.unknown()).describe("Checked against the event's contract.");
const channels = z
  .array(z.string().min(1).max(40))
  .min(1)
  .max(10)
  .describe('Its channels: channelIds from the list of social networks.');

const problem = z.object({ channelId: z.string(), path: z.string(), code: z.string(), message: z.string() });

export const runCaption = z
  .object({
    channelId: z.string(),
    text: personal('text', z.string()).describe(
      'The text as people read it: with its hashtags, and with the link if the channel has links in texts.',
    ),
    length: z.int().describe('The length as the network counts it.'),
    limit: z.int(),
    problems: z.array(problem).describe('Why the channel cannot publish it.'),
  })
  .meta({ id: 'SocialEventCaption' });
export type RunCaption = z.output<typeof runCaption>;

export const kitEvent = z
  .object({
    eventKey: z.string(),
    name: z.string(),
    description: z.string(),
    variables: z.record(z.string(), z.unknown()).describe('JSON Schema of the variables.'),
    channels: z.array(z.string()).describe('The default channels. Channels without a connected account are left out.'),
    defaultOutcome: z.literal('draft'),
  })
  .meta({ id: 'SocialEvent' });
export const kitResponse = listOf(kitEvent);

export const eventTemplate = z
  .object({
    templateId: z.string(),
    eventKey: z.string(),
    channelId: z.string(),
    caption: z.string().describe('Liquid, without HTML escaping.'),
    hashtags: z.array(z.string()).describe('At the end of the caption, with #.'),
    wording: z.enum(['kit', 'own']).describe('own: configured by the program.'),
  })
  .meta({ id: 'SocialEventTemplate' });
export const templatesResponse = listOf(eventTemplate);

export const previewBody = z.object({
  eventKey,
  variables: variables.default({}),
  channels: channels.optional().describe('(Default: those of the kit)'),
});
export const previewResponse = z.object({ eventKey: z.string(), captions: z.array(runCaption) });

const asOfPost = 'As when a social post is created.';

export const triggerBody = z.object({
  eventKey,
  variables: variables.default({}),
  channels: channels.optional().describe('(Default: those of the kit with a connected account)'),
  outcome: z
    .enum(['preview', 'draft', 'publish'])
    .default('draft')
    .describe('preview creates no post; publish publishes it and needs social:posts:publish. Ask a person first.'),
  scheduleAt: timeInput
    .optional()
    .describe('Outcome publish only: the publication time, from now to 365 days ahead. (Default: now)'),
  media: z
    .array(
      z.strictObject({
        kind: z.enum(['image', 'video', 'gif']),
        assetId: z.string().min(1).max(60),
        alt: z.string().max(1_000).optional(),
      }),
    )
    .max(20)
    .optional()
    .describe(asOfPost),
  linkUrl: z.string().max(2_048).optional().describe('Each channel shows it in its way: as a card, or in the text.'),
  channelSettings: z
    .record(z.string(), z.record(z.string(), z.string()))
    .optional()
    .describe(`${asOfPost} Such as { "reddit": { "subreddit": "…", "title": "…" } }.`),
  targetAccountRefs: z.record(z.string(), z.string()).optional().describe(asOfPost),
  dedupeKey: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Identifies the event: within 30 days, another call with it does nothing and returns the first run. A preview does not use it up.',
    ),
  simulationScenario: z
    .enum(['published', 'failed', 'partially_published', 'unknown'])
    .optional()
    .describe('Sandbox only: the simulated result. (Default: published)'),
});
export type TriggerBody = z.output<typeof triggerBody>;

export const runStatus = z
  .enum([
    'previewed',
    'drafted',
    'scheduled',
    'publishing',
    'pending_approval',
    'published',
    'partially_published',
    'failed',
    'deleted',
  ])
  .describe('Follows the post.');
export type SocialEventRunStatus = z.output<typeof runStatus>;

export const runResourceObject = z
  .object({
    runId: z.string().describe('Prefix sev_. The groupId of the post.'),
    eventKey: z.string(),
    outcome: z.enum(['preview', 'draft', 'publish']),
    status: runStatus,
    postId: z.string().nullable().describe('Null for a preview.'),
    captions: z.array(runCaption).describe('As they were when the event was triggered.'),
    dedupeKey: personal('text', z.string()).nullable().describe('Null for a preview: it uses up no key.'),
    deduplicated: z.boolean().describe('True if the dedupeKey was used before: this is its first run.'),
    sandbox: z.boolean(),
    createdAt: isoTime,
  })
  .meta({ id: 'SocialEventRun' });
export interface SocialEventRun extends z.output<typeof runResourceObject> {}
export const runResource: z.ZodType<SocialEventRun> = runResourceObject;
