// `ctx.services.assets`: what other plugins do with assets. They read bytes and write them outside of any transaction, and
// record in their own transaction which assets they use.
import type { TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import type { ByteRange } from './port/index.ts';
import type { AssetShown } from './schema.ts';
import type { AssetKind, AssetRow, AssetSource } from './tables.ts';

/** Where a call stands that reads or writes bytes: the context of `prepare`, of a job, or of a public route with its workspace. */
export interface AssetPlace {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal;
}

/** Bytes to store. */
export interface NewAsset {
  /** A label, at most 200 characters. Never a path. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The type that the caller expects: bytes of another type are refused. (Default: any type that assets have) */
  readonly contentType?: string;
  /** `render` for pictures and QR codes, `export` for documents, `compose` for what a model made. */
  readonly source: AssetSource;
  /** At most 20, each at most 50 characters. (Default: none) */
  readonly tags?: readonly string[];
  /** (Default: empty) */
  readonly alt?: string;
}

/** Bytes that lie in the store, checked, and not yet an asset: `add` makes one. */
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

/** What uses assets. */
export interface AssetUser {
  /** Such as `brand`, `page`, `blog_post`, `social_post`: shown in `asset_in_use`. */
  readonly kind: string;
  readonly id: string;
  /** Whether the assets are public there, so that /media serves them: a published page, a blog post, a brand. */
  readonly isPublic: boolean;
}

/** `ctx.services.assets`. */
export interface AssetsService {
  /** Whether the workspace has a store, so that assets can be made. */
  hasStore(workspaceId: string): Promise<boolean>;
  /** The asset, whichever side made it. `lock` keeps it from being deleted until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, assetId: string, lock?: 'share'): Promise<AssetRow | undefined>;
  /** The same for several, by id; ids without an asset are missing in the map. */
  findAll(handle: WorkspaceHandle, assetIds: readonly string[], lock?: 'share'): Promise<ReadonlyMap<string, AssetRow>>;
  /** The bytes as a stream, outside a transaction. @throws AssetStoreError */
  open(place: AssetPlace, assetId: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /**
   * All bytes, outside a transaction: for what a renderer needs whole.
   * @throws AssetStoreError; `refused` where there are more than `maxBytes` (Default: 25 MB)
   */
  read(place: AssetPlace, assetId: string, maxBytes?: number): Promise<Uint8Array>;
  /**
   * The same for a waiting caller.
   * @throws asset_not_found, asset_invalid where there are more, asset_store_unavailable
   */
  readForCaller(place: AssetPlace, assetId: string, maxBytes?: number): Promise<Uint8Array>;
  /**
   * Checks bytes and writes them to the store, outside a transaction: in `prepare` (not of a dry run) or in a job. Bytes of
   * which `add` makes no asset are removed by a schedule within a day.
   * @throws asset_invalid, AssetStoreError
   */
  store(place: AssetPlace, given: NewAsset): Promise<StoredAsset>;
  /** Makes the asset, in the caller's transaction and on its side. @throws limit_reached */
  add(effects: TransactionContext, stored: StoredAsset): Promise<AssetRow>;
  /** The same for what a workspace can do without: undefined where its limit leaves no room. */
  addIfRoom(effects: TransactionContext, stored: StoredAsset): Promise<AssetRow | undefined>;
  /**
   * Records that `user` uses exactly these assets from now on, and locks them against deletion: none deletes what is in use.
   * An empty list ends its uses.
   * @throws asset_not_found, asset_invalid for one that is not ready
   */
  use(effects: TransactionContext, user: AssetUser, assetIds: readonly string[]): Promise<void>;
  /** Deletes an asset that another plugin made. One that something uses stays. Its file is removed soon after. */
  remove(effects: TransactionContext, assetId: string): Promise<void>;
  /** The asset as the API shows it. Its URL is valid for `urlMs`, in milliseconds. (Default: 24 hours) Computes only. */
  present(workspaceId: string, row: AssetRow, urlMs?: number): AssetShown;
  /** The public address of an asset that is publicly used: `<publicUrl>/media/asset_…`. */
  mediaUrl(assetId: string): string;
  /** The error for an id that no asset has, so that other plugins raise the same one. */
  notFound(id: string): Error;
  /** The error for an asset that cannot be used. `reason`: whole sentences. */
  invalid(reason: string): Error;
}
