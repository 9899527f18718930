// Transactional email: accepting a send, delivering it, its timeline.
import './events.ts';

export type { MailPreferences, PreferencesLink } from './mail-preferences.ts';
export type { EmailPluginOptions, UnsubscribeScopeTexts, UnsubscribeTexts } from './options.ts';
export { emailPlugin } from './plugin.ts';
export type { ReportOutcome, SendReport, SendReportsService } from './reports.ts';
export type { SendPublic } from './schema.ts';
export type { SystemMail, SystemMailOutcome, SystemMailService } from './system-mail.ts';
export type { TrackingClassifier, TrackingHit, TrackingVerdict } from './tracking/classify.ts';
export { classifyHit } from './tracking/classify.ts';
export type { TypedSends } from './typed-sends.ts';
