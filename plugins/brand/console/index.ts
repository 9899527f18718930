// The pages of brands in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { brandPage } from './brand.ts';
import { brandActions } from './forms.ts';
import { brandList, createAction } from './list.ts';

const ofBrands = { area: 'Settings', scopes: ['brand:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofBrands, path: 'brand', title: 'Brands', render: brandList, actions: { create: createAction } },
  { ...ofBrands, path: 'brand/{brandId}', title: 'Brand', render: brandPage, actions: brandActions },
];
