// postrider/plugins/links/port: the interfaces that a program provides to the links plugin. Types and one declaration.
export type { BlockListAdapter, BlockListEntry } from './block-list.ts';
export type { GeoLocation, GeoReader } from './geo-reader.ts';
