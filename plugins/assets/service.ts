// `ctx.services.assets`: the assets API for other plugins. They read and write bytes outside of any transaction, and record in
// their own transaction which assets they use.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import type { AssetByteRange } from './port/index.ts';
import type { AssetView } from './schema.ts';
import type { AssetKind, AssetRow, AssetSource } from './tables.ts';

/** The context of a call that reads or writes bytes: of `prepare`, of a job, or of a public route with its workspace. */
export interface AssetContext {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal;
}

/** Bytes to store. */
export interface NewAsset {
  /** A label, at most 200 characters. Never a path. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The expected type: bytes of another type are refused. (Default: any type that assets have) */
  readonly contentType?: string;
  /** `render` for pictures and QR codes, `export` for documents, `compose` for the output of a model. */
  readonly source: AssetSource;
  /** At most 20, each at most 50 characters. (Default: none) */
  readonly tags?: readonly string[];
  /** (Default: empty) */
  readonly alt?: string;
}

/** Checked bytes in the store that are not an asset yet. `add` makes the asset. */
export interface StoredAsset {
  readonly assetId: string;
  readonly name: string;
  readonly source: AssetSource;
  readonly tags: readonly string[];
  readonly alt: string;
  readonly kind: AssetKind;
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly sha256: string;
}

/** A resource that uses assets. */
export interface AssetUser {
  /** The kind of the resource, such as `brand`, `page`, `blog_post` or `social_post`. The error `asset_in_use` shows it. */
  readonly kind: string;
  readonly id: string;
  /** Whether the resource is public, such as a published page, a blog post or a brand. Then /media serves its assets. */
  readonly isPublic: boolean;
}

/** Reads, stores and presents assets for other plugins. */
export interface AssetsService {
  /** Whether the workspace has a store, so that it can have assets. */
  hasStore(workspaceId: string): Promise<boolean>;
  /** The asset, of either side. `lock` keeps it from being deleted until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, assetId: string, lock?: 'share'): Promise<AssetRow | undefined>;
  /** Several assets, by id. Ids without an asset are left out. `lock`: as for `find`. */
  findAll(handle: WorkspaceHandle, assetIds: readonly string[], lock?: 'share'): Promise<ReadonlyMap<string, AssetRow>>;
  /** The bytes as a stream. Called outside a transaction. @throws AssetStoreError */
  open(context: AssetContext, assetId: string, range?: AssetByteRange): Promise<AsyncIterable<Uint8Array>>;
  /**
   * All bytes, for renderers that need the whole file. Called outside a transaction.
   * @throws AssetStoreError; `refused` if there are more than `maxBytes` (Default: 25 MB)
   */
  read(context: AssetContext, assetId: string, maxBytes?: number): Promise<Uint8Array>;
  /**
   * Like `read`, but with errors for an API caller.
   * @throws asset_not_found, asset_invalid if there are more than `maxBytes`, asset_store_unavailable
   */
  readForCaller(context: AssetContext, assetId: string, maxBytes?: number): Promise<Uint8Array>;
  /**
   * Checks bytes and writes them to the store. Called outside a transaction: in `prepare` (not in a dry run) or in a job. If `add` is not
   * called for the bytes, a schedule removes them within a day.
   * @throws asset_invalid, AssetStoreError
   */
  store(context: AssetContext, input: NewAsset): Promise<StoredAsset>;
  /** Inserts the asset in the caller's transaction, on the caller's side. @throws limit_reached */
  add(ctx: TransactionContext, stored: StoredAsset): Promise<AssetRow>;
  /** Like `add`, for assets that are optional: returns undefined if the workspace's limit leaves no room. */
  addWithinLimit(ctx: TransactionContext, stored: StoredAsset): Promise<AssetRow | undefined>;
  /**
   * Records that `user` uses exactly these assets from now on, and locks them until the transaction ends. A used asset cannot be
   * deleted. An empty list ends all uses of the user.
   * @throws asset_not_found; asset_invalid if an asset is not ready
   */
  use(ctx: TransactionContext, user: AssetUser, assetIds: readonly string[]): Promise<void>;
  /** Deletes an asset that another plugin made, unless something uses it. Its file is removed soon after. */
  remove(ctx: TransactionContext, assetId: string): Promise<void>;
  /** The asset as the API shows it. Its URL is valid for `urlMs` milliseconds. (Default: 24 hours) Makes no calls. */
  present(workspaceId: string, row: AssetRow, urlMs?: number): AssetView;
  /** The public URL of an asset with a public use: `<publicUrl>/media/asset_…`. */
  mediaUrl(assetId: string): string;
  /** The error for an id that no asset has. Other plugins throw it, too. */
  notFound(id: string): Error;
  /** The error for an asset that cannot be used. `reason`: whole sentences. */
  invalid(reason: string): Error;
}
