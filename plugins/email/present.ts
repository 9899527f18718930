// Sends as they are shown: on reads, in lists, in the data of events.
import type { ServiceSurface } from '../../core/index.ts';
import { toIsoTime } from '../../core/index.ts';
import type { InboxService } from '../inbox/index.ts';
import type { SendPublic, TimelineItem } from './schema.ts';
import type { SendEventRow, SendRow } from './tables.ts';

/** Facts of a timeline item beside its id, type and time. */
export type TimelineDetails = Omit<TimelineItem, 'id' | 'type' | 'ts'>;

export const presentEvent = (row: SendEventRow): TimelineItem => ({
  id: row.id,
  type: row.type,
  ts: toIsoTime(row.ts),
  ...(JSON.parse(row.details) as TimelineDetails),
});

export function presentSend(row: SendRow, events: readonly SendEventRow[]): SendPublic {
  const stripped = JSON.parse(row.stripped_headers) as string[];
  return {
    id: row.id,
    messageId: row.message_id,
    status: row.status,
    templateKey: row.template_key,
    templateVersion: row.template_version,
    to: row.to_address,
    from: { email: row.from_email, name: row.from_name },
    subject: row.subject,
    ...(row.locale === null ? {} : { locale: row.locale }),
    connectorProvider: row.provider,
    apiKeyId: row.api_key_id,
    sandbox: row.sandbox === 1,
    ...(row.test === 1 ? { test: true } : {}),
    tags: JSON.parse(row.tags) as string[],
    ...(row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as NonNullable<SendPublic['metadata']> }),
    createdAt: toIsoTime(row.created_at),
    ...(row.scheduled_at === null ? {} : { scheduledAt: toIsoTime(row.scheduled_at) }),
    opens: row.opens,
    clicks: row.clicks,
    events: events.map(presentEvent),
    ...(row.why_not_sent === null ? {} : { whyNotSent: row.why_not_sent }),
    ...(stripped.length === 0 ? {} : { strippedHeaders: stripped }),
    ...(row.scenario === null ? {} : { simulation: { scenario: row.scenario as 'delivered', synthetic: true } }),
  };
}

/** A send as callers are answered: with the place where it can be looked at, where it stayed in the sandbox. */
export function answerSend({ services }: ServiceSurface, row: SendRow, shown: SendPublic): SendPublic {
  const inbox: InboxService | undefined = services.inbox;
  const inboxUrl = row.sandbox === 1 ? inbox?.urlOf(row.workspace_id, row.id) : undefined;
  return inboxUrl === undefined ? shown : { ...shown, inboxUrl };
}
