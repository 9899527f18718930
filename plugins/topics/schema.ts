// Topics and preferences as callers write and see them.
import { isoTime, z } from '../../core/index.ts';

/** The maximum number of topics in a workspace. */
export const maxTopics = 100;

export const topicKey = z
  .string()
  .regex(/^[a-z0-9_-]{1,80}$/, 'A key has 1 to 80 characters of a–z, 0–9, _ and -.')
  // Calls set preferences with an object whose names are topic keys, and `__proto__` is not a safe name in an object.
  .refine((key) => key !== '__proto__', '__proto__ cannot be a key. Choose another one.')
  .describe('The handle in paths, in templates and in filters: 1 to 80 characters of a–z, 0–9, _ and -');

/** A key in a path. Text that does not have the format of a key is reported as not found. */
export const keyParams = z.object({ key: z.string().max(200) });

const name = z.string().trim().min(1).max(200).describe('Shown to recipients.');
const description = z.string().max(2_000).describe('Shown to recipients below the name.');
const visibility = z
  .enum(['public', 'private'])
  .describe(
    'Recipients find a public topic on their page of preferences, and a private one if a mail with it was sent to them.',
  );
const position = z
  .int()
  .min(0)
  .max(1_000_000)
  .describe('The position on pages and in lists, smallest first. Topics with the same position: newest first.');

export const newTopic = z.object({
  key: topicKey,
  name,
  description: description.default(''),
  default: z
    .enum(['subscribed', 'unsubscribed'])
    .describe('What counts for an address without a preference. It cannot be changed later.'),
  visibility: visibility.default('public'),
  position: position.optional().describe('(Default: after all others)'),
});

export const topicChanges = z.object({
  name: name.optional(),
  description: description.optional(),
  visibility: visibility.optional(),
  position: position.optional(),
  expectedVersion: z.int().min(1).optional().describe('The change is refused if the topic has a different version.'),
});

export const topicResource = z
  .object({
    key: z.string(),
    name: z.string(),
    description: z.string(),
    default: z.enum(['subscribed', 'unsubscribed']).describe('What counts for an address without a preference.'),
    visibility: z.enum(['public', 'private']),
    position: z.int(),
    version: z.int(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'Topic' });

export const preferenceSource = z.enum(['page', 'one_click', 'api', 'form', 'import']);

export const preference = z.object({
  topic: z.string().describe('The key of the topic.'),
  subscribed: z.boolean(),
  source: preferenceSource
    .nullable()
    .describe("What set it: page and one_click are the person's own links. Null: the topic's default counts."),
  at: isoTime.nullable().describe("When it was set. Null: the topic's default counts."),
});

export const preferencesResource = z
  .object({
    contactId: z.string(),
    email: z.string().nullable().describe('The normalised address that the preferences belong to.'),
    preferences: z.array(preference).describe("Every topic, in the topics' order."),
  })
  .meta({ id: 'Preferences' });

export const newPreferences = z.object({
  topics: z
    .record(topicKey, z.boolean())
    .refine((given) => Object.keys(given).length > 0, 'Name at least one topic.')
    .refine((given) => Object.keys(given).length <= maxTopics, `Name at most ${maxTopics} topics.`)
    .describe('Topic keys, each with true (subscribed) or false. Topics that are left out stay as they are.'),
  consentNote: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'How and when the person agreed. Required to subscribe an address whose owner opted out by a link in a mail.',
    ),
});
