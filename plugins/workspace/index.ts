// The workspace itself and its members, readable through every interface. Only the embedding program changes them.
export { workspacePlugin } from './plugin.ts';
