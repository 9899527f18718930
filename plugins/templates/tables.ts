import type { TableDeclaration } from '../../core/index.ts';

/** A template with its working copy (the draft). */
export interface TemplateRow {
  id: string;
  workspace_id: string;
  key: string;
  name: string;
  category: 'marketing' | 'transactional' | 'system';
  theme_id: string | null;
  status: 'draft' | 'published' | 'archived';
  delivery: 'at-least-once' | 'at-most-once';
  track_opens: number;
  track_clicks: number;
  /** The published version; 0 before the first publish. */
  version: number;
  contract_version: number;
  mode: 'mjml' | 'html';
  subject: string;
  preview_text: string;
  body: string;
  text_part: string | null;
  /** The contract that the author gave; null means inferred from the placeholders. */
  variables: string | null;
  /** Grows with every change of the working copy. */
  revision: number;
  /** The revision that was published last. */
  published_revision: number;
  created_at: number;
  updated_at: number;
  published_at: number | null;
  /** Null means email: a layout is what others are put into, and is never sent. */
  kind: 'layout' | null;
  /** The key of the layout that a publish puts the body into. */
  layout: string | null;
  /** The language of the body itself (BCP 47); null means not said. */
  locale: string | null;
  /** Locale → what differs there, as JSON; null means none. */
  locales: string | null;
}

/** A published version, never changed. */
export interface TemplateVersionRow {
  workspace_id: string;
  template_id: string;
  version: number;
  contract_version: number;
  mode: 'mjml' | 'html';
  /** As authored. */
  source: string;
  /** Compiled, with the Liquid tags kept. */
  subject: string;
  preview_text: string;
  html: string;
  text_part: string;
  contract: string;
  created_at: number;
  layout: string | null;
  /** The layout's published version that was resolved. */
  layout_version: number | null;
  locale: string | null;
  /** Their names, then locale → compiled parts, as JSON (frozen-locales.ts); null means none. */
  locales: string | null;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    templates: TemplateRow;
    template_versions: TemplateVersionRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  templates: { tenant: true },
  template_versions: { tenant: true },
};
