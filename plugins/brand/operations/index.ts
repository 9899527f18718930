import { createBrand } from './create-brand.ts';
import { listBrands } from './list-brands.ts';
import { readBrand } from './read-brand.ts';
import { updateBrand } from './update-brand.ts';

export const operations = [listBrands, readBrand, createBrand, updateBrand] as const;
