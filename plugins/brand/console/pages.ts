// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { brandPage } from './brand.ts';
import { brandActions } from './forms.ts';
import { brandList, createAction, findBrands } from './list.ts';

export const brands: ConsolePageContent = { render: brandList, find: findBrands, actions: { create: createAction } };

export const brand: ConsolePageContent = { render: brandPage, actions: brandActions };
