// The assets plugin: files of workspaces, in a store that the program configures.
import { type CallsOf, checkOptions, definePlugin, definePort, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { createAssetsService } from './create-service.ts';
import { errors } from './errors.ts';
import { fetchSource } from './jobs/fetch-source.ts';
import { finishUpload } from './jobs/finish-upload.ts';
import { removeBytes } from './jobs/remove-bytes.ts';
import { sweep } from './jobs/sweep.ts';
import { migration0001 } from './migrations/0001-assets.ts';
import { noAssets } from './no-assets.ts';
import { operations } from './operations/index.ts';
import type { AssetsPluginOptions } from './options.ts';
import type { AssetStore } from './port/index.ts';
import { allowUpload } from './routes/cross-origin.ts';
import { readByToken, readMedia } from './routes/read-routes.ts';
import { takeUpload } from './routes/upload-route.ts';
import { sweepStores } from './schedules.ts';
import { scopes } from './scopes.ts';
import type { AssetsService } from './service.ts';
import { tables } from './tables.ts';
import { removeWorkspaceBytes } from './workspace-removed.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    assets: CallsOf<ReturnType<typeof operations>>;
  }
  interface Services {
    assets: AssetsService;
  }
  interface Ports {
    assets: { plugin: 'assets'; adapter: AssetStore };
  }
}

/** Assets: pictures, videos and documents. */
export const assetsPlugin = (options: AssetsPluginOptions = {}) => {
  checkOptions<AssetsPluginOptions>('assetsPlugin', options, { limits: 'optional' });
  return definePlugin({
    id: 'assets',
    searchWords: {
      asset: [
        'picture',
        'image',
        'photo',
        'file',
        'upload',
        'logo',
        'media',
        'library',
        'video',
        'document',
        'attachment',
      ],
      create_asset: ['keep', 'store', 'here', 'save'],
    },
    scopes,
    operations: operations(options),
    console: consolePages,
    publicRoutes: [readByToken, takeUpload, allowUpload, readMedia],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [finishUpload, fetchSource(options), removeBytes, sweep],
    schedules: [sweepStores],
    services: { assets: createAssetsService(options) },
    workspaceRemoved: removeWorkspaceBytes,
    ports: {
      assets: definePort<AssetStore>({
        description: 'Keeps the files of assets.',
        methods: ['put', 'get', 'head', 'copy', 'delete', 'list'],
        suite: 'assetAdapterSuite of postrider/plugins/assets/testing',
        default: noAssets,
      }),
    },
  });
};
