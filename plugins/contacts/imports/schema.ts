// The schema of imports as callers send and receive them.
import { idParameter, isoTime, personal, z } from '../../../core/index.ts';

/** The largest file, in bytes of UTF-8. */
export const maxFileBytes = 10_000_000;
/** The largest file of a dry run, in bytes of UTF-8: smaller, because the call itself counts its rows. */
export const maxDryRunBytes = 1_000_000;
/** The maximum number of faults that an import stores. Further faults are only counted. */
export const maxFaults = 1_000;

export const importInput = z.object({
  csv: personal('text', z.string().min(1).max(maxFileBytes)).describe(
    'The file as text, at most 10 MB. The first row has the headings. The separator is detected: comma, semicolon, tab or |.',
  ),
  mapping: z
    .record(z.string().min(1).max(1_000), z.string().max(100))
    .optional()
    .describe(
      'Fields by heading, such as { "E-Mail": "email" }: email, external_id, id, attributes.NAME, attributes.NAME:number, attributes.NAME:boolean, attributes (JSON), or topic.KEY (yes or no: a preference of the address). Only the columns that it names are imported. Without a mapping, each column is what its heading says: email, external_id, topic.KEY, or an attribute of that name.',
    ),
  listId: idParameter('lst')
    .optional()
    .describe(
      'The contacts join this list (prefix lst_). In a double opt-in list they are asked by mail. Needs lists:write.',
    ),
  consentNote: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'How the contacts agreed. They join the list as confirmed, without a mail. The note is also stored with their preferences for topics.',
    ),
});

export type ImportInput = z.output<typeof importInput>;

const importFault = z.object({
  line: z.int().describe('The line in which the row ends, counted from 1.'),
  code: z.string(),
  message: personal('text', z.string()),
});

export type ImportFault = z.output<typeof importFault>;

const count = z.int().min(0);

export const importResource = z
  .object({
    import_id: z.string().describe('Prefix imp_.'),
    status: z.enum(['running', 'completed', 'failed']),
    total: count.describe('The rows of the file without the headings.'),
    created: count.describe('Rows that created a contact.'),
    updated: count.describe('Rows that changed a contact.'),
    unchanged: count,
    rejected: count.describe('Rows with a fault.'),
    faults: z.array(importFault).describe('The first 1,000. If the import failed, the last one says why.'),
    ignored_columns: z.array(z.string()).describe('The headings of the columns that are not imported.'),
    created_at: isoTime,
    finished_at: isoTime.nullable(),
  })
  .meta({ id: 'ContactImport' });

export type ContactImport = z.output<typeof importResource>;
