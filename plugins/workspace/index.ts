// The workspace itself and its members, read through every interface. Only the embedding program changes them.
export { workspacePlugin } from './plugin.ts';
