// postrider/plugins/links/port: what a program provides to the links plugin. Types and one declaration.
export type { BlockListAdapter, BlockListEntry } from './block-list.ts';
export type { GeoPlace, GeoReader } from './geo-reader.ts';
