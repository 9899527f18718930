// Messages and consents as the API shows them.
import { type OperationContext, toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import type { InboxService } from '../inbox/index.ts';
import type { Consent, SmsPublic, SmsTimelineItem } from './schema.ts';
import type { ConsentRow, SmsEventRow, SmsRow } from './tables.ts';

export const presentEvent = ({ id, type, ts, details }: SmsEventRow): SmsTimelineItem => ({
  id,
  type,
  ts: toIsoTime(ts),
  ...details,
});

export function presentSms(row: SmsRow, events: readonly SmsEventRow[]): SmsPublic {
  return {
    id: row.id,
    status: row.status,
    templateKey: row.template_key,
    to: row.to_number,
    body: row.body,
    segments: row.segments,
    provider: row.provider,
    sandbox: row.sandbox,
    consentProofId: row.consent_id,
    createdAt: toIsoTime(row.created_at),
    ...(row.scheduled_at === null ? {} : { scheduledAt: toIsoTime(row.scheduled_at) }),
    ...(row.why_not_sent === null ? {} : { whyNotSent: row.why_not_sent }),
    events: events.map(presentEvent),
  };
}

/** A message in a response. For a sandbox message, adds a link to its text in the inbox. */
export function smsResponse({ services, workspace }: OperationContext, row: SmsRow, shown: SmsPublic): SmsPublic {
  const inbox: InboxService | undefined = services.inbox;
  const inboxUrl = row.sandbox ? inbox?.urlOf(workspace.id, row.id) : undefined;
  return inboxUrl === undefined ? shown : { ...shown, inboxUrl };
}

export const presentConsent = (row: ConsentRow): Consent => ({
  id: row.id,
  to: row.to_number,
  source: row.source,
  wording: row.wording,
  ...(row.class === null ? {} : { class: row.class }),
  grantedAt: toIsoTimeOrNull(row.granted_at),
  revokedAt: toIsoTimeOrNull(row.revoked_at),
  createdAt: toIsoTime(row.created_at),
});
