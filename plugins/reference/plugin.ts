// The reference plugin: the API as a page, made of what is composed beside it. It reads declarations only, never rows.
import { definePlugin } from '../../core/index.ts';
import { examples } from './examples.gen.ts';
import type { ReferenceOptions } from './options.ts';
import { createRoutes } from './routes.ts';

/** The API reference at /docs: open in development; in production where `public` or `authorize` say so. */
export const referencePlugin = (options: ReferenceOptions = {}) =>
  definePlugin({ id: 'reference', publicRoutes: createRoutes(options), examples });
