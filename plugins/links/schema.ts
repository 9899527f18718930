// The schema of links as callers send and receive them.
import { isoTime, timeInput, z } from '../../core/index.ts';
import { countryFault, isCountry } from '../../core/unstable.ts';
import { destinationUrl } from './destination.ts';

/** The dimensions of UTM parameters, in the order in which they are added to a destination. */
export const utmFields = ['source', 'medium', 'campaign', 'content', 'term'] as const;
export type UtmField = (typeof utmFields)[number];

const utmValue = z
  .string()
  .max(180)
  .refine((text) => !/\p{Cc}/u.test(text), 'Leave out control characters.');

const utm = z
  .strictObject({ source: utmValue, medium: utmValue, campaign: utmValue, content: utmValue, term: utmValue })
  .partial();

/** For callers who send `utm_source` and so on, the error suggests these names. */
export const utmHints: Readonly<Record<string, string>> = Object.fromEntries(
  utmFields.map((field) => [`utm_${field}`, `Did you mean utm.${field}?`]),
);

/** The UTM values of a link, added to the destination as utm_source and so on. */
export type Utm = { readonly [F in UtmField]?: string | undefined };

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.array(z.enum(values)).min(1).max(50);
const wordList = (max: number) => z.array(z.string().trim().min(1).max(max)).min(1).max(250);

/** Accepts either case and converts to upper case. */
const countryCode = z
  .string()
  .max(40)
  .transform((code) => (isCountry(code.toUpperCase()) ? code.toUpperCase() : code))
  .superRefine((code, context) => {
    const message = countryFault(code);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({ examples: ['DE'] });

const match = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('country'),
    values: z.array(countryCode).min(1).max(250),
  }),
  z.strictObject({ kind: z.literal('city'), values: wordList(100) }),
  z.strictObject({ kind: z.literal('device'), values: oneOf(['mobile', 'tablet', 'desktop']) }),
  z.strictObject({ kind: z.literal('platform'), values: oneOf(['ios', 'android', 'windows', 'macos', 'linux']) }),
]);

const routeRule = z.strictObject({ match, destinationUrl });

/** A destination for some visitors. */
export type RouteRule = z.output<typeof routeRule>;

const slug = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, '1 to 40 of A-Z a-z 0-9 - _.')
  .describe('1 to 40 of A-Z a-z 0-9 - _; case-sensitive. (Default: seven random characters)');

const label = z.string().min(1).max(200);
const campaignId = z.string().min(1).max(100).describe('A word of your own, such as spring-2026.');
const tags = z
  .array(z.string().trim().min(1).max(50))
  .max(20)
  .transform((tags) => [...new Set(tags)]);
const password = z
  .string()
  .min(1)
  .max(200)
  .describe('Visitors are asked for it. Stored as a scrypt hash and never returned.');
const routeRules = z.array(routeRule).max(20).describe('The first rule that matches a visitor gives the destination.');
const expiresAt = timeInput.describe('From then on visitors get 410.');
const goLiveAt = timeInput.describe('Before it visitors get 404.');

/** The body of links.create. */
export const newLink = {
  destinationUrl: destinationUrl.describe('http or https, without credentials, at most 2,048 characters.'),
  slug: slug.optional(),
  domain: z.string().min(1).max(253).optional().describe('A short domain of this workspace; else the default one.'),
  label: label.optional(),
  campaignId: campaignId.optional(),
  tags: tags.optional().describe('At most 20.'),
  password: password.optional(),
  expiresAt: expiresAt.optional(),
  scheduledGoLiveAt: goLiveAt.optional(),
  routeRules: routeRules.optional(),
  utm: utm.optional().describe('Added to the destination at each click.'),
};

const newLinkObject = z.object(newLink);
/** A link to create. */
export type NewLink = z.output<typeof newLinkObject>;

/** The body of links.update. Fields that are left out do not change. */
export const linkChanges = {
  destinationUrl: destinationUrl.optional(),
  label: label.nullable().optional(),
  campaignId: campaignId.nullable().optional(),
  tags: tags.optional(),
  utm: utm.optional().describe('Replaces all five values; {} takes them away.'),
  password: password.optional(),
  clearPassword: z.boolean().optional(),
  expiresAt: expiresAt.optional(),
  clearExpiresAt: z.boolean().optional(),
  scheduledGoLiveAt: goLiveAt.optional(),
  clearScheduledGoLiveAt: z.boolean().optional(),
  routeRules: routeRules.optional(),
  clearRouteRules: z.boolean().optional(),
};

const linkChangesObject = z.object(linkChanges);
export type LinkChanges = z.output<typeof linkChangesObject>;

export const linkStatus = z.enum(['active', 'scheduled', 'expired', 'archived', 'disabled']);

const utmView = z.object({
  source: z.string().optional(),
  medium: z.string().optional(),
  campaign: z.string().optional(),
  content: z.string().optional(),
  term: z.string().optional(),
});

const count = z.int().nonnegative();

const linkResourceObject = z
  .object({
    linkId: z.string().describe('Prefix lnk_.'),
    slug: z.string(),
    domain: z.string(),
    redirectUrl: z.string().describe('The short URL.'),
    destinationUrl: z.string(),
    label: z.string().nullable(),
    campaignId: z.string().nullable(),
    tags: z.array(z.string()),
    expiresAt: isoTime.nullable(),
    scheduledGoLiveAt: isoTime.nullable(),
    routeRules: z.array(
      z.object({ match: z.object({ kind: z.string(), values: z.array(z.string()) }), destinationUrl: z.string() }),
    ),
    utm: utmView,
    status: linkStatus.describe('disabled: a check for abuse holds it back, and visitors get 410.'),
    hasPassword: z.boolean(),
    sandbox: z.boolean(),
    clicks: z
      .object({
        total: count.describe('Clicks of people.'),
        unique: count.describe('Different visitors, counted separately for each day (UTC).'),
        bots: count.describe('Programs and prefetches, which are not in total.'),
        lastAt: isoTime.nullable(),
      })
      .describe('Counted within a few seconds of a click.'),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'ShortLink' });

export interface LinkResource extends z.output<typeof linkResourceObject> {}
export const linkResource: z.ZodType<LinkResource> = linkResourceObject;
