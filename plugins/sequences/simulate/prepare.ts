// Reads the initial state of a simulation, runs the simulation, and renders its mails. Outside any transaction.
import { coreErrors, isPostriderError, type PostriderError, type PrepareContext } from '../../../core/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import { graphFaults } from '../definition/graph-check.ts';
import { activitiesIn, namedReferences, segmentEventOf, segmentOf } from '../definition/references.ts';
import type { Definition } from '../definition/schema.ts';
import { eventOfTimeline } from '../engine/run-events.ts';
import { errors } from '../errors.ts';
import { findSequence } from '../find-sequence.ts';
import { timeMissing } from '../interpreter/graph.ts';
import { createInterpreter } from '../interpreter/index.ts';
import { unknownZone } from '../interpreter/paths.ts';
import type { RunContact, RunEvent } from '../interpreter/types.ts';
import { versionRows } from '../tables.ts';
import { eventsOf, ignoredEvents } from './events.ts';
import type { RenderedMessage, SimulateBody } from './schema.ts';
import { type SimulatedRun, simulate } from './simulate.ts';
import { type AttemptedMessage, createWorld, type InitialWorld, type SimulatedMessage } from './world.ts';

const runId = 'run_simulated';
const dayMs = 86_400_000;
/** The maximum number of messages that are rendered. */
const maxRendered = 50;

/** A simulation with its messages. The operation renders the SMS messages itself. */
export interface RenderedSimulation {
  readonly run: SimulatedRun;
  readonly messages: readonly SimulatedMessage[];
  readonly rendered: ReadonlyMap<SimulatedMessage, RenderedMessage>;
  readonly warnings: readonly string[];
}

/** Loads the working copy or the published version. @throws sequence_not_found, sequence_not_published */
async function loadDefinition(ctx: PrepareContext, keyOrId: string, draft: boolean) {
  return ctx.read(async ({ trx }) => {
    const row = await findSequence(trx, keyOrId);
    if (draft) return { id: row.id, definition: row.definition };
    const version = row.version_id === null ? undefined : await versionRows.find(trx, row.version_id);
    if (version === undefined) throw errors.sequence_not_published({ key: row.key, status: row.status });
    return { id: row.id, definition: version.definition };
  });
}

/** The contact for whom the run is simulated. */
interface SimulatedPerson {
  readonly contact: RunContact;
  /** Whether the contact was looked up. Suppressions and earlier messages only count for such a contact. */
  readonly isKnown: boolean;
}

const sample: RunContact = { id: null, external_id: null, email: 'ada@example.com', subscribed: true, attributes: {} };

/** The contact of the simulation: built from the given attributes, or looked up. @throws insufficient_scope, contact_not_found */
async function findContact(ctx: PrepareContext, reference: SimulateBody['contact']): Promise<SimulatedPerson> {
  if (reference === undefined) return { contact: sample, isKnown: false };
  const { attributes, email, external_id, id } = reference;
  if (attributes !== undefined) {
    const identity = { email: email ?? sample.email, external_id: external_id ?? null, id: id ?? null };
    return { contact: { ...sample, attributes, ...identity }, isKnown: false };
  }
  if (!ctx.holds('contacts:read')) throw coreErrors.insufficient_scope({ scopes: ['contacts:read'] });
  const { contacts, suppressions } = ctx.services;
  return ctx.read(async ({ trx }) => {
    const contactRef = await contacts.find(trx, reference, ' Or give attributes of a made-up person.');
    const row = contactRef.email === null ? undefined : await suppressions.find(trx, contactRef.email, ctx.now);
    const { id: foundId, external_id: externalId, email: address, attributes: known } = contactRef;
    const isSubscribed = row === undefined;
    return {
      contact: { id: foundId, external_id: externalId, email: address, attributes: known, subscribed: isSubscribed },
      isKnown: true,
    };
  });
}

/** The parts of other areas that the simulation may show with the caller's scopes. */
const visibleParts = (ctx: Pick<PrepareContext, 'holds'>) => ({
  templates: ctx.holds('templates:read'),
  lists: ctx.holds('lists:read'),
  sms: ctx.holds('messaging.transactional.read'),
});

/** Warnings about parts that are left out because the caller lacks a scope. */
function hiddenPartWarnings(
  ctx: PrepareContext,
  definition: Definition,
  messages: readonly SimulatedMessage[],
): string[] {
  const visible = visibleParts(ctx);
  const references = namedReferences(definition);
  const sends = (kind: SimulatedMessage['action']['kind']) => messages.some(({ action }) => action.kind === kind);
  return [
    ...(visible.templates || !sends('send_email')
      ? []
      : ['The mails are not shown, and not checked: that needs templates:read.']),
    ...(visible.sms || !sends('send_sms') ? [] : ['The SMS are not shown: that needs messaging.transactional.read.']),
    ...(visible.lists || references.lists.length === 0
      ? []
      : ['The simulation assumes that the contact is a member of no list: looking up its lists needs lists:read.']),
  ];
}

async function readWorld(
  ctx: PrepareContext,
  { contact, isKnown }: SimulatedPerson,
  definition: Definition,
): Promise<InitialWorld> {
  const { templates, lists } = ctx.services;
  const references = namedReferences(definition);
  const visible = visibleParts(ctx);
  return ctx.read(async (read) => {
    const { trx } = read;
    const resolved = new Map<string, ResolvedTemplate | PostriderError>();
    for (const key of visible.templates ? references.emailTemplates : []) {
      try {
        resolved.set(key, await templates.resolve(read, key, { drafts: true }));
      } catch (error) {
        if (!isPostriderError(error)) throw error;
        resolved.set(key, error);
      }
    }
    const memberships = new Set<string>();
    const confirms = new Map<string, boolean>();
    for (const listId of visible.lists ? references.lists : []) {
      const list = await lists.find(trx, listId);
      if (list !== undefined) confirms.set(listId, list.optin === 'double');
      if (contact.id !== null && (await lists.isMember(trx, listId, contact.id))) memberships.add(listId);
    }
    const { email, attributes } = contact;
    const sendable = [...resolved.values()].flatMap((one) => (isPostriderError(one) ? [] : [one]));
    const person = { email, attributes, isKnown };
    const forecast = await ctx.services.mailDecisions.forecast({ ...read, workspace: ctx.workspace }, person, sendable);
    return {
      contact,
      forecast,
      lists: memberships,
      needsConfirmation: confirms,
      templates: resolved,
      settings: definition.settings,
      areTemplatesHidden: !visible.templates,
    };
  });
}

/** The maximum number of events of a type that a simulation reads. */
const maxHistory = 2_000;

/** The stored custom events of a looked-up contact that activity conditions need, from before the simulation begins. */
async function readHistory(
  ctx: PrepareContext,
  contactId: string | null,
  definition: Definition,
  startAt: number,
): Promise<RunEvent[]> {
  const types = new Set(activitiesIn(definition).map(({ activity }) => activity.did));
  if (contactId === null || types.size === 0 || !ctx.holds('contacts:read')) return [];
  return ctx.read(async ({ trx, services }) => {
    const history: RunEvent[] = [];
    for (const type of types) {
      let remaining = maxHistory;
      for await (const row of services.contacts.eventsFrom(trx, { contact_id: contactId, type, from: 0 })) {
        if (row.ts >= startAt || remaining === 0) break;
        remaining -= 1;
        history.push(eventOfTimeline(row));
      }
    }
    return history;
  });
}

/** The event with which a segment would start the run; undefined for other triggers. The name of the segment needs lists:read. */
async function segmentEventFor(
  ctx: PrepareContext,
  { trigger }: Definition,
  { id, external_id, email }: RunContact,
  at: number,
): Promise<RunEvent | undefined> {
  const type = segmentEventOf(trigger);
  const segmentId = segmentOf(trigger);
  if (type === undefined || segmentId === undefined) return undefined;
  const segments: SegmentsService | undefined = ctx.services.segments;
  const segmentRecord = ctx.holds('lists:read')
    ? await ctx.read(async ({ trx }) => segments?.find(trx, segmentId))
    : undefined;
  const segment = { segmentId, ...(segmentRecord === undefined ? {} : { name: segmentRecord.name }) };
  return { id: null, type, at, metadata: null, data: { segment, contact: { id, external_id, email } } };
}

async function renderMails(
  ctx: PrepareContext,
  messages: readonly SimulatedMessage[],
  templates: InitialWorld['templates'],
) {
  const rendered = new Map<SimulatedMessage, RenderedMessage>();
  const warnings: string[] = [];
  for (const message of messages.slice(0, maxRendered)) {
    if (message.action.kind !== 'send_email') continue;
    const { templateKey, locale } = message.action;
    const ownTemplate = templates.get(templateKey);
    if (ownTemplate === undefined || isPostriderError(ownTemplate)) continue;
    try {
      const template =
        locale === undefined
          ? ownTemplate
          : await ctx.read((read) => ctx.services.templates.resolve(read, templateKey, { drafts: true, locale }));
      const { subject, html, text } = await ctx.services.templates.preview(
        ctx,
        template,
        message.variables,
        message.at,
      );
      rendered.set(message, { channel: 'email', subject, html, text });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      warnings.push(`${message.nodeId}: ${error.message}`);
    }
  }
  if (messages.length > maxRendered) warnings.push(`Only the first ${maxRendered} messages are rendered.`);
  return { rendered, warnings };
}

/** Warnings about message variables that were left out because their path has no value in this run. */
function missingValues({ nodes }: Definition, attempted: readonly AttemptedMessage[]): string[] {
  const variablesByNode = new Map(nodes.map((node) => [node.id, 'variables' in node ? node.variables : {}]));
  const warnings = attempted.flatMap(({ nodeId, action }) =>
    Object.entries(variablesByNode.get(nodeId) ?? {})
      .filter(([name, text]) => typeof text === 'string' && !Object.hasOwn(action.variables, name))
      .map(([name, text]) => `${nodeId}: ${name} is left out, since this run has no value for ${text}.`),
  );
  return [...new Set(warnings)];
}

/** Warnings about delays relative to a time that this run does not have. */
const missingTimes = ({ steps }: SimulatedRun): string[] =>
  steps
    .filter(({ reason }) => reason === timeMissing)
    .map(({ nodeId, output }) => `${nodeId}: ${String(output?.['message'])} The step fails.`);

/** @throws sequence_not_found, sequence_not_published, sequence_invalid, contact_not_found, variables_invalid */
export async function prepareSimulation(
  ctx: PrepareContext,
  keyOrId: string,
  body: SimulateBody,
): Promise<RenderedSimulation> {
  const { id, definition } = await loadDefinition(ctx, keyOrId, body.draft);
  const faults = graphFaults(definition);
  const [first] = faults;
  if (first !== undefined)
    throw errors.sequence_invalid({ key: keyOrId, faults: faults.length, first: first.message }, { details: faults });
  const person = await findContact(ctx, body.contact);
  const { contact } = person;
  const initialWorld = await readWorld(ctx, person, definition);
  const world = createWorld(initialWorld);
  const parse = (text: string) => ctx.services.templates.text({ body: text });
  const contract = definition.settings.variables;
  const variables =
    contract === undefined
      ? body.variables
      : ctx.services.templates.text({ body: '', variables: contract }).accept('the sequence', body.variables);
  const startAt = body.startAt ?? ctx.now;
  const events = eventsOf(ctx, body.events, runId, startAt);
  const run = simulate({
    interpreter: createInterpreter(definition, parse),
    world,
    runId,
    sequenceId: id,
    variables,
    startAt,
    until: body.until ?? startAt + 400 * dayMs,
    events: [...events].sort((a, b) => a.at - b.at),
    entrance: await segmentEventFor(ctx, definition, contact, startAt),
    history: await readHistory(ctx, contact.id, definition, startAt),
  });
  const mails = await renderMails(ctx, world.messages, initialWorld.templates);
  const warnings = [
    ...hiddenPartWarnings(ctx, definition, world.messages),
    ...missingTimes(run),
    ...missingValues(definition, world.attemptedMessages),
    ...mails.warnings,
  ];
  const zone = unknownZone(contact);
  if (zone !== undefined)
    warnings.push(
      `The contact's attribute timezone is ${zone}, which is not a valid time zone: ${definition.settings.timezone} is used. Set a name such as Europe/Vienna, or an offset such as +02:00.`,
    );
  if (body.contact === undefined)
    warnings.push(
      'No contact is given: ada@example.com without attributes is assumed. Shares of a split depend on the contact.',
    );
  const isMember = (listId: string): boolean => initialWorld.lists.has(listId);
  warnings.push(...ignoredEvents(ctx, events, { definition, contact, variables, isMember, run }));
  if (run.startedByEvent === false) warnings.push('No event matches the trigger, so the run starts without an event.');
  if (world.messages.some(({ action }) => action.kind === 'send_sms'))
    warnings.push('The simulation assumes that the number has a valid consent.');
  return { run, messages: world.messages, rendered: mails.rendered, warnings };
}
