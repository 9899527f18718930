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

export const kinds = ['image', 'video', 'gif', 'document'] as const;
export const sources = ['upload', 'url', 'render', 'export', 'compose'] as const;
export const statuses = ['pending', 'ready', 'failed'] as const;

export type AssetKind = (typeof kinds)[number];
export type AssetSource = (typeof sources)[number];
export type AssetStatus = (typeof statuses)[number];

/** Both sides of a workspace read its assets. `is_sandbox` says which side made an asset; only that side may delete it. */
export const assets = defineTable('assets', {
  id: column.id('asset'),
  is_sandbox: column.flag(),
  name: column.text(200),
  status: column.word(...statuses),
  source: column.word(...sources),
  /** Null until the bytes are known. */
  kind: column.word(...kinds).nullable(),
  content_type: column.word<string>().nullable(),
  /** The size of the stored file; before it is stored, the announced size. */
  bytes: column.integer().nullable(),
  width: column.integer().nullable(),
  height: column.integer().nullable(),
  duration_ms: column.integer().nullable(),
  /** The hash of the stored file, in hexadecimal digits; before it is stored, the announced hash. */
  sha256: column.key().nullable(),
  alt: column.text(1_000),
  tags: column.json<readonly string[]>(),
  source_url: column.text(2_048).nullable(),
  error: column.text(500).nullable(),
  /** The job that checks the upload. Only this job sets the final status of the asset, and PUT requests are no longer accepted. */
  check_job_id: column.id('job').nullable(),
  ...timestamps,
});

/** The tags of assets, one row per tag, for the filter of the list. */
export const assetTags = defineTable('asset_tags', {
  id: column.id('atg'),
  asset_id: column.id('asset'),
  tag: column.key(),
  created_at: column.time(),
});

/** The uses of assets, for example by a brand or a published page. Other plugins write them through `ctx.services.assets.use`. */
export const assetUses = defineTable('asset_uses', {
  id: column.id('aus'),
  asset_id: column.id('asset'),
  /** The kind and the id of the resource that uses the asset, such as a brand. They never name a person. */
  user_kind: column.word<string>(),
  user_id: column.key(),
  /** Whether this use is public. Then /media serves the asset. */
  is_public: column.flag(),
  created_at: column.time(),
});

export interface AssetRow extends RowOf<typeof assets> {}
export const assetRows: TenantRows<AssetRow> = tenantRows(assets);
export const tagRows: TenantRows<RowOf<typeof assetTags>> = tenantRows(assetTags);
export const useRows: TenantRows<RowOf<typeof assetUses>> = tenantRows(assetUses);

declare module '../../core/contract/open.ts' {
  interface Tables {
    assets: StoredRow<typeof assets>;
    asset_tags: StoredRow<typeof assetTags>;
    asset_uses: StoredRow<typeof assetUses>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  assets,
  asset_tags: assetTags,
  asset_uses: assetUses,
};
