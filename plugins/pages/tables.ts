// Pages, their versions, their former slugs, and the submissions of their forms. Each row belongs to one side of a
// workspace.
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
import type { PageBuildState } from './build/build-state.ts';
import type { PageText } from './rendering/texts.ts';
import type { Section, SectionKind } from './sections/schema.ts';
import type { ComposeStatus, PageEditor, PageStatus } from './states.ts';

/** The content that visitors see of a page: the working copy, or a version. */
export interface PageContent {
  readonly title: string;
  readonly ctaLabel: string | null;
  readonly metadata: PageMetadata;
  readonly sections: readonly Section[];
  /** For an imported page: its sanitised HTML, instead of sections. */
  readonly html?: string;
}

export interface PageMetadata {
  readonly title: string | null;
  readonly description: string | null;
  /** An https address; null: the picture that publishing makes. */
  readonly ogImageUrl: string | null;
  readonly noindex: boolean;
  /** The BCP 47 tag of its texts; null if none was given. */
  readonly language: string | null;
}

/** A section without its content. */
export interface SectionSummary {
  readonly id: string;
  readonly kind: SectionKind;
  readonly heading: string | null;
}

/** The progress of a build. */
export interface BuildProgress {
  readonly phase: 'waiting' | 'outline' | 'sections' | 'images' | 'done';
  readonly done: number;
  readonly total: number;
}

export const pages = defineTable(
  'pages',
  {
    id: column.id('pg'),
    sandbox: column.flag(),
    /** The slug of the working copy. Visitors find the page under `published_slug`. */
    slug: column.key(),
    status: column.word<PageStatus>(),
    compose_status: column.word<ComposeStatus>(),
    editor: column.word<PageEditor>(),
    /** The working copy: title, label, metadata, sections. An imported page has HTML instead of sections. */
    title: column.text(200),
    cta_label: column.text(80).nullable(),
    metadata: column.json<PageMetadata>(),
    sections: column.json<readonly Section[]>(),
    html: column.text().nullable(),
    /**
     * The HTML of its Markdown. It is rendered when a caller sends the texts, never when a visitor requests the page.
     */
    texts: column.json<readonly PageText[]>(),
    /** Its sections without their content. */
    outline: column.json<readonly SectionSummary[]>(),
    /** The hash of the working copy with its slug. */
    content_hash: column.key(),
    /** The published version; 0 before the first publish. */
    version: column.integer(),
    /** The hash of the content published last, including its slug; null before the first publish. */
    published_hash: column.key().nullable(),
    /** The slug under which it was published last; null before the first publish. */
    published_slug: column.key().nullable(),
    published_at: column.time().nullable(),
    /** The ids of the lists that the forms of the published version use, comma-separated. */
    list_ids: column.text().nullable(),
    /** The picture for social networks that publishing made. */
    og_asset_id: column.id('asset').nullable(),
    brief: column.text(8_000),
    objective: column.text(2_000).nullable(),
    vibe: column.text(200).nullable(),
    length: column.text(50).nullable(),
    brand_id: column.id('brd'),
    progress: column.json<BuildProgress>(),
    /** The running build and its results so far; null if no build runs. */
    build: column.json<PageBuildState>().nullable(),
    /** Why the last build failed; null if it did not fail. */
    error: column.text().nullable(),
    creation_id: column.id('cre').nullable(),
    ...timestamps,
  },
  { sides: true },
);

export const pageVersions = defineTable(
  'page_versions',
  {
    id: column.id('pgv'),
    sandbox: column.flag(),
    page_id: column.id('pg'),
    version: column.integer(),
    slug: column.key(),
    title: column.text(200),
    content: column.json<PageContent>(),
    texts: column.json<readonly PageText[]>(),
    content_hash: column.key(),
    created_at: column.time(),
  },
  { sides: true },
);

/** Former slugs of published pages. They redirect for 400 days. */
export const pageSlugs = defineTable(
  'page_slugs',
  {
    id: column.id('pgs'),
    sandbox: column.flag(),
    slug: column.key(),
    page_id: column.id('pg'),
    until: column.time(),
    created_at: column.time(),
  },
  { sides: true },
);

export type SubmissionStatus = 'received' | 'trapped';

export const pageSubmissions = defineTable(
  'page_submissions',
  {
    id: column.id('sub'),
    sandbox: column.flag(),
    page_id: column.id('pg'),
    slug: column.key(),
    form_id: column.key(),
    /** trapped: a program may have sent it, so nobody was asked to confirm it. */
    status: column.word<SubmissionStatus>(),
    fields: column.json<Readonly<Record<string, string>>>(),
    /** The given address, normalised; null if the form has no email field. */
    email: column.address().nullable(),
    email_as_given: column.text(320).nullable(),
    consent_text: column.text().nullable(),
    list_id: column.id('lst').nullable(),
    sequence_key: column.key().nullable(),
    lead_magnet_id: column.id('lm').nullable(),
    /** The BCP 47 tag of the page's texts; mails use this language. */
    language: column.key(),
    contact_id: column.id('con').nullable(),
    confirmed: column.flag(),
    confirmed_at: column.time().nullable(),
    /** The start of its retention: the time of the last confirmation request, or of the confirmation. */
    kept_from: column.time(),
    created_at: column.time(),
  },
  {
    sides: true,
    personal: {
      columns: { email: 'address', email_as_given: 'raw_address', contact_id: 'person', fields: 'text' },
      rows: 'remove',
    },
  },
);

export interface PageRow extends RowOf<typeof pages> {}
export interface PageVersionRow extends RowOf<typeof pageVersions> {}
export interface PageSlugRow extends RowOf<typeof pageSlugs> {}
export interface PageSubmissionRow extends RowOf<typeof pageSubmissions> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    pages: StoredRow<typeof pages>;
    page_versions: StoredRow<typeof pageVersions>;
    page_slugs: StoredRow<typeof pageSlugs>;
    page_submissions: StoredRow<typeof pageSubmissions>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  pages,
  page_versions: pageVersions,
  page_slugs: pageSlugs,
  page_submissions: pageSubmissions,
};

/** The columns of a page without its large ones. */
const headColumns = [
  ...(['id', 'sandbox', 'slug', 'status', 'compose_status', 'editor', 'title', 'cta_label', 'metadata'] as const),
  ...(['outline', 'content_hash', 'version', 'published_hash', 'published_slug', 'published_at'] as const),
  ...(['og_asset_id', 'objective', 'vibe', 'length', 'brand_id', 'progress', 'error', 'creation_id'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const;

export interface PageHead extends Pick<PageRow, (typeof headColumns)[number]> {}

export const pageRows: TenantRows<PageRow> = tenantRows(pages);
export const summaryRows: TenantRows<PageHead> = tenantRows(pages, { columns: headColumns });
export const versionRows: TenantRows<PageVersionRow> = tenantRows(pageVersions);
/** Versions without their content. */
export const versionHeads = tenantRows(pageVersions, {
  columns: ['id', 'page_id', 'version', 'title', 'content_hash', 'created_at'],
});
export const slugRows: TenantRows<PageSlugRow> = tenantRows(pageSlugs);
export const submissionRows: TenantRows<PageSubmissionRow> = tenantRows(pageSubmissions);
