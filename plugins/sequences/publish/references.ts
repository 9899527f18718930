// Looks up everything that a definition names: templates, lists, webhooks, sequences, event types, kinds of nodes.
import {
  isPostriderError,
  patternFault,
  type ReadContext,
  type ServiceContext,
  type Services,
} from '../../../core/index.ts';
import { jsonSchemaOf } from '../../../core/unstable.ts';
import type { ApprovalsService } from '../../approvals/index.ts';
import type { SmsService } from '../../sms/index.ts';
import type { SocialEventWordings } from '../../social-events/index.ts';
import type { WebhooksService } from '../../webhooks/index.ts';
import { formConfirmed } from '../definition/event-fields.ts';
import { nodeKinds } from '../definition/node-schemas.ts';
import { namedReferences, type References, type TemplateReference } from '../definition/references.ts';
import type { Definition } from '../definition/schema.ts';
import { sequenceHeads } from '../tables.ts';

/** The plugin that a kind of node or trigger needs. Other kinds do not need a plugin. */
export const pluginOf: Readonly<Record<string, string>> = {
  send_email: 'email',
  send_sms: 'sms',
  social_event: 'social-events',
  webhook: 'webhooks',
  form_submitted: 'pages',
};

const triggerKinds = ['manual', 'event', 'list_joined', 'form_submitted'] as const;

/** The kinds of nodes and triggers whose plugin is composed. */
export function composedKinds({ ports }: ServiceContext): References['kinds'] {
  const { features } = ports.service;
  const isThere = (kind: string) => pluginOf[kind] === undefined || features.includes(pluginOf[kind]);
  return new Set([...nodeKinds(), ...triggerKinds].filter(isThere));
}

/** Why sequences cannot listen to an event type; undefined if they can. */
export function eventFault({ ports }: ServiceContext, type: string): string | undefined {
  const fault = patternFault(ports.events, type);
  if (fault !== undefined) return fault;
  const declared = ports.events.get(type);
  if (declared === undefined || declared.person !== undefined) return undefined;
  return `${type} is not about a contact, so no sequence can hear it. A plugin's own event declares its \`person\` for that.`;
}

const isFound = (error: unknown, code: string): boolean => isPostriderError(error) && error.code === code;

/** The state of an email template; undefined if it does not exist. */
async function emailTemplate(ctx: ReadContext, key: string): Promise<TemplateReference | undefined> {
  try {
    await ctx.services.templates.resolve(ctx, key, { drafts: false });
    return { state: 'published', variables: await contractOf(ctx, key) };
  } catch (error) {
    if (isFound(error, 'template_archived')) return { state: 'archived', variables: {} };
    if (isFound(error, 'template_is_layout')) return { state: 'layout', variables: {} };
    if (!isFound(error, 'template_not_published')) return undefined;
    // Its variables are not read: that would parse the draft, and a transaction must not wait for the parser.
    const requestId = await requestFor(ctx, key);
    return { state: 'draft', variables: {}, ...(requestId === undefined ? {} : { requestId }) };
  }
}

/** The approval request that the template is waiting for. */
async function requestFor(ctx: ReadContext, key: string): Promise<string | undefined> {
  const approvals: ApprovalsService | undefined = ctx.services.approvals;
  const kind = 'email_template';
  const id = await ctx.ports.heldCalls.surfaces.get(kind)?.idOf?.(ctx, key);
  if (approvals === undefined || id === undefined) return undefined;
  return (await approvals.pendingOf(ctx.trx, kind, [id])).get(id)?.requestId;
}

async function contractOf(ctx: ReadContext, key: string): Promise<TemplateReference['variables']> {
  const all = await ctx.services.templates.sendable(ctx.trx);
  return all.find((one) => one.key === key)?.variables ?? {};
}

async function smsTemplates(
  { services, trx }: ReadContext,
  keys: readonly string[],
): Promise<References['smsTemplates']> {
  const sms: SmsService | undefined = services.sms;
  if (keys.length === 0 || sms === undefined) return new Map();
  const texts = await sms.texts(trx);
  return new Map([...texts].map(([key, { variables }]) => [key, { state: 'published' as const, variables }]));
}

/** The ids of those pages that exist. */
async function pagesAmong({ services, trx }: ReadContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  // The type comes from the services: pages also name sequences, and neither plugin imports the other.
  const pages: Services['pages'] | undefined = services.pages;
  const found = new Set<string>();
  for (const id of ids) if ((await pages?.find(trx, id))?.id === id) found.add(id);
  return found;
}

/** The declared data schemas of these event types. Undeclared types are left out. */
const declaredData = ({ ports }: ReadContext, types: readonly string[]): References['eventData'] =>
  new Map(
    types.flatMap((type) => {
      const declared = ports.events.get(type);
      return declared === undefined ? [] : [[type, jsonSchemaOf(declared.data, 'output')] as const];
    }),
  );

/** Looks up everything that a definition names. Locks the lists until the transaction ends. */
export async function lookUp(ctx: ReadContext, definition: Definition): Promise<References> {
  const named = namedReferences(definition);
  const emailTemplates = new Map<string, TemplateReference>();
  for (const key of named.emailTemplates) {
    const found = await emailTemplate(ctx, key);
    if (found !== undefined) emailTemplates.set(key, found);
  }
  const lists = new Set<string>();
  for (const id of [...named.lists].sort())
    if ((await ctx.services.lists.find(ctx.trx, id, 'share')) !== undefined) lists.add(id);
  const webhooks: WebhooksService | undefined = ctx.services.webhooks;
  const socialEvents: SocialEventWordings | undefined = ctx.services.socialEventWordings;
  const sequences = new Set<string>();
  for (const key of named.sequences) {
    const found = await sequenceHeads.findBy(ctx.trx, { key });
    if (found !== undefined && found.status !== 'archived') sequences.add(key);
  }
  const faults = named.eventTypes.map((type) => [type, eventFault(ctx, type)] as const);
  return {
    kinds: composedKinds(ctx),
    emailTemplates,
    smsTemplates: await smsTemplates(ctx, named.smsTemplates),
    socialEvents: new Set(named.socialEvents.filter((key) => socialEvents?.knows(key))),
    lists,
    webhooks: (await webhooks?.among(ctx.trx, named.webhooks)) ?? new Set(),
    sequences,
    pages: await pagesAmong(ctx, named.pages),
    eventFaults: new Map(faults.flatMap(([type, fault]) => (fault === undefined ? [] : [[type, fault] as const]))),
    eventData: declaredData(ctx, [...named.eventTypes, formConfirmed]),
  };
}
