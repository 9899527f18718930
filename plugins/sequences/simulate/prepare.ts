// Reads what a simulation begins with, runs it, and renders its mails: outside any transaction.
import type { PostriderError, PrepareContext } from '../../../core/index.ts';
import { coreErrors, isPostriderError } from '../../../core/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import { graphFaults } from '../definition/graph-check.ts';
import { namedReferences } from '../definition/references.ts';
import type { Definition } from '../definition/schema.ts';
import { errors } from '../errors.ts';
import { findSequence } from '../find.ts';
import { createInterpreter } from '../interpreter/index.ts';
import type { RunContact } from '../interpreter/types.ts';
import { versionRows } from '../tables.ts';
import { eventsOf, ignoredEvents } from './events.ts';
import type { RenderedMessage, SimulateBody } from './schema.ts';
import type { SimulatedRun } from './simulate.ts';
import { simulate } from './simulate.ts';
import type { AskedMessage, SimulatedMessage, WorldBefore } from './world.ts';
import { createWorld } from './world.ts';

const runId = 'run_simulated';
const dayMs = 86_400_000;
/** The most messages that are rendered. */
const maxRendered = 50;

/** A simulation with its messages; those of SMS are rendered by the operation. */
export interface PreparedSimulation {
  readonly run: SimulatedRun;
  readonly messages: readonly SimulatedMessage[];
  readonly rendered: ReadonlyMap<SimulatedMessage, RenderedMessage>;
  readonly warnings: readonly string[];
}

/** The working copy, or the published version. @throws sequence_not_found, sequence_not_published */
async function loadDefinition(ctx: PrepareContext, keyOrId: string, draft: boolean) {
  return ctx.read(async (handle) => {
    const row = await findSequence(handle, keyOrId);
    if (draft) return { id: row.id, definition: row.definition };
    const version = row.version_id === null ? undefined : await versionRows.find(handle, row.version_id);
    if (version === undefined) throw errors.sequence_not_published({ key: row.key, status: row.status });
    return { id: row.id, definition: version.definition };
  });
}

const sample: RunContact = { id: null, external_id: null, email: 'ada@example.com', subscribed: true, attributes: {} };

/** The contact that is meant: made up from attributes, or looked up. @throws insufficient_scope, contact_not_found */
async function findContact(ctx: PrepareContext, given: SimulateBody['contact']): Promise<RunContact> {
  if (given === undefined) return sample;
  const { attributes, email, external_id, id } = given;
  if (attributes !== undefined)
    return { ...sample, attributes, email: email ?? sample.email, external_id: external_id ?? null, id: id ?? null };
  if (!ctx.holds('contacts:read')) throw coreErrors.insufficient_scope({ scopes: ['contacts:read'] });
  const { contacts, suppressions } = ctx.services;
  return ctx.read(async (handle) => {
    const found = await contacts.find(handle, given, ' Or give attributes of a made-up person.');
    const suppressed =
      found.email === null ? new Set() : await suppressions.suppressedAmong(handle, [found.email], ctx.now);
    const { id: foundId, external_id: externalId, email: address, attributes: known } = found;
    const subscribed = address === null || !suppressed.has(address);
    return { id: foundId, external_id: externalId, email: address, attributes: known, subscribed };
  });
}

async function readWorld(ctx: PrepareContext, contact: RunContact, definition: Definition): Promise<WorldBefore> {
  const { templates, lists } = ctx.services;
  const named = namedReferences(definition);
  return ctx.read(async (handle) => {
    const found = new Map<string, ResolvedTemplate | PostriderError>();
    for (const key of named.emailTemplates) {
      try {
        found.set(key, await templates.resolve(handle, key, { drafts: true }));
      } catch (error) {
        if (!isPostriderError(error)) throw error;
        found.set(key, error);
      }
    }
    const memberships = new Set<string>();
    const confirms = new Map<string, boolean>();
    for (const listId of named.lists) {
      const list = await lists.find(handle, listId);
      if (list !== undefined) confirms.set(listId, list.optin === 'double');
      if (contact.id !== null && (await lists.isMember(handle, listId, contact.id))) memberships.add(listId);
    }
    return { contact, lists: memberships, confirms, templates: found, settings: definition.settings };
  });
}

async function renderMails(
  ctx: PrepareContext,
  messages: readonly SimulatedMessage[],
  templates: WorldBefore['templates'],
) {
  const rendered = new Map<SimulatedMessage, RenderedMessage>();
  const warnings: string[] = [];
  for (const message of messages.slice(0, maxRendered)) {
    if (message.action.kind !== 'send_email') continue;
    const { templateKey, locale } = message.action;
    const own = templates.get(templateKey);
    if (own === undefined || isPostriderError(own)) continue;
    try {
      const template =
        locale === undefined
          ? own
          : await ctx.read((handle) => ctx.services.templates.resolve(handle, templateKey, { drafts: true, locale }));
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

/** Variables of messages that were left out, because the one path that they name has no value in this run. */
function missingValues({ nodes }: Definition, asked: readonly AskedMessage[]): string[] {
  const given = new Map(nodes.map((node) => [node.id, 'variables' in node ? node.variables : {}]));
  const warnings = asked.flatMap(({ nodeId, action }) =>
    Object.entries(given.get(nodeId) ?? {})
      .filter(([name, text]) => typeof text === 'string' && !Object.hasOwn(action.variables, name))
      .map(([name, text]) => `${nodeId}: ${name} is left out, since this run has no value for ${text}.`),
  );
  return [...new Set(warnings)];
}

/** @throws sequence_not_found, sequence_not_published, sequence_invalid, contact_not_found, variables_invalid */
export async function prepareSimulation(
  ctx: PrepareContext,
  keyOrId: string,
  body: SimulateBody,
): Promise<PreparedSimulation> {
  const { id, definition } = await loadDefinition(ctx, keyOrId, body.draft);
  const faults = graphFaults(definition);
  const [first] = faults;
  if (first !== undefined)
    throw errors.sequence_invalid({ key: keyOrId, faults: faults.length, first: first.message }, { details: faults });
  const contact = await findContact(ctx, body.contact);
  const before = await readWorld(ctx, contact, definition);
  const world = createWorld(before);
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
  });
  const mails = await renderMails(ctx, world.messages, before.templates);
  const warnings = [...missingValues(definition, world.asked), ...mails.warnings];
  if (body.contact === undefined)
    warnings.push(
      'No contact is given: ada@example.com without attributes is assumed. Shares of a split depend on the contact.',
    );
  const isMember = (listId: string): boolean => before.lists.has(listId);
  warnings.push(...ignoredEvents(ctx, events, { definition, contact, variables, isMember, run }));
  if (run.startedByEvent === false)
    warnings.push('No event starts the run by the trigger; it starts all the same, without an event.');
  if (world.messages.some(({ action }) => action.kind === 'send_sms'))
    warnings.push('The consent of the number is taken for granted.');
  return { run, messages: world.messages, rendered: mails.rendered, warnings };
}
