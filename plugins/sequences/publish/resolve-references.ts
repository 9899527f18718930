// Looks up all resources of a definition: templates, lists, segments, webhooks, sequences, event types, kinds of nodes.
import {
  isPostriderError,
  patternFault,
  type ReadContext,
  type ServiceContext,
  type Services,
} from '../../../core/index.ts';
import { jsonSchemaOf } from '../../../core/unstable.ts';
import type { ApprovalsService } from '../../approvals/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import type { SmsService } from '../../sms/index.ts';
import type { SocialEventWordings } from '../../social-events/index.ts';
import type { WebhooksService } from '../../webhooks/index.ts';
import { formConfirmed } from '../definition/event-fields.ts';
import { nodeKinds } from '../definition/node-schemas.ts';
import { namedReferences, type ResolvedReferences, type TemplateReference } from '../definition/references.ts';
import type { Definition } from '../definition/schema.ts';
import { sequenceHeads } from '../tables.ts';

/** The plugin that a kind of node or trigger needs. Other kinds do not need a plugin. */
export const pluginOf: Readonly<Record<string, string>> = {
  send_email: 'email',
  send_sms: 'sms',
  social_event: 'social-events',
  webhook: 'webhooks',
  form_submitted: 'pages',
  segment_entered: 'segments',
  segment_left: 'segments',
};

const triggerKinds = ['manual', 'event', 'list_joined', 'form_submitted', 'segment_entered', 'segment_left'] as const;

/** The kinds of nodes and triggers whose plugin is composed. */
export function composedKinds({ ports }: ServiceContext): ResolvedReferences['kinds'] {
  const { features } = ports.service;
  const isComposed = (kind: string) => pluginOf[kind] === undefined || features.includes(pluginOf[kind]);
  return new Set([...nodeKinds(), ...triggerKinds].filter(isComposed));
}

/** The reason why sequences cannot listen to an event type; undefined if they can. */
export function eventFault({ ports }: ServiceContext, type: string): string | undefined {
  const fault = patternFault(ports.events, type);
  if (fault !== undefined) return fault;
  const declared = ports.events.get(type);
  if (declared === undefined || declared.person !== undefined) return undefined;
  return `${type} is not about a contact, so sequences cannot listen to it. An event of a plugin is about a contact if it declares its \`person\`.`;
}

/** The reason why a filter cannot ask whether a contact had this event; undefined if it can. */
export function activityFault({ ports }: ServiceContext, type: string): string | undefined {
  if (ports.events.has(type))
    return `did asks for events of your program, and ${type} is an event of the service. Wait for it instead: { "kind": "wait_for_event", "type": "${type}", "since": "run" }.`;
  return patternFault(ports.events, type);
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
    // The variables of a draft are not read, because that would parse the draft, and a transaction must not wait for the parser.
    const requestId = await requestFor(ctx, key);
    return { state: 'draft', variables: {}, ...(requestId === undefined ? {} : { requestId }) };
  }
}

/** The approval request that the template is waiting for. */
async function requestFor(ctx: ReadContext, key: string): Promise<string | undefined> {
  const approvals: ApprovalsService | undefined = ctx.services.approvals;
  const kind = 'email_template';
  const id = await ctx.ports.heldCalls.contentKinds.get(kind)?.idOf?.(ctx, key);
  if (approvals === undefined || id === undefined) return undefined;
  return (await approvals.pendingOf(ctx.trx, kind, [id])).get(id)?.requestId;
}

async function contractOf(ctx: ReadContext, key: string): Promise<TemplateReference['variables']> {
  const templates = await ctx.services.templates.sendable(ctx.trx);
  return templates.find((one) => one.key === key)?.variables ?? {};
}

async function smsTemplates(
  { services, trx }: ReadContext,
  keys: readonly string[],
): Promise<ResolvedReferences['smsTemplates']> {
  const sms: SmsService | undefined = services.sms;
  if (keys.length === 0 || sms === undefined) return new Map();
  const texts = await sms.texts(trx);
  return new Map([...texts].map(([key, { variables }]) => [key, { state: 'published' as const, variables }]));
}

/** The ids of the pages among these that exist. */
async function pagesAmong({ services, trx }: ReadContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  // The type comes from the services, because pages also refer to sequences, and neither plugin imports the other.
  const pages: Services['pages'] | undefined = services.pages;
  const existing = new Set<string>();
  for (const id of ids) if ((await pages?.find(trx, id))?.id === id) existing.add(id);
  return existing;
}

/** The declared data schemas of these event types. Undeclared types are left out. */
const declaredData = ({ ports }: ReadContext, types: readonly string[]): ResolvedReferences['eventData'] =>
  new Map(
    types.flatMap((type) => {
      const declared = ports.events.get(type);
      return declared === undefined ? [] : [[type, jsonSchemaOf(declared.data, 'output')] as const];
    }),
  );

/** Looks up all resources of a definition. Locks the lists and segments until the transaction ends. */
export async function resolveReferences(ctx: ReadContext, definition: Definition): Promise<ResolvedReferences> {
  const references = namedReferences(definition);
  const emailTemplates = new Map<string, TemplateReference>();
  for (const key of references.emailTemplates) {
    const template = await emailTemplate(ctx, key);
    if (template !== undefined) emailTemplates.set(key, template);
  }
  const lists = new Set<string>();
  for (const id of [...references.lists].sort())
    if ((await ctx.services.lists.find(ctx.trx, id, 'share')) !== undefined) lists.add(id);
  const segmentsService: SegmentsService | undefined = ctx.services.segments;
  const segments = new Set<string>();
  for (const id of references.segments)
    if ((await segmentsService?.find(ctx.trx, id, 'share')) !== undefined) segments.add(id);
  const webhooks: WebhooksService | undefined = ctx.services.webhooks;
  const socialEvents: SocialEventWordings | undefined = ctx.services.socialEventWordings;
  const sequences = new Set<string>();
  for (const key of references.sequences) {
    const sequence = await sequenceHeads.findBy(ctx.trx, { key });
    if (sequence !== undefined && sequence.status !== 'archived') sequences.add(key);
  }
  const faults = references.eventTypes.map((type) => [type, eventFault(ctx, type)] as const);
  return {
    kinds: composedKinds(ctx),
    emailTemplates,
    smsTemplates: await smsTemplates(ctx, references.smsTemplates),
    socialEvents: new Set(references.socialEvents.filter((key) => socialEvents?.hasEvent(key))),
    lists,
    segments,
    webhooks: (await webhooks?.among(ctx.trx, references.webhooks)) ?? new Set(),
    sequences,
    pages: await pagesAmong(ctx, references.pages),
    eventFaults: new Map(faults.flatMap(([type, fault]) => (fault === undefined ? [] : [[type, fault] as const]))),
    eventData: declaredData(ctx, [...references.eventTypes, formConfirmed]),
  };
}
