// Transactional email: accepting a send, delivering it, its timeline.
import './events.ts';

export type { BulkMail, BulkMailService, BulkRecipient, BulkResult } from './accept/bulk-mail.ts';
export type { SystemMail, SystemMailResult, SystemMailService } from './accept/system-mail.ts';
export type { TestMail } from './accept/test-mail.ts';
export type { TypedSends } from './accept/typed-sends.ts';
export type { Decision, DecisionCode, DecisionReason, FrequencyCap, MarketingFacts } from './decision/decide.ts';
export type {
  LeavingMail,
  MarketingFactsByAddress,
  MarketingFactsSource,
  MarketingQuestion,
  MarketingRecipient,
  SlotClaim,
  SlotQuestion,
} from './decision/marketing-facts.ts';
export type { Forecast, MailDecisionsService, SendingQuestion } from './decision/service.ts';
export type { BroadcastGate, BroadcastSends, SendChange } from './delivery/broadcast-sends.ts';
export type { DeliveryFault, HandedOverMail, MailResults } from './delivery/mail-results.ts';
export type { EmailPluginOptions, UnsubscribeScopeTexts, UnsubscribeTexts, UnsubscribeTopicTexts } from './options.ts';
export { emailPlugin } from './plugin.ts';
export type { IgnoredReason, IngestedMail, IngestMail } from './reports/ingest-mail.ts';
export type { ReportResult, SendReport, SendReportsService } from './reports/send-reports.ts';
export type { SendPublic } from './schema.ts';
export type { TrackingClassifier, TrackingHit, TrackingVerdict } from './tracking/classify.ts';
export { classifyHit } from './tracking/classify.ts';
export type { LinkParameters } from './tracking/link-parameters.ts';
export type { MailPreferences, PreferencesLink } from './tracking/mail-preferences.ts';
