// zod as this package uses and exports it: the same functions, but their schemas are built at the first use (lazy-schema.ts),
// and the locales are left out, because they are fifty files. A program that needs the locales imports 'zod/locales'.
import * as zod from 'zod';
import { lazily } from './lazy-schema.ts';

export * from 'zod';
/** Not part of this package. */
export const locales: undefined = undefined;
/** Not part of this package. Import the namespace itself as `z`. */
export const z: undefined = undefined;

export const string = lazily(zod.string, () => ({ maxLength: Number.POSITIVE_INFINITY }));
export const number = lazily(zod.number);
export const int = lazily(zod.int);
export const boolean = lazily(zod.boolean);
export const stringbool = lazily(zod.stringbool);
export const literal = lazily(zod.literal);
export const unknown = lazily(zod.unknown);
export const never = lazily(zod.never);
export const email = lazily(zod.email);
export const url = lazily(zod.url);
const fieldsOf = (shape = {}) => ({ fields: () => Object.keys(shape) });
export const object = lazily(zod.object, fieldsOf);
export const strictObject = lazily(zod.strictObject, fieldsOf);
export const looseObject = lazily(zod.looseObject, fieldsOf);
export const array = lazily(zod.array);
export const record = lazily(zod.record);
export const union = lazily(zod.union);
export const discriminatedUnion = lazily(zod.discriminatedUnion);
const lazyEnum = lazily(zod.enum);
const lazyNull = lazily(zod.null);

export { lazyEnum as enum, lazyNull as null };
