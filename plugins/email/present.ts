// Sends as the API shows them: in reads, in lists and in the data of events.
import { type OperationContext, toIsoTime } from '../../core/index.ts';
import type { InboxService } from '../inbox/index.ts';
import type { SendPublic, SendTimelineItem } from './schema.ts';
import type { SendEventRow, SendRow } from './tables.ts';

export const presentEvent = (row: SendEventRow): SendTimelineItem => ({
  id: row.id,
  type: row.type,
  ts: toIsoTime(row.ts),
  ...row.details,
});

/** A send that is scheduled without a known time has `scheduledAt: null`; a send that was never scheduled has no `scheduledAt`. */
function scheduledTime({ status, scheduled_at: at }: SendRow): { readonly scheduledAt?: string | null } {
  if (at !== null) return { scheduledAt: toIsoTime(at) };
  return status === 'scheduled' ? { scheduledAt: null } : {};
}

export function presentSend(row: SendRow, events: readonly SendEventRow[]): SendPublic {
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
    sandbox: row.sandbox,
    ...(row.test ? { test: true } : {}),
    tags: row.tags,
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
    createdAt: toIsoTime(row.created_at),
    ...scheduledTime(row),
    ...(row.expires_at === null ? {} : { expiresAt: toIsoTime(row.expires_at) }),
    opens: row.opens,
    clicks: row.clicks,
    events: events.map(presentEvent),
    ...(row.why_not_sent === null ? {} : { whyNotSent: row.why_not_sent }),
    ...(row.stripped_headers.length === 0 ? {} : { strippedHeaders: row.stripped_headers }),
    ...(row.scenario === null ? {} : { simulation: { scenario: row.scenario, synthetic: true } }),
  };
}

/** A send in a response. For a sandbox send, adds a link to its message in the inbox. */
export function sendResponse({ services, workspace }: OperationContext, row: SendRow, shown: SendPublic): SendPublic {
  const inbox: InboxService | undefined = services.inbox;
  const inboxUrl = row.sandbox ? inbox?.urlOf(workspace.id, row.id) : undefined;
  return inboxUrl === undefined ? shown : { ...shown, inboxUrl };
}
