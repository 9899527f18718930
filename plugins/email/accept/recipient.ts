// The recipient of a send: one address, optionally with a name, as people copy it from mail programs. Pure.
import { isPseudonym, parseAddress, z } from '../../../core/index.ts';
import { addressFault, lineFault, outsideDomain } from '../../../core/unstable.ts';

/** A parsed recipient. The name is empty if the text has no name. */
export interface Recipient {
  readonly email: string;
  readonly name: string;
}

const longestName = 200;
const longestRecipient = 1_000;

/** `"Lovelace, Ada"` without its quotes, or a plain name. Undefined if the text is not a name (RFC 5322 3.4, without comments). */
function nameOf(text: string): string | undefined {
  if (/^"(?:[^"\\]|\\.)*"$/.test(text)) return text.slice(1, -1).replace(/\\(.)/g, '$1').trim();
  return /[<>",;:@]/.test(text) ? undefined : text;
}

/** Parses a text with exactly one recipient, otherwise undefined. Accepts names, as in `Ada Lovelace <ada@example.com>`. */
export function parseRecipient(text: string): Recipient | undefined {
  if (text.length > longestRecipient) return undefined;
  if (parseAddress(text) !== undefined) return { email: text, name: '' };
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('<');
  if (at === -1 || !trimmed.endsWith('>')) return undefined;
  const email = trimmed.slice(at + 1, -1);
  const name = nameOf(trimmed.slice(0, at).trim());
  if (name === undefined || parseAddress(email) === undefined) return undefined;
  return name.length <= longestName && lineFault(name) === undefined ? { email, name } : undefined;
}

/** The domain of the first recipient whose domain is not allowed. Invalid recipients are left out. */
export const outsideRecipient = (
  recipients: readonly { readonly to: string }[],
  allowed: readonly string[],
): string | undefined =>
  outsideDomain(
    recipients.flatMap(({ to }) => parseRecipient(to)?.email ?? []),
    allowed,
  );

/** Whether a text contains more than one address. */
const isList = (text: string): boolean => (text.match(/@/g) ?? []).length > 1 && /[,;]/.test(text);

/** The advice for callers who want to reach several people with one call. */
export const oneRecipient =
  'A send has one recipient, so that each has its own status, variables and suppression. For several, use POST /v1/transactional/batch, or call once for each address, each time with another Idempotency-Key.';

const faultOf = (text: string): string => {
  if (isPseudonym(text))
    return 'This person was erased, and there is no address any more. Do not try again. A job can check an address with isPseudonym before it sends.';
  return isList(text)
    ? oneRecipient
    : addressFault(text.replace(/^.*<|>$/gs, ''), 'name@example.com or Name <name@example.com>');
};

/** A field that contains one recipient. */
export const recipientAddress = z
  .string({ error: ({ input }) => (Array.isArray(input) ? oneRecipient : undefined) })
  .max(longestRecipient)
  .superRefine((text, context) => {
    if (parseRecipient(text) === undefined) context.addIssue({ code: 'custom', message: faultOf(text) });
  })
  .describe('One recipient: an address, or a name and an address such as Ada Lovelace <ada@example.com>.');
