// API keys, read-only. The embedding program and the command line create and revoke them.
export { keysPlugin } from './plugin.ts';
