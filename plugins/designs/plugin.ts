// The designs plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-designs.ts';
import { operations } from './operations/index.ts';
import type { DesignsOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { thumbnail } from './routes/thumbnail.ts';
import { scopes } from './scopes.ts';
import { createDesignsService, type DesignsService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    designs: CallsOf<typeof operations>;
  }
  interface Services {
    designs: DesignsService;
  }
}

/** Canvases of layers in the sizes of the channels, rendered as pictures. */
export const designsPlugin = (options: DesignsOptions = {}) => {
  checkOptions<DesignsOptions>('designsPlugin', options, { prices: 'optional' });
  return definePlugin({
    id: 'designs',
    searchWords: {
      composition: [
        'banner',
        'graphic',
        'picture',
        'image',
        'visual',
        'ad',
        'cover',
        'design',
        'story',
        'post',
        'thumbnail',
        'header',
        'flyer',
        'poster',
        'text',
        'heading',
      ],
      canvas: ['dimensions', 'pixels', 'width', 'height', 'format', 'resolution', 'big', 'size', 'large'],
    },
    requires: ['templates', 'brand', 'assets'],
    scopes,
    operations,
    console: consolePages,
    publicRoutes: [thumbnail],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    personalData,
    services: { designs: createDesignsService(options) },
  });
};
