// Turns events of the product into social posts.
export type { SocialEventsOptions, SocialEventTemplate } from './options.ts';
export { socialEventsPlugin } from './plugin.ts';
export type { SocialEventRun } from './schema.ts';
export type { Wordings as SocialEventWordings } from './wordings.ts';
