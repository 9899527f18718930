// Transactional email: accepting a send, delivering it, its timeline.
import './events.ts';

export { emailPlugin } from './plugin.ts';
export type { ReportOutcome, SendReport, SendReportsService } from './reports.ts';
export type { SendPublic } from './schema.ts';
