// The newest of what happened to a contact, from wherever it is kept. Called by contacts.read.
import type { ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import { toIsoTime } from '../../core/index.ts';
import type { SendTimelineService } from '../email/index.ts';
import { presentEvent } from './present.ts';
import type { TimelineItem } from './schema.ts';
import { listLatestEvents } from './store.ts';
import type { ContactRow } from './tables.ts';

const limit = 50;

async function latestSends(
  { services }: ServiceSurface,
  handle: WorkspaceHandle,
  { email }: ContactRow,
): Promise<TimelineItem[]> {
  const sends: SendTimelineService | undefined = services.sendTimeline;
  if (sends === undefined || email === null) return [];
  return (await sends.latestTo(handle, email, limit)).map((send) => ({
    kind: 'send',
    id: send.id,
    ts: toIsoTime(send.createdAt),
    status: send.status,
    template_key: send.templateKey,
    subject: send.subject,
    ...(send.sandbox ? { synthetic: true } : {}),
  }));
}

/** Later ones first; of one instant, the larger id. */
const newestFirst = (one: TimelineItem, other: TimelineItem): number =>
  one.ts === other.ts ? (one.id < other.id ? 1 : -1) : one.ts < other.ts ? 1 : -1;

/** Custom events, and sends to the address that the contact has now. */
export async function readTimeline(
  surface: ServiceSurface,
  handle: WorkspaceHandle,
  contact: ContactRow,
): Promise<TimelineItem[]> {
  const [events, sends] = await Promise.all([
    listLatestEvents(handle, contact.id, limit),
    latestSends(surface, handle, contact),
  ]);
  return [...events.map(presentEvent), ...sends].sort(newestFirst).slice(0, limit);
}
