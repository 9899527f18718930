// The workspace itself and its members, read over every door. Changed by the embedding program only.
export { workspacePlugin } from './plugin.ts';
