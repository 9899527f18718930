// The identifiers of the message of a report: the return path to which the report was sent, the Message-ID of the
// returned message, and other ids that the report quotes. Called by mailbox.ts. The email plugin checks whether an
// identifier is genuine.
import { type FieldGroup, groupsOf, type ReportMail } from './mailbox-mail.ts';

const returnedTypes = [
  'message/rfc822',
  'text/rfc822-headers',
  'text/rfc822-header',
  'text/rfc822',
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
] as const;

/** The header of the returned message. Some servers return only the header, others the whole message. */
export function returnedHeader(mail: ReportMail): FieldGroup | undefined {
  const original = mail.part(...returnedTypes);
  return original === undefined ? undefined : groupsOf(original.slice(0, 100_000))[0];
}

/** The addresses in a field, without names. */
export const addressesIn = (field: string | undefined): string[] =>
  field?.slice(0, 2_000).match(/[^\s<>,;:"]{1,64}@[^\s<>,;:"]{1,255}/g) ?? [];

const returnPath = /\bbounce\+[0-9a-z]{40,57}@[a-z0-9.-]{1,255}/gi;
const ownId = /\bmsg_[0-9A-HJKMNP-TV-Z]{26}\b/gi;
const ownMessage = /^[ \t]*message-id:\s*<msg_[0-9A-HJKMNP-TV-Z]{26}\b/im;
const maxNames = 20;

/** Whether a part or the text contains the header of a message that Postrider sent. */
export function returnsOurMessage(mail: ReportMail): boolean {
  const original = mail.part(...returnedTypes);
  return ownMessage.test((original ?? mail.text).slice(0, 100_000));
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].slice(0, maxNames);

/** The identifiers of the message, the most reliable first. */
export function identifiersOf(mail: ReportMail): { readonly messageIds: string[]; readonly returnPaths: string[] } {
  const { allText: everything, header, fields } = mail;
  const original = returnedHeader(mail);
  const status = mail.part('message/delivery-status', 'message/global-delivery-status', 'message/feedback-report');
  const statedIds = groupsOf(status?.slice(0, 100_000) ?? '').flatMap(
    (group) => group.get('x-original-message-id') ?? [],
  );
  const answeredIds = [fields.get('in-reply-to'), fields.get('references')].flatMap(
    (field) => field?.match(/<[^<>\s]{1,300}>/g) ?? [],
  );
  const quotedIds = [...everything.matchAll(/^[> \t]*message-id:\s*(<[^<>\s]{1,300}>)/gim)].map(([, id]) => id ?? '');
  const headerIds = [original?.get('message-id') ?? '', ...statedIds, ...answeredIds].filter((id) => id !== '');
  const ownIds = [...(header.match(ownId) ?? []), ...(everything.match(ownId) ?? [])];
  return {
    messageIds: distinct([
      ...headerIds,
      ...ownIds.filter((id) => !headerIds.some((other) => other.includes(id))),
      ...quotedIds,
    ]),
    returnPaths: distinct([...(header.match(returnPath) ?? []), ...(everything.match(returnPath) ?? [])]),
  };
}
