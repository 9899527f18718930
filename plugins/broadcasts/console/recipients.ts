// The recipients of one broadcast on its page: everybody in its audience, and what became of them.
import {
  type ConsoleLocation,
  chip,
  choiceLinks,
  emptyState,
  type Html,
  html,
  linkWithin,
  tableOf,
  timeOf,
} from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { type RecipientStatus, recipientStatus } from '../schema.ts';
import { pageLinks } from './list.ts';
import type { BroadcastView, PageCalls } from './page-calls.ts';
import { reasonText, recipientWords } from './words.ts';

const maxShown = 100;

/** The recipients that the page shows, and the cursor. */
export interface RecipientsQuery {
  readonly recipients: RecipientStatus | 'all';
  readonly after: string | undefined;
}

const tones: Partial<Record<RecipientStatus, 'good' | 'slow' | 'bad'>> = { accepted: 'good', failed: 'bad' };

/** Links to the recipients of each status, with their number. */
export function recipientLinks(
  place: ConsoleLocation,
  { broadcastId, counts }: BroadcastResource,
  chosen?: RecipientsQuery['recipients'],
): Html | null {
  const { waiting, accepted, failed, canceled, recipients, audience } = counts;
  const numbers = { waiting, accepted, failed, canceled, excluded: audience - recipients };
  const link = (status: RecipientsQuery['recipients'], text: string) => ({
    text,
    href: linkWithin(place, { broadcast: broadcastId, recipients: status }),
    isPresent: status === chosen,
  });
  const links = recipientStatus.options
    .filter((status) => numbers[status] > 0 || status === chosen)
    .map((status) => link(status, `${recipientWords[status]} ${numbers[status]}`));
  return choiceLinks('Recipients by status', [link('all', `All ${audience}`), ...links]);
}

/** @throws cursor_invalid */
export async function recipientsView(
  place: ConsoleLocation,
  calls: PageCalls,
  broadcast: BroadcastResource,
  { recipients: chosen, after }: RecipientsQuery,
): Promise<BroadcastView> {
  const { broadcastId, name } = broadcast;
  const { data, next_cursor: next } = await calls.broadcasts.recipients({
    broadcastId,
    limit: maxShown,
    ...(chosen === 'all' ? {} : { status: chosen }),
    ...(after === undefined ? {} : { cursor: after }),
  });
  const table = tableOf(
    'Recipients, the newest first',
    ['Address', 'Status', 'Why', 'Since (UTC)'],
    data.map(({ email, status, reason, at }) => [
      html`<span dir="auto">${email ?? 'erased'}</span>`,
      chip(recipientWords[status], tones[status]),
      reasonText(reason),
      timeOf(Date.parse(at)),
    ]),
  );
  const kept = { broadcast: broadcastId, recipients: chosen };
  const none = 'Nobody is here. Recipients are stored when the time of the broadcast has come, and kept for 400 days.';
  const body = html`<p><a href="${linkWithin(place, { broadcast: broadcastId })}" dir="auto">${name}</a></p><h1>Recipients</h1>${recipientLinks(place, broadcast, chosen)}${data.length === 0 ? emptyState(none) : table}${pageLinks(place, kept, { after, next })}`;
  return { about: `Recipients of ${name}`, body };
}
