// Planned emails: planned dates for mails that people will write.
export type { PlanChanges } from './plan-changes.ts';
export type { PlannedEmailRow } from './planned-emails.ts';
export { campaignsPlugin } from './plugin.ts';
export type { CampaignsService } from './service.ts';
