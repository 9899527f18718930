// `ctx.services.mailDecisions`: decides beforehand, without accepting a mail. For plugins that explain the decision or wait
// themselves.
import type { ReadContext } from '../../../core/index.ts';
import { exactDurationMs } from '../../../core/unstable.ts';
import type { SuppressionRow } from '../../suppressions/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import { nextDecisionAt } from '../accept/initial-state.ts';
import type { SendPublic } from '../schema.ts';
import { type Decision, type DecisionCode, decide, decisionCodes, effectOf, type MarketingFacts } from './decide.ts';
import { type JudgeContext, judge } from './judge.ts';
import { factsOfAddress, type MarketingRecipient, readFactsWithCaps, readMarketingFacts } from './marketing-facts.ts';

/** The mail in question. */
export interface SendingQuestion {
  /** Null if the person has no address. */
  readonly email: string | null;
  /** The attributes of the person's contact. (Default: looked up by the address) */
  readonly attributes?: MarketingRecipient['attributes'];
  readonly templateKey: string;
  /** The address that the mail comes from. (Default: the address of the workspace) */
  readonly fromEmail?: string | undefined;
}

/** Decides on mail to one person at a moment. `acceptedAt`: further mail that counts against the caps, in milliseconds. */
export type Forecast = (template: ResolvedTemplate, at: number, acceptedAt: readonly number[]) => Decision;

/** `ctx.services.mailDecisions`. The handle of each context is on the side of the mail. */
export interface MailDecisionsService {
  /**
   * Whether the address may be sent the template now. Nothing is accepted or counted.
   * @throws template_not_found, template_archived, template_is_layout, template_not_published, layout_not_found, layout_not_published
   */
  ask(ctx: JudgeContext, question: SendingQuestion): Promise<Decision>;
  /**
   * The time until which a marketing mail has to wait, in milliseconds, and the reason. Undefined if it need not wait, or must never be
   * sent.
   */
  waitsUntil(
    ctx: JudgeContext,
    question: SendingQuestion,
  ): Promise<{ readonly until: number; readonly code: DecisionCode } | undefined>;
  /**
   * Reads everything that decides on mail from these templates to a person, for decisions about other moments. If the person is an example
   * (`isKnown` false), no suppression and no earlier mail counts.
   */
  forecast(
    ctx: JudgeContext,
    person: Omit<SendingQuestion, 'templateKey'> & { readonly isKnown: boolean },
    templates: readonly ResolvedTemplate[],
  ): Promise<Forecast>;
  /** The reason why a suppressed send was not sent. */
  codeOf(send: Pick<SendPublic, 'whyNotSent'>): DecisionCode;
}

/** The known facts about a person. */
interface KnownFacts {
  readonly suppression: SuppressionRow | undefined;
  readonly marketing: MarketingFacts;
}

function decideOn(
  ctx: JudgeContext,
  email: string | null,
  { category, expiresIn }: ResolvedTemplate,
  { suppression, marketing }: KnownFacts,
): Decision {
  const { now, sandbox } = ctx;
  const life = exactDurationMs(expiresIn ?? '');
  const expiresAt = life === undefined ? null : now + life;
  if (email === null)
    return decide({ category, sandbox, hasAddress: false, suppressed: undefined, marketing, at: now, now, expiresAt });
  return judge(ctx, { email, category, suppression, bypass: false, at: now, expiresAt }, marketing);
}

const findSuppression = ({ services, trx, now }: ReadContext, email: string | null) =>
  email === null ? undefined : services.suppressions.find(trx, email, now);

const codes: ReadonlySet<string> = new Set(decisionCodes);
const isCode = (text: string): text is DecisionCode => codes.has(text);

/** Creates the service. It has no state. */
export const createMailDecisions = (): MailDecisionsService => ({
  async ask(ctx, { email, attributes, templateKey, fromEmail = ctx.workspace.defaultFrom.email }) {
    const { services, sandbox } = ctx;
    const [template, suppression] = await Promise.all([
      services.templates.resolve(ctx, templateKey, { drafts: sandbox }),
      findSuppression(ctx, email),
    ]);
    const isAsked = email !== null && template.category === 'marketing';
    const { topicKey } = template;
    const question = { recipients: isAsked ? [{ email, attributes }] : [], topicKey, fromEmail };
    const facts = isAsked ? await readFactsWithCaps(ctx, question) : new Map<string, MarketingFacts>();
    return decideOn(ctx, email, template, { suppression, marketing: factsOfAddress(facts, email ?? '') });
  },

  async waitsUntil(ctx, { email, attributes, templateKey, fromEmail = ctx.workspace.defaultFrom.email }) {
    if (email === null) return undefined;
    const { now, sandbox } = ctx;
    const read = await readMarketingFacts(ctx, { recipients: [{ email, attributes }], topicKey: null, fromEmail });
    const marketing = { ...factsOfAddress(read, email), caps: undefined };
    const facts = { category: 'marketing', sandbox, hasAddress: true, suppressed: undefined, expiresAt: null } as const;
    const outcome = effectOf(decide({ ...facts, marketing, at: now, now }));
    if (outcome.kind !== 'waits') return undefined;
    // The template is only read if marketing mail has to wait.
    const { category } = await ctx.services.templates.resolve(ctx, templateKey, { drafts: sandbox });
    if (category !== 'marketing') return undefined;
    return { until: nextDecisionAt(outcome.until, now), code: outcome.reason.code };
  },

  async forecast(ctx, { email, attributes, isKnown, fromEmail = ctx.workspace.defaultFrom.email }, templates) {
    const suppression = isKnown ? await findSuppression(ctx, email) : undefined;
    const factsByTopic = new Map<string | null, MarketingFacts>();
    for (const { category, topicKey } of templates) {
      if (email === null || category !== 'marketing' || factsByTopic.has(topicKey)) continue;
      const facts = await readFactsWithCaps(ctx, { recipients: [{ email, attributes }], topicKey, fromEmail });
      factsByTopic.set(topicKey, factsOfAddress(facts, email));
    }
    return (template, at, acceptedAt) => {
      const topicFacts = factsByTopic.get(template.topicKey) ?? {};
      const earlier = isKnown ? (topicFacts.acceptedAt ?? []) : [];
      const marketing = { ...topicFacts, acceptedAt: [...earlier, ...acceptedAt] };
      return decideOn({ ...ctx, now: at }, email, template, { suppression, marketing });
    };
  },

  codeOf: ({ whyNotSent = '' }) => (isCode(whyNotSent) ? whyNotSent : 'suppressed'),
});
