// The two documents of a workspace, as store.ts reads and changes them.
import { defaultsContent, emptyDefaults, emptyStrategy, strategyContent } from './schema.ts';

export const strategy = { name: 'strategy', content: strategyContent, empty: emptyStrategy } as const;
export const defaults = { name: 'defaults', content: defaultsContent, empty: emptyDefaults } as const;
