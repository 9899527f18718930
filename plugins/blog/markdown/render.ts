// The Markdown of posts.
export { type RenderedText, renderText, textFault, withPictures } from '../../../core/unstable.ts';
