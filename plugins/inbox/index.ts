// The development inbox: sent messages that did not leave the process.
export { inboxPlugin } from './plugin.ts';
export type { InboxService, MessageToStore } from './service.ts';
export type { MessageDetail, MessageItem, MessagePage, ReportResponse, ReportType, SendDetail } from './wire.ts';
