import { isoTime, localeTag, z } from '../../core/index.ts';
import { lifetime } from '../../core/unstable.ts';
import { BODY_LIMIT, LINE_LIMIT } from './language/limits.ts';
import { themePathsInShort } from './theme/theme.ts';

export const templateKey = z
  .string()
  .regex(/^[a-z0-9_-]{1,80}$/, 'A key has 1 to 80 characters of a–z, 0–9, _ and -.')
  .describe('The handle in paths: 1 to 80 characters of a–z, 0–9, _ and -');

/** A key in a path. Text that does not have the format of a key is reported as not found. */
export const keyParams = z.object({ key: z.string().max(200) });

const category = z.enum(['marketing', 'transactional', 'system']);
const mode = z.enum(['mjml', 'html']).describe('The language of the body.');
const delivery = z
  .enum(['at-least-once', 'at-most-once'])
  .describe('at-most-once for login codes: not tried again after a crash during the hand-over.');
const tracking = z.strictObject({ opens: z.boolean(), clicks: z.boolean() });
const expiresIn = lifetime
  .nullable()
  .describe(
    'How long a send is useful (ISO 8601, such as PT15M). A send that was not handed over by then fails. Null: no limit.',
  );
const topicKey = z
  .string()
  .min(1)
  .max(80)
  .nullable()
  .describe('The topic of a marketing template: recipients can unsubscribe from it alone.');
const subject = z.string().max(LINE_LIMIT).describe('Liquid; nothing is escaped, line breaks are refused.');
const aboutPreviewText = 'What mail clients show beside the subject. Liquid.';
const previewText = z.string().max(LINE_LIMIT).describe(aboutPreviewText);
const body = z
  .string()
  .max(BODY_LIMIT)
  .describe(
    'MJML or HTML with Liquid: {{variable}}, filters, if and for. Output is escaped unless | raw. The address where the recipient unsubscribes is %unsubscribe_url%, the postal address of the sender %postal_address%; neither is a variable.',
  );
const text = z.string().max(BODY_LIMIT).describe('The plain-text part. (Default: derived from the body)');
const contractSource = z
  .record(z.string(), z.unknown())
  .describe('The contract: a JSON Schema of the variables. Without one it is inferred from the placeholders.');

const kind = z
  .enum(['email', 'layout'])
  .describe('A layout wraps emails: {% content %} in its body marks the place of their body. It is never sent.');
const layout = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .describe('The key of the layout that a publish puts the body into.');
const locale = localeTag.nullable().describe('The language of the content itself (BCP 47).');
const localeContent = { subject, previewText, body, text };
const locales = z
  .record(z.string(), z.strictObject(localeContent).partial())
  .describe(
    'The same mail in other languages, by BCP 47 tag. Fields that a language leaves out are taken from the template itself.',
  );
const localeChanges = z
  .record(
    z.string(),
    z
      .strictObject({
        subject: subject.nullable(),
        previewText: previewText.nullable(),
        body: body.nullable(),
        text: text.nullable(),
      })
      .partial()
      .nullable(),
  )
  .describe(
    'Languages to add or change, by BCP 47 tag. null removes a language, or a field of a language. All others stay.',
  );

export const allowBreaking = z.boolean().default(false).describe('Publish even if existing calls would fail.');

/** The fields that an author may set at creation. */
export const templateContent = {
  kind: kind.default('email'),
  name: z.string().trim().min(1).max(200).optional().describe('(Default: Untitled email, or Untitled layout)'),
  category: category.default('transactional'),
  mode: mode.default('mjml'),
  subject: subject.default(''),
  previewText: previewText.nullable().default('').describe(`${aboutPreviewText} Null: no preview text.`),
  themeId: z
    .string()
    .max(40)
    .nullable()
    .optional()
    .describe(
      `Prefix thm_; a theme, as brands list them. The template reads it, and no caller gives it: ${themePathsInShort}.`,
    ),
  body: body.default(''),
  text: text.nullable().default(null),
  layout: layout.default(null),
  locale: locale.default(null),
  locales: locales.default({}),
  variables: contractSource.nullable().default(null),
  delivery: delivery.default('at-least-once'),
  tracking: tracking.optional().describe('(Default: on for marketing, off for transactional and system)'),
  expiresIn: expiresIn.default(null),
  topicKey: topicKey.default(null),
};

export const composeBody = z.object({
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(8_000)
    .describe('The brief: what the mail is for, who gets it, what it has to say.'),
  key: templateKey.optional(),
  name: z.string().trim().min(1).max(200).optional().describe('(Default: the name that the composer chooses)'),
  category: category.optional().describe('(Default: what the brief says)'),
  mode: mode.default('mjml'),
  themeId: z.string().max(40).nullable().optional().describe('Prefix thm_. (Default: the style of the default brand)'),
  starterShellId: z
    .string()
    .max(80)
    .optional()
    .describe('The shell to start from. (Default: the one that fits the brief)'),
  includeHeroImage: z.boolean().default(false).describe('Adds a band of colour where a picture can be put.'),
  model: z
    .string()
    .max(100)
    .optional()
    .describe('One of the models that the service offers. (Default: its own choice)'),
});

/** The fields that an author may change: all except key and kind. */
export const templateChanges = {
  name: z.string().trim().min(1).max(200).optional(),
  category: category.optional(),
  mode: mode.optional(),
  subject: subject.optional(),
  previewText: previewText.nullable().optional().describe(`${aboutPreviewText} Null removes it.`),
  themeId: z.string().max(40).nullable().optional().describe('Prefix thm_.'),
  body: body.optional(),
  text: text.nullable().optional(),
  layout: layout.optional(),
  locale: locale.optional(),
  locales: localeChanges.optional(),
  variables: contractSource.nullable().optional(),
  delivery: delivery.optional(),
  tracking: tracking.partial().optional(),
  expiresIn: expiresIn.optional(),
  topicKey: topicKey.optional(),
};

const listed = {
  id: z.string().describe('Prefix tpl_.'),
  key: z.string(),
  name: z.string(),
  kind,
  category,
  mode,
  subject: z.string(),
  previewText: z.string(),
  themeId: z.string().nullable(),
  layout: z.string().nullable(),
  locale: z.string().nullable(),
  version: z.int().describe('The published version; 0 before the first publish.'),
  status: z.enum(['draft', 'published', 'archived']),
  contractVersion: z.int(),
  createdAt: isoTime,
  updatedAt: isoTime,
  publishedAt: isoTime.nullable(),
  delivery,
  tracking,
  expiresIn,
  topicKey,
};

export const templateResource = z.object(listed).meta({ id: 'Template' });

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: 'A JSON Schema (2020-12) of the variables.' });

export const templateDetail = z
  .object({
    ...listed,
    body: z.string().describe('The working copy, as authored.'),
    text: z.string().nullable(),
    locales: z.record(
      z.string(),
      z.object({ subject: z.string(), previewText: z.string(), body: z.string(), text: z.string() }).partial(),
    ),
    variables: jsonSchema,
    authoredVariables: contractSource
      .nullable()
      .describe('The contract as its author wrote it; null if it is inferred from the placeholders.'),
    draft: z.boolean().describe('Whether the working copy differs from the published version.'),
    approval: z
      .object({ requestId: z.string(), status: z.literal('pending') })
      .nullable()
      .describe('The approval that a publish or a proposal waits for.'),
    usedBy: z
      .array(
        z.object({
          key: z.string(),
          layoutVersion: z.int().nullable().describe("The layout's version in the published version; null: no layout."),
        }),
      )
      .optional()
      .describe(
        'Of a layout: the templates that use it, 100 at most. Publish a template again when its layoutVersion is older than `version`.',
      ),
  })
  .meta({ id: 'TemplateDetail' });

export type TemplateDetail = z.output<typeof templateDetail>;

export const templateContract = z
  .object({
    key: z.string(),
    version: z.int().describe('The template version that the contract belongs to; 0 for an unpublished draft.'),
    contractVersion: z.int(),
    variables: jsonSchema,
    required: z.array(z.string()),
    examples: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TemplateContract' });

export const templateVersion = z
  .object({
    version: z.int(),
    contractVersion: z.int(),
    createdAt: isoTime,
    subject: z.string(),
    current: z.boolean().describe('Whether live keys send this version.'),
    layout: z.string().nullable(),
    layoutVersion: z.int().nullable().describe("The layout's version that it was published with."),
    locale: z.string().nullable(),
    locales: z.array(z.string()).describe('Its other languages.'),
  })
  .meta({ id: 'TemplateVersion' });

export const templateWarnings = z.array(
  z.object({
    code: z.enum([
      'html_clipped',
      'subject_empty',
      'text_empty',
      'unsubscribe_variable',
      'theme_variable',
      'contact_variable',
      'foreign_placeholder',
    ]),
    message: z.string(),
  }),
);

export const templatePreview = z
  .object({
    html: z.string().nullable(),
    text: z.string(),
    subject: z.string(),
    previewText: z.string(),
    locale: z.string().nullable().describe('The chosen language; null if the template declares none.'),
    version: z.int().describe('0 for the working copy.'),
    bytes: z.int().describe('Size of the HTML.'),
    warnings: templateWarnings.describe('What recipients would notice.'),
  })
  .meta({ id: 'TemplatePreview' });

export const templateProposal = z
  .object({
    requestId: z
      .string()
      .nullable()
      .describe('Prefix apr_; null in a service without approvals, which keeps proposals and never applies them.'),
    templateKey: z.string(),
    baseVersion: z.int().describe('The published version at the time of the proposal; 0 if there was none.'),
    diff: z
      .array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() }))
      .nullable()
      .describe(
        'At most 100 differences from the published version, texts cut at 2,000 characters; null if no version is published.',
      ),
    status: z.literal('pending'),
  })
  .meta({ id: 'TemplateProposal' });
