// Canvases of layers in the sizes of the channels, rendered as pictures.
export { designsPlugin } from './plugin.ts';
