// Brands: the voice, the colours, the fonts and the logos that what a workspace sends is made with.
export { brandPlugin } from './plugin.ts';
export type { BrandLook, BrandsService, ThemeValues } from './service.ts';
