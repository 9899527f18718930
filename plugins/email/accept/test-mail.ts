// Accepts a test of a mail to many people, for `ctx.services.bulkMail`: a real mail to a few chosen addresses, at once. Quiet hours, caps,
// ramps and holds do not stop it; a suppression does. It is not part of a broadcast, so no broadcast counts it.
import { normaliseAddress, type OperationContext } from '../../../core/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import { judge } from '../decision/judge.ts';
import { expectedProvider } from '../delivery/mail-connection.ts';
import type { SendPublic } from '../schema.ts';
import type { SendRow } from '../tables.ts';
import type { LinkParameters } from '../tracking/link-parameters.ts';
import { budgetExhausted } from './accept.ts';
import { initialStateOf } from './initial-state.ts';
import { parseRecipient } from './recipient.ts';
import { recordSend, type SharedMessage } from './record-send.ts';

/** A test of one mail. */
export interface TestMail {
  readonly template: ResolvedTemplate;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The sender. The domain of the address must be one of the sending domains: see `checkSender`. */
  readonly from: { readonly email: string; readonly name: string };
  readonly replyTo: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly utm: LinkParameters;
  readonly metadata: NonNullable<SendRow['metadata']>;
  /** The addresses, which are valid. Each gets the mail once. */
  readonly to: readonly string[];
}

/** The prefix of the subject of each test. */
const subjectPrefix = '[Test] ';

/**
 * Accepts the tests in this transaction, in order. A suppressed address gets no mail, only a send that records the suppression. In the sandbox no
 * mail leaves the process.
 * @throws variables_invalid; send_budget_exhausted if the monthly budget has no room for all tests
 */
export async function acceptTestMail(ctx: OperationContext, mail: TestMail): Promise<readonly SendPublic[]> {
  const { sandbox, now, services } = ctx;
  const { template, to: addresses } = mail;
  const { variables, subject, shown: hidden } = template.accept(mail.variables, now);
  const shownVariables = hidden === undefined ? undefined : { ...hidden, subject: `${subjectPrefix}${hidden.subject}` };
  const suppressions = await services.suppressions.findAmong(ctx.trx, [...addresses], now);
  const messages = addresses.map((address) => {
    const to = parseRecipient(address);
    if (to === undefined) throw new Error('The recipient of a test is not an address.');
    const suppression = suppressions.get(normaliseAddress(to.email));
    const question = { email: to.email, category: template.category, suppression, bypass: false };
    const decision = judge(ctx, { ...question, at: now, expiresAt: null }, {});
    return { to, initialState: initialStateOf(decision, null, now) };
  });
  const leaving = messages.filter(({ initialState }) => !initialState.finished).length;
  if (leaving > 0 && !sandbox) {
    const spent = await ctx.spend('sends', leaving, ctx.workspace.plan.monthlySendBudget);
    if (spent.exceeded) throw budgetExhausted(ctx, spent.renewsAt);
  }
  const shared: SharedMessage = {
    mode: { sandbox, test: true },
    template,
    from: mail.from,
    replyTo: mail.replyTo,
    expiresAt: null,
    headers: { kept: { ...mail.headers }, stripped: [] },
    scenario: sandbox ? 'delivered' : null,
    bypass: false,
    tags: [],
    provider: await expectedProvider(ctx, template, sandbox),
    // The test does not use the lane of marketing mail, which may be full, because somebody waits for the test.
    lane: 'normal',
    utm: mail.utm,
  };
  return messages.map((message) => {
    const { metadata } = mail;
    const { shown } = recordSend(ctx, shared, {
      ...message,
      variables,
      subject: `${subjectPrefix}${subject}`,
      shown: shownVariables,
      metadata,
      attachments: [],
    });
    return shown;
  });
}
