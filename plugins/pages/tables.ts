// Pages, their versions, the slugs that they had, and what visitors sent with their forms. Each belongs to one side of a workspace.
import type { RowOf, StoredRow, TableDeclaration, TenantRows } from '../../core/index.ts';
import { column, defineTable, tenantRows, timestamps } from '../../core/index.ts';
import type { Section } from './sections/schema.ts';

export type PageStatus = 'draft' | 'published' | 'unpublished';
export type ComposeStatus = 'queued' | 'building' | 'ready' | 'failed';

/** What visitors see of a page: the working copy, or a version. */
export interface PageContent {
  readonly title: string;
  readonly ctaLabel: string | null;
  readonly metadata: PageMetadata;
  readonly sections: readonly Section[];
  /** Of an imported page: its sanitised HTML, in place of sections. */
  readonly html?: string;
}

export interface PageMetadata {
  readonly title: string | null;
  readonly description: string | null;
  /** An asset or an address; null for the one that publishing makes. */
  readonly ogImageUrl: string | null;
  readonly noindex: boolean;
}

/** How far a build is. */
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
    slug: column.key(),
    status: column.word<PageStatus>(),
    compose_status: column.word<ComposeStatus>(),
    editor: column.word<'current' | 'retired'>(),
    /** The working copy. */
    content: column.json<PageContent>(),
    content_hash: column.key(),
    /** The published version; 0 before the first. */
    version: column.integer(),
    /** The hash of the published content and slug; null before the first. */
    published_hash: column.key().nullable(),
    published_at: column.time().nullable(),
    brief: column.text(8_000),
    objective: column.text(2_000).nullable(),
    vibe: column.text(200).nullable(),
    length: column.text(50).nullable(),
    brand_id: column.id('brd'),
    progress: column.json<BuildProgress>(),
    /** What the build has made so far; null where none runs. */
    build: column.json<Readonly<Record<string, unknown>>>().nullable(),
    /** The composeStatus before a rebuild, to which a failed one returns. */
    before_build: column.word<ComposeStatus>().nullable(),
    hold_id: column.id().nullable(),
    error: column.text().nullable(),
    og_asset_id: column.id('asset').nullable(),
    approval_id: column.id('apr').nullable(),
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
    content_hash: column.key(),
    created_at: column.time(),
  },
  { sides: true },
);

/** Slugs that published pages had: they redirect for 400 days. */
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

export const pageSubmissions = defineTable(
  'page_submissions',
  {
    id: column.id('sub'),
    sandbox: column.flag(),
    page_id: column.id('pg'),
    slug: column.key(),
    form_id: column.key(),
    fields: column.json<Readonly<Record<string, string>>>(),
    email: column.address().nullable(),
    email_as_given: column.text(320).nullable(),
    consent_text: column.text().nullable(),
    list_id: column.id('lst').nullable(),
    sequence_key: column.key().nullable(),
    lead_magnet_id: column.id('lm').nullable(),
    contact_id: column.id('con').nullable(),
    confirmed_at: column.time().nullable(),
    created_at: column.time(),
  },
  { sides: true },
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

export const pageRows: TenantRows<PageRow> = tenantRows(pages);
export const versionRows: TenantRows<PageVersionRow> = tenantRows(pageVersions);
export const slugRows: TenantRows<PageSlugRow> = tenantRows(pageSlugs);
export const submissionRows: TenantRows<PageSubmissionRow> = tenantRows(pageSubmissions);
