// Broadcasts: one mail to an audience, to each address exactly once.
import './events.ts';

export type { BroadcastRow } from './broadcasts.ts';
export type { ConversionSetting } from './conversions/settings.ts';
export type { ConversionMail, ConversionSource, MailOrigin } from './conversions/sources.ts';
export { broadcastsPlugin } from './plugin.ts';
export { writeSampleReport } from './sample-report.ts';
export type { BroadcastsService, PlannedBroadcast } from './service.ts';
