// Lead magnets. Each row belongs to one side of a workspace.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';
import type { LeadMagnetBuildState } from './building/build-state.ts';
import type { Chapter, ChapterHead, LeadMagnetFormat, LeadMagnetStatus, phases } from './schema.ts';

/** The progress of a build. */
export interface Progress {
  readonly phase: (typeof phases)[number];
  readonly done: number;
  readonly total: number;
}

/** An export, and the hash of its content. */
export interface LastExport {
  readonly assetId: string;
  readonly contentHash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export const leadMagnets = defineTable(
  'lead_magnets',
  {
    id: column.id('lm'),
    sandbox: column.flag(),
    title: column.text(200),
    format: column.word<LeadMagnetFormat>(),
    brief: column.text(8_000).nullable(),
    status: column.word<LeadMagnetStatus>(),
    cover_pages: column.integer(),
    chapters: column.json<readonly Chapter[]>(),
    /** Its chapters without their text. */
    outline: column.json<readonly ChapterHead[]>(),
    /** The hash of title, format, covers and chapters. */
    text_hash: column.key(),
    /** Null: the default brand. */
    brand_id: column.id('brd').nullable(),
    last_export: column.json<LastExport>().nullable(),
    progress: column.json<Progress>().nullable(),
    /** The running build and its results so far; null if no build runs. */
    build: column.json<LeadMagnetBuildState>().nullable(),
    /** Why the last build failed; null if it did not fail. */
    error: column.text().nullable(),
    creation_id: column.id('cre').nullable(),
    ...timestamps,
  },
  { sides: true },
);

export interface LeadMagnetRow extends RowOf<typeof leadMagnets> {}

/** The columns of a lead magnet without its large ones. */
const headColumns = [
  ...(['id', 'sandbox', 'title', 'format', 'brief', 'status', 'cover_pages', 'outline', 'text_hash'] as const),
  ...(['brand_id', 'last_export', 'progress', 'error', 'creation_id', 'created_at', 'updated_at'] as const),
] as const;

export interface LeadMagnetHead extends Pick<LeadMagnetRow, (typeof headColumns)[number]> {}

export const leadMagnetRows: TenantRows<LeadMagnetRow> = tenantRows(leadMagnets);
export const summaryRows: TenantRows<LeadMagnetHead> = tenantRows(leadMagnets, { columns: headColumns });

declare module '../../core/contract/open.ts' {
  interface Tables {
    lead_magnets: StoredRow<typeof leadMagnets>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { lead_magnets: leadMagnets };
