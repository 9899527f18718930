// The standard set of feature areas: what most programs compose.
import { auditPlugin } from './audit/index.ts';
import { emailPlugin } from './email/index.ts';
import { keysPlugin } from './keys/index.ts';
import { suppressionsPlugin } from './suppressions/index.ts';
import { templatesPlugin } from './templates/index.ts';
import { workspacePlugin } from './workspace/index.ts';

/** Every plugin with its default options, ready for `createService({ plugins: standardPlugins })`. */
export const standardPlugins = [
  workspacePlugin(),
  keysPlugin(),
  auditPlugin(),
  templatesPlugin(),
  suppressionsPlugin(),
  emailPlugin(),
] as const;
