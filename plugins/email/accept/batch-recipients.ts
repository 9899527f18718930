// Checks the recipients of a batch and renders their subjects. Runs before the transaction, a few milliseconds at a time, or inside
// the program's own transaction. Only reads the template.
import { setImmediate } from 'node:timers/promises';
import { coreErrors, isPostriderError, type PostriderError, type PrepareContext } from '../../../core/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import { type BatchBody, recipientMetadata } from '../schema.ts';
import { parseRecipient, recipientAddress } from './recipient.ts';
import type { RecipientMessage } from './record-send.ts';

type BatchRecipientInput = BatchBody['recipients'][number];
/** A recipient whose fields are valid. */
export type Valid = Pick<RecipientMessage, 'to' | 'variables' | 'subject' | 'metadata'> & { readonly index: number };

/** The recipients of a batch, checked against one content of a template. */
export interface CheckedRecipients {
  readonly content: string;
  readonly valid: readonly Valid[];
  readonly refused: readonly { readonly index: number; readonly error: PostriderError }[];
}

/** The maximum time for which the checks block the event loop, in milliseconds. Only the rendering of a single subject may take longer. */
const maxBlockingMs = 5;

/** A text that identifies the template's content. The content may change if an author publishes between check and transaction. */
const contentOf = ({ id, version, locale, draft }: ResolvedTemplate): string =>
  draft === undefined ? `${id} ${version} ${locale}` : JSON.stringify(draft);

/** The error for a fault of one recipient, or of a shared field. */
export const invalid = (path: string, message: string): PostriderError => {
  const details = [{ path, code: 'custom', message }];
  return coreErrors.validation_failed({ summary: `${path}: ${message}` }, { details });
};

/** @throws validation_failed, variables_invalid */
function validate(
  { to: text, variables: variableInput, metadata }: BatchRecipientInput,
  shared: BatchBody['metadata'],
  template: ResolvedTemplate,
  now: number,
): Omit<Valid, 'index'> {
  const to = parseRecipient(text);
  if (to === undefined) {
    const fault = recipientAddress.safeParse(text).error?.issues[0]?.message;
    throw invalid('to', fault ?? 'This is not an email address.');
  }
  const mergedMetadata = metadata === undefined && shared === undefined ? null : { ...shared, ...metadata };
  const checked = mergedMetadata === null ? undefined : recipientMetadata.safeParse(mergedMetadata);
  if (checked?.success === false) throw invalid('metadata', checked.error.issues[0]?.message ?? 'This is not valid.');
  return { to, metadata: mergedMetadata, ...template.accept(variableInput, now) };
}

/** Checks the recipients and yields after each. The caller decides whether to pause there. */
function* checkEach(body: BatchBody, template: ResolvedTemplate, now: number): Generator<undefined, CheckedRecipients> {
  const valid: Valid[] = [];
  const refused: { readonly index: number; readonly error: PostriderError }[] = [];
  for (const [index, recipient] of body.recipients.entries()) {
    try {
      valid.push({ index, ...validate(recipient, body.metadata, template, now) });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      refused.push({ index, error });
    }
    yield;
  }
  return { content: contentOf(template), valid, refused };
}

/** Checks all recipients without pauses. */
export function checkRecipientsAtOnce(body: BatchBody, template: ResolvedTemplate, now: number): CheckedRecipients {
  const checking = checkEach(body, template, now);
  for (;;) {
    const { done, value } = checking.next();
    if (done === true) return value;
  }
}

/**
 * Checks the recipients before the transaction, with pauses for other work. Undefined if the template cannot be sent: the transaction
 * then throws the reason, after its earlier checks.
 */
export async function checkRecipientsInSlices(
  ctx: PrepareContext,
  body: BatchBody,
): Promise<CheckedRecipients | undefined> {
  const { services, sandbox, now, signal } = ctx;
  const options = { drafts: sandbox, locale: body.locale };
  const template = await ctx
    .read((read) => services.templates.resolve(read, body.template, options))
    .catch((error: unknown) => {
      if (isPostriderError(error)) return undefined;
      throw error;
    });
  if (template === undefined) return undefined;
  const checking = checkEach(body, template, now);
  let began = performance.now();
  for (;;) {
    const { done, value } = checking.next();
    if (done === true) return value;
    if (performance.now() - began < maxBlockingMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    began = performance.now();
  }
}

/** Whether the check was made with the content that the send freezes. */
export const isForTemplate = (
  checked: CheckedRecipients | undefined,
  template: ResolvedTemplate,
): checked is CheckedRecipients => checked?.content === contentOf(template);
