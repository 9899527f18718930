// The keys of objects in the store. They consist of ids alone.

/** The prefix of all keys of a workspace. */
export const workspacePrefix = (workspaceId: string): string => `${workspaceId}/`;

/** The key of an asset's bytes. */
export const assetKey = (workspaceId: string, assetId: string): string => `${workspaceId}/${assetId}`;

const uploads = 'uploads/';

/** The key of an upload until it is checked. The signed URL can overwrite it, so it is never served. */
export const uploadKey = (workspaceId: string, assetId: string): string => `${workspaceId}/${uploads}${assetId}`;

/** The key of the copy of an upload that a job checks. No URL reads or writes it. */
export const checkedKey = (workspaceId: string, assetId: string, jobId: string): string =>
  `${uploadKey(workspaceId, assetId)}.${jobId}`;

/** The id of the asset with this key; undefined for an upload and for an object of another origin. */
export function assetOfKey(workspaceId: string, key: string): string | undefined {
  const path = key.slice(workspaceId.length + 1);
  return /^asset_[0-9A-Z]{26}$/.test(path) ? path : undefined;
}

export const isUpload = (workspaceId: string, key: string): boolean => key.startsWith(`${workspaceId}/${uploads}`);
