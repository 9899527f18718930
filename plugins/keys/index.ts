// API keys, read only: the embedding program and the command line create and revoke them.
export { keysPlugin } from './plugin.ts';
