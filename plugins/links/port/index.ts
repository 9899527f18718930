// postrider/plugins/links/port: what a program gives the links plugin from outside. Types and one declaration.
export type { BlockListAdapter, BlockListEntry } from './block-list.ts';
export type { GeoPlace, GeoReader } from './geo-reader.ts';
