import { isoTime, z } from '../../core/index.ts';
import { BODY_LIMIT, LINE_LIMIT } from './language/limits.ts';

export const templateKey = z
  .string()
  .regex(/^[a-z0-9_-]{1,80}$/)
  .describe('The handle in paths: 1 to 80 of a-z 0-9 _ -');

/** A key in a path: whatever does not look like one is simply not found. */
export const keyParams = z.object({ key: z.string().max(200) });

const category = z.enum(['marketing', 'transactional', 'system']);
const mode = z.enum(['mjml', 'html']).describe('The language of the body.');
const delivery = z
  .enum(['at-least-once', 'at-most-once'])
  .describe('at-most-once for login codes: after a crash in the middle of the hand-over it is not tried again.');
const tracking = z.strictObject({ opens: z.boolean(), clicks: z.boolean() });
const subject = z.string().max(LINE_LIMIT).describe('Liquid; nothing is escaped, line breaks are refused.');
const previewText = z.string().max(LINE_LIMIT).describe('What mail clients show beside the subject. Liquid.');
const body = z
  .string()
  .max(BODY_LIMIT)
  .describe('MJML or HTML with Liquid: {{variable}}, filters, if and for. Output is escaped unless | raw.');
const text = z.string().max(BODY_LIMIT).describe('An own plain-text part; without one it is derived from the body.');
const contractSource = z
  .record(z.string(), z.unknown())
  .describe('The contract: a JSON Schema of the variables. Without one it is inferred from the placeholders.');

/** What an author may write at creation. */
export const templateContent = {
  name: z.string().min(1).max(200).default('Untitled email'),
  category: category.default('transactional'),
  mode: mode.default('mjml'),
  subject: subject.default(''),
  previewText: previewText.default(''),
  themeId: z.string().max(40).nullable().optional().describe('Prefix thm_; a theme of the brand.'),
  body: body.default(''),
  text: text.nullable().default(null),
  variables: contractSource.nullable().default(null),
  delivery: delivery.default('at-least-once'),
  tracking: tracking.optional().describe('(Default: on for marketing, off for transactional and system)'),
};

/** What an author may change: everything but the key. */
export const templateChanges = {
  name: z.string().min(1).max(200).optional(),
  category: category.optional(),
  mode: mode.optional(),
  subject: subject.optional(),
  previewText: previewText.optional(),
  themeId: z.string().max(40).nullable().optional(),
  body: body.optional(),
  text: text.nullable().optional(),
  variables: contractSource.nullable().optional(),
  delivery: delivery.optional(),
  tracking: tracking.partial().optional(),
};

const listed = {
  id: z.string().describe('Prefix tpl_.'),
  key: z.string(),
  name: z.string(),
  category,
  mode,
  subject: z.string(),
  previewText: z.string(),
  themeId: z.string().nullable(),
  version: z.int().describe('The published version; 0 before the first publish.'),
  status: z.enum(['draft', 'published', 'archived']),
  contractVersion: z.int(),
  createdAt: isoTime,
  updatedAt: isoTime,
  publishedAt: isoTime.nullable(),
  delivery,
  tracking,
};

export const templateResource = z.object(listed).meta({ id: 'Template' });

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: 'A JSON Schema (2020-12) of the variables.' });

export const templateDetail = z
  .object({
    ...listed,
    body: z.string().describe('The working copy, as authored.'),
    text: z.string().nullable(),
    variables: jsonSchema,
    draft: z.boolean().describe('Whether the working copy differs from the published version.'),
  })
  .meta({ id: 'TemplateDetail' });

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
