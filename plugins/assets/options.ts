import type { Workspace } from '../../core/index.ts';

/** Options of `assetsPlugin`. */
export interface AssetsPluginOptions {
  readonly limits?: {
    /**
     * The maximum number of bytes of all assets of a workspace together: a number, or a function of the workspace, for limits
     * that depend on its plan. (Default: 5 GB, 5,368,709,120)
     */
    readonly assetBytes?: number | ((workspace: Workspace) => number);
  };
}
