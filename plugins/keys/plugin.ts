// The keys plugin: shows the keys that the core owns, never a secret.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    keys: CallsOf<typeof operations>;
  }
}

/** Reads of API keys. */
export const keysPlugin = () => definePlugin({ id: 'keys', scopes, operations });
