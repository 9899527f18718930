// Faults in the names that a definition uses: templates and their variables, lists, segments, webhooks, events, plugins not composed, Liquid.
import type { ErrorDetail } from '../../../core/index.ts';
import { liquidIn } from '../interpreter/values.ts';
import { eventFieldFaults } from './event-fields.ts';
import { conditionsOf } from './filter-schema.ts';
import { filtersOf, type ResolvedReferences, segmentOf, type TemplateReference } from './references.ts';
import type { Definition, SequenceNode } from './schema.ts';
import { contactNames, pathFault, type ReadPaths, scopeRoots } from './text-paths.ts';

/** The location of a fault: a node, or the trigger and settings. */
interface FaultLocation {
  readonly path: string;
  readonly name: string;
}

const ofNode = (id: string): FaultLocation => ({ path: `nodes.${id}`, name: id });
const ofTrigger: FaultLocation = { path: 'trigger', name: 'The trigger' };

const fault = ({ path }: FaultLocation, code: string, message: string): ErrorDetail => ({ path, code, message });

/** Why no mail can be sent from the template; empty for a published template. */
function hindrance(key: string, { state, requestId }: TemplateReference): string {
  if (state === 'archived') return 'is archived.';
  if (state === 'layout') return 'is a layout, which is never sent.';
  if (state === 'published') return '';
  return requestId === undefined
    ? `is not published. Publish it first: POST /v1/templates/${key}/publish.`
    : `is not published: it waits for approval ${requestId}. Track it with GET /v1/approvals/requests/${requestId}.`;
}

/** A part of a template's variable contract. */
interface ContractPart {
  readonly properties?: Readonly<Record<string, ContractPart>>;
}

const leavesOf = ({ properties }: ContractPart, path: readonly string[]): (readonly string[])[] =>
  properties === undefined
    ? [path]
    : Object.entries(properties).flatMap(([name, part]) => leavesOf(part, [...path, name]));

/** Advice on how the node passes a variable that sequences read but templates do not. Empty for any other variable. */
function scopeAdvice(root: string, part: ContractPart = {}, given: Readonly<Record<string, unknown>>): string {
  if (!scopeRoots.includes(root)) return '';
  const example = root === 'contact' ? ['contact', 'attributes', 'name'] : [root, 'name'];
  const read = part.properties === undefined ? [example] : leavesOf(part, [root]);
  const paths = read.map((path) => {
    const isAttribute = root === 'contact' && path.length === 2 && !contactNames.includes(path[1] ?? '');
    return isAttribute ? ['contact', 'attributes', ...path.slice(1)] : path;
  });
  const ownPaths = paths.map((path) => [path.at(-1) ?? '', `{{ ${path.join('.')} }}`] as const);
  const variables = JSON.stringify({ ...given, ...Object.fromEntries(ownPaths) });
  const names = [...new Set(ownPaths.map(([name]) => `{{${name}}}`))].join(', ');
  return ` Templates do not see ${root}. Write ${names} in the template, and in the node "variables": ${variables}.`;
}

/** Variables that the template needs and the node does not give, and variables that the node gives and the template does not know. */
function variableFaults(
  place: FaultLocation,
  key: string,
  { variables: contract }: TemplateReference,
  given: Readonly<Record<string, unknown>>,
): ErrorDetail[] {
  const { required, properties, additionalProperties } = contract as {
    required?: readonly string[];
    properties?: Readonly<Record<string, ContractPart & { default?: unknown }>>;
    additionalProperties?: unknown;
  };
  const missing = (required ?? []).filter(
    (name) => !Object.hasOwn(given, name) && properties?.[name]?.default === undefined,
  );
  const unknown =
    additionalProperties === true ? [] : Object.keys(given).filter((name) => !Object.hasOwn(properties ?? {}, name));
  return [
    ...missing.map((name) =>
      fault(
        place,
        'variable_missing',
        `${place.name} gives no ${name}, which the template ${key} needs.${scopeAdvice(name, properties?.[name], given)}`,
      ),
    ),
    ...unknown.map((name) =>
      fault(place, 'variable_unknown', `${place.name} gives ${name}, which the template ${key} does not know.`),
    ),
  ];
}

function templateFaults(
  place: FaultLocation,
  key: string,
  found: TemplateReference | undefined,
  given: Readonly<Record<string, unknown>>,
): ErrorDetail[] {
  if (found === undefined) return [fault(place, 'template_not_found', `${place.name}: there is no template ${key}.`)];
  if (found.state !== 'published')
    return [fault(place, `template_${found.state}`, `${place.name}: the template ${key} ${hindrance(key, found)}`)];
  return variableFaults(place, key, found, given);
}

/** A fault if a key or id is not among the existing ones. */
const known = (place: FaultLocation, what: string, id: string, among: ReadonlySet<string>): ErrorDetail[] =>
  among.has(id)
    ? []
    : [fault(place, `${what.replace(' ', '_')}_not_found`, `${place.name}: there is no ${what} ${id}.`)];

function eventFaults(
  place: FaultLocation,
  type: string | undefined,
  { eventFaults: faults }: ResolvedReferences,
): ErrorDetail[] {
  const message = type === undefined ? undefined : faults.get(type);
  return message === undefined ? [] : [fault(place, 'event_type', `${place.name}: ${message}`)];
}

function textFaults(node: SequenceNode, settings: Definition['settings'], readPaths: ReadPaths): ErrorDetail[] {
  const place = ofNode(node.id);
  const texts = [
    ...('variables' in node ? liquidIn(node.variables, 'variables') : []),
    ...('attributes' in node ? liquidIn(node.attributes, 'attributes') : []),
    ...(node.kind === 'send_sms' ? liquidIn(node.to, 'to') : []),
    ...(node.kind === 'send_email' ? liquidIn(node.locale, 'locale') : []),
  ];
  return texts.flatMap(({ place: at, text }) => {
    try {
      const found = readPaths(text).flatMap((path) => pathFault(path, settings) ?? []);
      return [...new Set(found)].map((message) => fault(place, 'path_unknown', `${node.id}, ${at}: ${message}`));
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      return [fault(place, 'text_invalid', `${node.id}, ${at}: ${sentence}`)];
    }
  });
}

function nodeFaults(node: SequenceNode, references: ResolvedReferences): ErrorDetail[] {
  const place = ofNode(node.id);
  switch (node.kind) {
    case 'send_email':
      return templateFaults(place, node.templateKey, references.emailTemplates.get(node.templateKey), node.variables);
    case 'send_sms':
      return templateFaults(place, node.templateKey, references.smsTemplates.get(node.templateKey), node.variables);
    case 'social_event':
      return known(place, 'social event', node.eventKey, references.socialEvents);
    case 'webhook':
      return known(place, 'webhook', node.webhookId, references.webhooks);
    case 'add_to_list':
    case 'remove_from_list':
      return known(place, 'list', node.listId, references.lists);
    case 'enroll':
      return known(place, 'sequence', node.sequenceKey, references.sequences);
    case 'wait_for_event':
    case 'goal':
      return eventFaults(place, node.type, references);
    default:
      return [];
  }
}

function triggerFaults({ trigger }: Definition, references: ResolvedReferences): ErrorDetail[] {
  if (!references.kinds.has(trigger.kind))
    return [fault(ofTrigger, 'kind_not_available', `No plugin that is composed brings the trigger ${trigger.kind}.`)];
  if (trigger.kind === 'event') return eventFaults(ofTrigger, trigger.type, references);
  if (trigger.kind === 'list_joined') return known(ofTrigger, 'list', trigger.listId, references.lists);
  const segmentId = segmentOf(trigger);
  if (segmentId !== undefined) return known(ofTrigger, 'segment', segmentId, references.segments);
  return trigger.kind === 'form_submitted' ? known(ofTrigger, 'page', trigger.pageId, references.pages) : [];
}

function filterFaults(definition: Definition, { lists }: ResolvedReferences): ErrorDetail[] {
  return filtersOf(definition).flatMap(({ nodeId, filter }) => {
    const place = nodeId === null ? { path: 'settings', name: 'A filter of the trigger or settings' } : ofNode(nodeId);
    return conditionsOf(filter)
      .filter(({ path }) => path.startsWith('list.'))
      .flatMap(({ path }) => known(place, 'list', path.slice('list.'.length), lists));
  });
}

/** Every fault in the names that a definition uses. */
export function referenceFaults(
  definition: Definition,
  references: ResolvedReferences,
  readPaths: ReadPaths,
): ErrorDetail[] {
  const ofNodes = definition.nodes.flatMap((node) => {
    if (references.kinds.has(node.kind))
      return [...nodeFaults(node, references), ...textFaults(node, definition.settings, readPaths)];
    const message = `${node.id}: no plugin that is composed brings nodes of the kind ${node.kind}.`;
    return [fault(ofNode(node.id), 'kind_not_available', message)];
  });
  return [
    ...triggerFaults(definition, references),
    ...ofNodes,
    ...filterFaults(definition, references),
    ...eventFieldFaults(definition, references),
  ];
}
