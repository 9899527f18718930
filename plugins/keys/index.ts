// API keys, read only: they are made and revoked by the embedding program and the command line.
export { keysPlugin } from './plugin.ts';
