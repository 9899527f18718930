// `ctx.services.systemMail`: mail that the service itself writes to a person, such as a confirmation request. If the workspace has
// published a template for it, that template replaces the built-in text. Called inside transactions of other plugins' jobs.
import {
  type Handle,
  isPostriderError,
  normaliseAddress,
  type TransactionContext,
  type Workspace,
} from '../../../core/index.ts';
import type { BuiltInMail, ResolvedTemplate } from '../../templates/index.ts';
import { judge } from '../decision/judge.ts';
import { expectedProvider } from '../delivery/mail-connection.ts';
import { findRecipient } from '../store.ts';
import { senderOf } from './accept.ts';
import { takeSendBudget } from './accept-batch.ts';
import { checkHeaders } from './headers.ts';
import { initialStateOf } from './initial-state.ts';
import { type RecipientMessage, recordSend, type SendContext, type SharedMessage } from './record-send.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A mail to one or more people. */
export interface SystemMail {
  /** The key of the template that a workspace may publish to replace the built-in text. */
  readonly template: string;
  /** The language of the workspace's own template, as a BCP 47 tag. (Default: the language of the template's own content) */
  readonly locale?: string;
  readonly builtIn: BuiltInMail;
  /** (Default: urgent) */
  readonly lane?: 'urgent' | 'normal' | 'bulk';
  /** Whether to also send to people who unsubscribed from all mail, to ask whether they want mail again. (Default: false) */
  readonly despiteUnsubscribe?: boolean;
  /** A suppressed address gets a send that records the suppression, but no mail. */
  readonly recipients: readonly { readonly email: string; readonly variables: Variables }[];
}

/** The result of accepting a system mail. */
export interface SystemMailResult {
  /**
   * The ids of the sends, including suppressed ones, for the first recipients in order. The monthly budget has no room for
   * further recipients.
   */
  readonly sendIds: readonly string[];
  /** The time at which the budget renews, in milliseconds. Only set if further recipients were not accepted. */
  readonly renewsAt: number | undefined;
}

/** `ctx.services.systemMail`. */
export interface SystemMailService {
  /** Checks that the workspace may send from this address. @throws from_not_allowed */
  checkSender(workspace: Workspace, from: { readonly email: string; readonly name: string }): void;
  /**
   * Accepts a mail with category system to each recipient. Each recipient who is not suppressed counts as a send. In the sandbox,
   * no mail leaves the service.
   */
  accept(ctx: TransactionContext, mail: SystemMail): Promise<SystemMailResult>;
  /** The recipient of a send, for requests that only contain a send id. If the recipient was erased, `email` is a pseudonym. */
  recipientOf(
    handle: Handle,
    sendId: string,
  ): Promise<{ readonly workspaceId: string; readonly sandbox: boolean; readonly email: string } | undefined>;
}

const unusable = new Set(['template_not_found', 'template_not_published', 'template_archived', 'template_is_layout']);

/** The chosen template, with the checked variables of each recipient. */
interface ChosenTemplate {
  readonly template: ResolvedTemplate;
  readonly accepted: readonly ReturnType<ResolvedTemplate['accept']>[];
}

/** The workspace's own template, if it is published and accepts these variables. */
async function ownTemplate(
  ctx: TransactionContext,
  { template: key, locale, recipients }: SystemMail,
): Promise<ChosenTemplate | undefined> {
  const { services, log, now } = ctx;
  try {
    const published = await services.templates.resolve(ctx, key, {
      drafts: false,
      ...(locale === undefined ? {} : { locale }),
    });
    const template: ResolvedTemplate = { ...published, category: 'system', tracking: { opens: false, clicks: false } };
    return { template, accepted: recipients.map(({ variables }) => template.accept(variables, now)) };
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    if (error.code === 'variables_invalid')
      log.warn(
        { template: key, reason: error.message },
        'a template does not take its variables: the built-in text is sent',
      );
    else if (!unusable.has(error.code)) throw error;
    return undefined;
  }
}

function builtInTemplate(
  { services, now }: TransactionContext,
  { template: key, builtIn, recipients }: SystemMail,
): ChosenTemplate {
  const template = services.templates.resolveBuiltIn(key, builtIn);
  return { template, accepted: recipients.map(({ variables }) => template.accept(variables, now)) };
}

/** A message that may bypass an unsubscription. */
type SystemMessage = RecipientMessage & Pick<SharedMessage, 'bypass'>;

/** The message to each recipient. A suppressed address gets no mail: its send records the suppression and does not use the budget. */
async function messagesOf(
  ctx: TransactionContext,
  { recipients, despiteUnsubscribe = false }: SystemMail,
  accepted: ChosenTemplate['accepted'],
): Promise<SystemMessage[]> {
  const emails = recipients.map(({ email }) => email);
  const { services, trx, now } = ctx;
  const suppressions = await services.suppressions.findAmong(trx, emails, now);
  return accepted.map((rendered, index) => {
    const email = emails[index] ?? '';
    const suppression = suppressions.get(normaliseAddress(email));
    const bypass = despiteUnsubscribe && suppression?.reason === 'unsubscribe';
    const decision = judge(ctx, { email, category: 'system', suppression, bypass, at: now, expiresAt: null }, {});
    const initialState = initialStateOf(decision, null, now);
    return { to: { email, name: '' }, ...rendered, metadata: null, initialState, attachments: [], bypass };
  });
}

/** Creates the service. It has no state. */
export const createSystemMail = (): SystemMailService => ({
  checkSender: (workspace, from) => void senderOf({ workspace }, { from }),
  recipientOf: findRecipient,
  async accept(tx, mail) {
    const { lane, recipients } = mail;
    if (recipients.length === 0) return { sendIds: [], renewsAt: undefined };
    const ctx: SendContext = { ...tx, actor: { kind: 'system' } };
    const { template, accepted } = (await ownTemplate(tx, mail)) ?? builtInTemplate(tx, mail);
    const shared: Omit<SharedMessage, 'bypass'> = {
      mode: { sandbox: tx.sandbox, test: false },
      template,
      from: senderOf(ctx, {}),
      replyTo: undefined,
      expiresAt: null,
      headers: checkHeaders({}, undefined),
      scenario: tx.sandbox ? 'delivered' : null,
      tags: [],
      provider: await expectedProvider(ctx, template, tx.sandbox),
      lane,
    };
    const messages = await messagesOf(tx, mail, accepted);
    const sendCount = messages.filter(({ initialState }) => !initialState.finished).length;
    const { granted, renewsAt } = await takeSendBudget(tx, sendCount);
    const sendIds: string[] = [];
    let budgetLeft = granted;
    for (const message of messages) {
      if (!message.initialState.finished && budgetLeft-- === 0) return { sendIds, renewsAt };
      sendIds.push(recordSend(ctx, { ...shared, bypass: message.bypass }, message).send.id);
    }
    return { sendIds, renewsAt: undefined };
  },
});
