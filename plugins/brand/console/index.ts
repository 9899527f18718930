// The pages of brands in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofBrands = { area: 'Settings', scopes: ['brand:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofBrands, path: 'brand', title: 'Brands', load: async () => (await pages()).brands },
  { ...ofBrands, path: 'brand/{brandId}', title: 'Brand', load: async () => (await pages()).brand },
];
