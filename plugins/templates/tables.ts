import type { Selectable } from 'kysely';
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';

const mode = column.word<'mjml' | 'html'>();

/** Templates with their working copy (the draft). The live and the sandbox side of a workspace share them. */
export const templates = defineTable('templates', {
  id: column.id('tpl'),
  key: column.key(),
  name: column.text(200),
  category: column.word<'marketing' | 'transactional' | 'system'>(),
  theme_id: column.id('thm').nullable(),
  /** The topic of a marketing template; null without one. */
  topic_key: column.key().nullable(),
  status: column.word<'draft' | 'published' | 'archived'>(),
  delivery: column.word<'at-least-once' | 'at-most-once'>(),
  track_opens: column.flag(),
  track_clicks: column.flag(),
  /** How long a send stays useful, as an ISO 8601 duration. */
  expires_in: column.word<string>().nullable(),
  /** The published version; 0 before the first publish. */
  version: column.integer(),
  contract_version: column.integer(),
  mode,
  subject: column.text(),
  preview_text: column.text(),
  body: column.text(),
  text_part: column.text().nullable(),
  /** The author's contract; null if the contract is inferred from the placeholders. */
  variables: column.json<Record<string, unknown>>().nullable(),
  /** Incremented by every change of the working copy. */
  revision: column.integer(),
  /** The revision that was published last. */
  published_revision: column.integer(),
  created_at: column.time(),
  updated_at: column.time(),
  published_at: column.time().nullable(),
  /** Null means email. A layout wraps other templates and is never sent. */
  kind: column.word<'layout'>().nullable(),
  /** The key of the layout in which the body is published. */
  layout: column.key().nullable(),
  /** The language of the body itself (BCP 47); null if the author set no language. */
  locale: column.word<string>().nullable(),
  /** Locale → the fields that differ in it; null: no other languages. */
  locales: column.json<Record<string, unknown>>().nullable(),
});

/** Published versions, never changed. */
export const templateVersions = defineTable(
  'template_versions',
  {
    template_id: column.id('tpl'),
    version: column.integer(),
    contract_version: column.integer(),
    mode,
    /** As authored. */
    source: column.json<unknown>(),
    /** Compiled, with the Liquid tags kept. */
    subject: column.text(),
    preview_text: column.text(),
    html: column.text(),
    text_part: column.text(),
    contract: column.json<unknown>(),
    created_at: column.time(),
    layout: column.key().nullable(),
    /** The published version of the layout that was used. */
    layout_version: column.integer().nullable(),
    locale: column.word<string>().nullable(),
    /** The locale names, then locale → compiled parts; null: no other languages. */
    locales: column.json<unknown>().nullable(),
    /** The values of the theme at the time of publishing (theme.ts). */
    theme: column.json<unknown>().nullable(),
    theme_id: column.id('thm').nullable(),
  },
  // A template has several versions.
  { key: 'template_id' },
);

/** Proposals in a service without the approvals plugin, which are stored and never applied. */
export const templateProposals = defineTable('template_proposals', {
  id: column.id('tpp'),
  template_id: column.id('tpl'),
  base_version: column.integer(),
  changes: column.json<Readonly<Record<string, unknown>>>(),
  note: column.text(2_000).nullable(),
  created_at: column.time(),
});

export const proposalRows: TenantRows<RowOf<typeof templateProposals>> = tenantRows(templateProposals);

/** Rows as they are stored, unparsed. Contents and contracts are large, and most readers of a row need neither. */
export type TemplateRow = Omit<Selectable<StoredRow<typeof templates>>, 'workspace_id' | 'sandbox'>;
export type TemplateVersionRow = Omit<Selectable<StoredRow<typeof templateVersions>>, 'workspace_id' | 'sandbox'>;

declare module '../../core/contract/open.ts' {
  interface Tables {
    templates: StoredRow<typeof templates>;
    template_versions: StoredRow<typeof templateVersions>;
    template_proposals: StoredRow<typeof templateProposals>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  templates,
  template_versions: templateVersions,
  template_proposals: templateProposals,
};
