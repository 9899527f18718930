// Transactional SMS: reserved keys, consents, opt-outs and delivery.
import './events.ts';

export type { QuietHours } from '../../core/unstable.ts';
export type { SmsEventData } from './events.ts';
export type { SmsLimits, SmsPluginOptions, SmsSuspicion } from './options.ts';
export { smsPlugin } from './plugin.ts';
export type { SmsProvisioning, SmsSettings, SmsWording } from './provisioning.ts';
export type { Consent, SmsPublic } from './schema.ts';
export type { SmsService, SmsTemplateChanges, SmsText } from './service.ts';
