// Whether mail reaches a contact, as one sentence with the reasons. Uses the decision of a send, for the newest published template of each
// kind of mail, or for the template in the query.
import { type ConsoleContext, isPostriderError } from '../../../core/index.ts';
import { conclusion, type Html, html, withMoments } from '../../../core/unstable.ts';
import type { Contact } from '../schema.ts';

/** The decision about mail of one template. */
interface Decision {
  readonly templateKey: string;
  readonly allowed: boolean;
  readonly after?: string | undefined;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
}

/** Undefined if the template cannot be sent, so that there is no decision about it. */
async function decide(
  { calls }: ConsoleContext,
  contactId: string,
  templateKey: string,
): Promise<Decision | undefined> {
  try {
    return { templateKey, ...(await calls.contacts.deliverability({ contactId, templateKey })) };
  } catch (error) {
    if (isPostriderError(error) && error.status < 500) return undefined;
    throw error;
  }
}

async function newestTemplate({ calls }: ConsoleContext, category: 'transactional' | 'marketing') {
  const { data } = await calls.templates.list({ category, status: 'published', kind: 'email', limit: 1 });
  return data[0]?.key;
}

const reasonsText = (ctx: ConsoleContext, { reasons }: Decision): Html =>
  withMoments(reasons.map(({ message }) => message).join(' '), ctx);

const template = (ctx: ConsoleContext, key: string): Html => html`<a href="${ctx.link(`templates/${key}`)}">${key}</a>`;

/** The sentence about the template in the query. */
function templateSentence(ctx: ConsoleContext, name: string, decision: Decision): Html {
  const { allowed, after, templateKey } = decision;
  if (allowed) return conclusion('good', html`Mail from ${template(ctx, templateKey)} reaches ${name}.`);
  const afterSentence = after === undefined ? undefined : withMoments(`It may be sent from ${after}.`, ctx);
  return conclusion(
    after === undefined ? 'bad' : 'wait',
    html`Mail from ${template(ctx, templateKey)} does not reach ${name}: ${reasonsText(ctx, decision)}`,
    afterSentence,
  );
}

function aboutBoth(
  ctx: ConsoleContext,
  name: string,
  ordinary: Decision | undefined,
  marketing: Decision | undefined,
): Html | undefined {
  const decisions = [ordinary, marketing].flatMap((decision) => (decision === undefined ? [] : [decision]));
  const [first] = decisions;
  if (first === undefined) return undefined;
  const basis = html`Checked with the newest templates: ${decisions.map(({ templateKey }, index) => html`${index === 0 ? '' : ', '}${template(ctx, templateKey)}`)}.`;
  if (decisions.every(({ allowed }) => allowed)) return conclusion('good', html`Mail reaches ${name}.`, basis);
  if (decisions.every(({ allowed }) => !allowed))
    return conclusion('bad', html`No mail reaches ${name}: ${reasonsText(ctx, first)}`, basis);
  const sentence =
    marketing?.allowed === false
      ? html`Transactional mail reaches ${name}. Marketing mail does not: ${reasonsText(ctx, marketing)}`
      : html`Marketing mail reaches ${name}. Transactional mail does not: ${reasonsText(ctx, first)}`;
  return conclusion('wait', sentence, basis);
}

/** The sentence on top of a contact's page. */
export async function reachSentence(ctx: ConsoleContext, contact: Contact, name: string): Promise<Html> {
  const { id, email, subscribed } = contact;
  if (email === null) return conclusion('bad', html`No mail reaches ${name}: the contact has no address.`);
  const mayAsk = ctx.mayCall('contacts.deliverability');
  const templateKey = ctx.query['template'];
  if (mayAsk && templateKey !== undefined) {
    const decision = await decide(ctx, id, templateKey);
    if (decision !== undefined) return templateSentence(ctx, name, decision);
    return conclusion(
      'info',
      html`Whether mail from ${templateKey} reaches ${name} cannot be checked: the template is not published.`,
    );
  }
  if (mayAsk && ctx.mayCall('templates.list')) {
    const keys = await Promise.all([newestTemplate(ctx, 'transactional'), newestTemplate(ctx, 'marketing')]);
    const [ordinary, marketing] = await Promise.all(
      keys.map((key) => (key === undefined ? undefined : decide(ctx, id, key))),
    );
    const sentence = aboutBoth(ctx, name, ordinary, marketing);
    if (sentence !== undefined) return sentence;
  }
  return subscribed
    ? conclusion('good', html`Nothing stops mail to ${name}.`)
    : conclusion(
        'wait',
        html`Marketing mail does not reach ${name}: the address is on the suppression list, at least for marketing mail.`,
      );
}
