// Checks the recipients of a batch and renders their subjects: before the transaction, a few milliseconds at a time, or inside
// the program's own. Reads nothing but the template.
import { setImmediate } from 'node:timers/promises';
import { coreErrors, isPostriderError, type PostriderError, type PrepareContext } from '../../core/index.ts';
import type { ResolvedTemplate } from '../templates/index.ts';
import type { OneMessage } from './accept.ts';
import { parseRecipient, recipientAddress } from './recipient.ts';
import { type BatchBody, recipientMetadata } from './schema.ts';

type Given = BatchBody['recipients'][number];
/** A recipient whose fields are valid. */
export type Valid = Pick<OneMessage, 'to' | 'variables' | 'subject' | 'metadata'> & { readonly index: number };

/** The recipients of a batch, checked against one content of a template. */
export interface CheckedRecipients {
  readonly content: string;
  readonly valid: readonly Valid[];
  readonly refused: readonly { readonly index: number; readonly error: PostriderError }[];
}

/** The loop is held no longer than this, in milliseconds, but for the rendering of one subject. */
const turnMs = 5;

/** The same text for the same content: an author may publish between the check and the transaction. */
const contentOf = ({ id, version, locale, draft }: ResolvedTemplate): string =>
  draft === undefined ? `${id} ${version} ${locale}` : JSON.stringify(draft);

/** A fault of one recipient, or of a field that all share. */
export const invalid = (path: string, message: string): PostriderError => {
  const details = [{ path, code: 'custom', message }];
  return coreErrors.validation_failed({ summary: `${path}: ${message}` }, { details });
};

/** @throws validation_failed, variables_invalid */
function validate(
  { to: text, variables: given, metadata }: Given,
  shared: BatchBody['metadata'],
  template: ResolvedTemplate,
  now: number,
): Omit<Valid, 'index'> {
  const to = parseRecipient(text);
  if (to === undefined) {
    const fault = recipientAddress.safeParse(text).error?.issues[0]?.message;
    throw invalid('to', fault ?? 'This is not an email address.');
  }
  const own = metadata === undefined && shared === undefined ? null : { ...shared, ...metadata };
  const checked = own === null ? undefined : recipientMetadata.safeParse(own);
  if (checked?.success === false) throw invalid('metadata', checked.error.issues[0]?.message ?? 'This is not valid.');
  return { to, metadata: own, ...template.accept(given, now) };
}

/** Pauses after each recipient; the caller decides whether it takes the pause. */
function* check(body: BatchBody, template: ResolvedTemplate, now: number): Generator<undefined, CheckedRecipients> {
  const valid: Valid[] = [];
  const refused: { readonly index: number; readonly error: PostriderError }[] = [];
  for (const [index, given] of body.recipients.entries()) {
    try {
      valid.push({ index, ...validate(given, body.metadata, template, now) });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      refused.push({ index, error });
    }
    yield;
  }
  return { content: contentOf(template), valid, refused };
}

/** Checks all of them at once. */
export function checkNow(body: BatchBody, template: ResolvedTemplate, now: number): CheckedRecipients {
  const checking = check(body, template, now);
  for (;;) {
    const { done, value } = checking.next();
    if (done === true) return value;
  }
}

/**
 * Checks them before the transaction, and lets others have their turn. Undefined where the template cannot be sent: the
 * transaction says why, after what comes before it.
 */
export async function checkBefore(ctx: PrepareContext, body: BatchBody): Promise<CheckedRecipients | undefined> {
  const { services, sandbox, now, signal } = ctx;
  const options = { drafts: sandbox, locale: body.locale };
  const template = await ctx
    .read((read) => services.templates.resolve(read, body.template, options))
    .catch((error: unknown) => {
      if (isPostriderError(error)) return undefined;
      throw error;
    });
  if (template === undefined) return undefined;
  const checking = check(body, template, now);
  let began = performance.now();
  for (;;) {
    const { done, value } = checking.next();
    if (done === true) return value;
    if (performance.now() - began < turnMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    began = performance.now();
  }
}

/** Whether the check was of the content that the send freezes. */
export const isOf = (
  checked: CheckedRecipients | undefined,
  template: ResolvedTemplate,
): checked is CheckedRecipients => checked?.content === contentOf(template);
