// Brands: the voice, colours, fonts and logos of the content that a workspace sends.
export { brandPlugin } from './plugin.ts';
export type { BrandStyle, BrandsService, ThemeValues } from './service.ts';
