// Canvases of layers in the sizes of the channels, rendered as pictures.
export type { DesignPrices, DesignsOptions } from './options.ts';
export { designsPlugin } from './plugin.ts';
export type { CompositionSummary, DesignsService } from './service.ts';
