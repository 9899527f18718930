// The keys of objects in the store, made of ids alone.

/** Everything of a workspace begins with this. */
export const workspacePrefix = (workspaceId: string): string => `${workspaceId}/`;

/** The bytes of an asset. */
export const assetKey = (workspaceId: string, assetId: string): string => `${workspaceId}/${assetId}`;

const uploads = 'uploads/';

/** What a client uploads, until it is checked: the signed URL can write it again, so it is never served. */
export const uploadKey = (workspaceId: string, assetId: string): string => `${workspaceId}/${uploads}${assetId}`;

/** The copy of an upload that a job checks: no URL reads or writes it. */
export const checkedKey = (workspaceId: string, assetId: string, jobId: string): string =>
  `${uploadKey(workspaceId, assetId)}.${jobId}`;

/** The asset whose bytes lie at a key of the workspace; undefined for an upload and for what is not ours. */
export function assetOfKey(workspaceId: string, key: string): string | undefined {
  const rest = key.slice(workspaceId.length + 1);
  return /^asset_[0-9A-Z]{26}$/.test(rest) ? rest : undefined;
}

export const isUpload = (workspaceId: string, key: string): boolean => key.startsWith(`${workspaceId}/${uploads}`);
