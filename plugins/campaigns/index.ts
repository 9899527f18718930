// Planned emails: planned dates for mails that people will write.
export { campaignsPlugin } from './plugin.ts';
export type { CampaignsService } from './service.ts';
