// Lead magnets, as callers send and receive them.
import { idOf, isoTime, z } from '../../core/index.ts';

/** The maximum number of lead magnets on one side of a workspace. */
export const maxLeadMagnets = 1_000;
/** The price of a composed text, in credits. */
export const composePrice = 20;
/** The price of an export, in credits, if the content has changed since the last export. */
export const exportPrice = 5;
export const maxChapters = 30;

export const formats = ['ebook', 'guide', 'checklist'] as const;
export const statuses = ['draft', 'queued', 'building', 'ready', 'failed'] as const;
export const phases = ['waiting', 'outline', 'chapters', 'done'] as const;

export type LeadMagnetFormat = (typeof formats)[number];
export type LeadMagnetStatus = (typeof statuses)[number];

export const heading = z.string().trim().min(1).max(200);
export const summary = z.string().max(1_000);
export const text = z.string().max(20_000);

export const title = z.string().trim().min(1).max(200);
export const brief = z.string().max(8_000).describe('The subject and the readers. The text is written from it.');
export const coverPages = z.int().min(0).max(2).describe('0: no cover, 1: a front cover, 2: a front and a back cover.');

/** A chapter in the input. */
export const chapterInput = z.strictObject({
  heading,
  summary: summary.default('').describe('One or two sentences below the heading.'),
  text: text
    .default('')
    .describe(
      'Markdown without HTML and pictures. List items that start with [ ] have a box to tick. In a checklist, the items of every bullet list do.',
    ),
});

export const chapters = z.array(chapterInput).max(maxChapters);

export const chapter = z.object({ heading: z.string(), summary: z.string(), text: z.string() });
export type Chapter = z.output<typeof chapter>;

/** A chapter without its text, for lists and events. */
export const chapterHead = chapter.omit({ text: true });
export type ChapterHead = z.output<typeof chapterHead>;

const shared = {
  id: z.string().describe('Prefix lm_.'),
  title: z.string(),
  format: z.enum(formats),
  brief: z.string().nullable(),
  status: z
    .enum(statuses)
    .describe('draft without chapters, queued or building while they are written, ready to export, or failed.'),
  coverPages: z.int(),
  brandId: z.string().nullable().describe("null for the workspace's default brand."),
  contentHash: z.string().describe('Changes with everything that the PDF shows, the look of the brand included.'),
  lastExport: z
    .object({
      assetId: z.string(),
      contentHash: z
        .string()
        .describe('The hash of the exported content. If the current contentHash differs, the export is outdated.'),
      at: isoTime,
    })
    .nullable(),
  progress: z
    .object({ phase: z.enum(phases), done: z.int(), total: z.int() })
    .nullable()
    .describe('The status of the build; null if no build was ever started.'),
  error: z.string().nullable().describe('Why the last build failed.'),
  creationId: z.string().nullable(),
  sandbox: z.boolean(),
  createdAt: isoTime,
  updatedAt: isoTime,
};

/** A lead magnet in lists and events: chapters without their text. */
export const summaryResourceObject = z.object({ ...shared, chapters: z.array(chapterHead) });
export const summaryResource = summaryResourceObject.meta({ id: 'LeadMagnetSummary' });
export const leadMagnetResourceObject = z.object({ ...shared, chapters: z.array(chapter) });
export const leadMagnetResource = leadMagnetResourceObject.meta({ id: 'LeadMagnet' });

export type LeadMagnetSummary = z.input<typeof summaryResourceObject>;
export type LeadMagnetView = z.input<typeof leadMagnetResourceObject>;

export const params = z.object({ id: idOf('lm') });
