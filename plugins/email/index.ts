// Transactional email: accepting a send, delivering it, its timeline.
export { emailPlugin } from './plugin.ts';
export type { SendPublic } from './schema.ts';
