// Short links: redirects, their clicks and analytics.
import './events.ts';

export type { CdnName, LinksOptions } from './options.ts';
export { linksPlugin } from './plugin.ts';
export type { BlockListAdapter, BlockListEntry } from './port/block-list.ts';
export type { GeoLocation, GeoReader } from './port/geo-reader.ts';
export type { LinkProvisioning } from './provisioning.ts';
export type { LinkTexts } from './redirect/texts.ts';
export { writeSampleClicks } from './sample-clicks.ts';
export type { LinkResource } from './schema.ts';
export type { LinksService } from './service.ts';
