// Faults in the references of a definition: templates and their variables, lists, segments, webhooks, events, plugins
// that are not composed, Liquid.
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

/** The reason why the template cannot be sent; empty for a published template. */
function unusableReason(key: string, { state, requestId }: TemplateReference): string {
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

/**
 * Advice for a variable that sequences can read but templates cannot: how the node passes it. Empty for any other
 * variable.
 */
function scopeAdvice(root: string, part: ContractPart = {}, nodeVariables: Readonly<Record<string, unknown>>): string {
  if (!scopeRoots.includes(root)) return '';
  const example = root === 'contact' ? ['contact', 'attributes', 'name'] : [root, 'name'];
  const examplePaths = part.properties === undefined ? [example] : leavesOf(part, [root]);
  const paths = examplePaths.map((path) => {
    const isAttribute = root === 'contact' && path.length === 2 && !contactNames.includes(path[1] ?? '');
    return isAttribute ? ['contact', 'attributes', ...path.slice(1)] : path;
  });
  const ownPaths = paths.map((path) => [path.at(-1) ?? '', `{{ ${path.join('.')} }}`] as const);
  const variables = JSON.stringify({ ...nodeVariables, ...Object.fromEntries(ownPaths) });
  const names = [...new Set(ownPaths.map(([name]) => `{{${name}}}`))].join(', ');
  return ` Templates do not see ${root}. Write ${names} in the template, and in the node "variables": ${variables}.`;
}

/** Variables that the template needs but the node lacks, and variables of the node that the template does not know. */
function variableFaults(
  place: FaultLocation,
  key: string,
  { variables: contract }: TemplateReference,
  variables: Readonly<Record<string, unknown>>,
): ErrorDetail[] {
  const { required, properties, additionalProperties } = contract as {
    required?: readonly string[];
    properties?: Readonly<Record<string, ContractPart & { default?: unknown }>>;
    additionalProperties?: unknown;
  };
  const missingNames = (required ?? []).filter(
    (name) => !Object.hasOwn(variables, name) && properties?.[name]?.default === undefined,
  );
  const unknown =
    additionalProperties === true
      ? []
      : Object.keys(variables).filter((name) => !Object.hasOwn(properties ?? {}, name));
  return [
    ...missingNames.map((name) =>
      fault(
        place,
        'variable_missing',
        `${place.name} gives no ${name}, which the template ${key} needs.${scopeAdvice(name, properties?.[name], variables)}`,
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
  template: TemplateReference | undefined,
  variables: Readonly<Record<string, unknown>>,
): ErrorDetail[] {
  if (template === undefined)
    return [fault(place, 'template_not_found', `${place.name}: there is no template ${key}.`)];
  if (template.state !== 'published')
    return [
      fault(place, `template_${template.state}`, `${place.name}: the template ${key} ${unusableReason(key, template)}`),
    ];
  return variableFaults(place, key, template, variables);
}

/** A fault if a key or an id does not exist. */
const unknownFault = (place: FaultLocation, what: string, id: string, among: ReadonlySet<string>): ErrorDetail[] =>
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
  const location = ofNode(node.id);
  const texts = [
    ...('variables' in node ? liquidIn(node.variables, 'variables') : []),
    ...('attributes' in node ? liquidIn(node.attributes, 'attributes') : []),
    ...(node.kind === 'send_sms' ? liquidIn(node.to, 'to') : []),
    ...(node.kind === 'send_email' ? liquidIn(node.locale, 'locale') : []),
  ];
  return texts.flatMap(({ place: at, text }) => {
    try {
      const faults = readPaths(text).flatMap((path) => pathFault(path, settings) ?? []);
      return [...new Set(faults)].map((message) => fault(location, 'path_unknown', `${node.id}, ${at}: ${message}`));
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      return [fault(location, 'text_invalid', `${node.id}, ${at}: ${sentence}`)];
    }
  });
}

function nodeFaults(node: SequenceNode, references: ResolvedReferences): ErrorDetail[] {
  const location = ofNode(node.id);
  switch (node.kind) {
    case 'send_email':
      return templateFaults(
        location,
        node.templateKey,
        references.emailTemplates.get(node.templateKey),
        node.variables,
      );
    case 'send_sms':
      return templateFaults(location, node.templateKey, references.smsTemplates.get(node.templateKey), node.variables);
    case 'social_event':
      return unknownFault(location, 'social event', node.eventKey, references.socialEvents);
    case 'webhook':
      return unknownFault(location, 'webhook', node.webhookId, references.webhooks);
    case 'add_to_list':
    case 'remove_from_list':
      return unknownFault(location, 'list', node.listId, references.lists);
    case 'enroll':
      return unknownFault(location, 'sequence', node.sequenceKey, references.sequences);
    case 'wait_for_event':
    case 'goal':
      return eventFaults(location, node.type, references);
    default:
      return [];
  }
}

function triggerFaults({ trigger }: Definition, references: ResolvedReferences): ErrorDetail[] {
  if (!references.kinds.has(trigger.kind))
    return [fault(ofTrigger, 'kind_not_available', `No composed plugin provides the trigger ${trigger.kind}.`)];
  if (trigger.kind === 'event') return eventFaults(ofTrigger, trigger.type, references);
  if (trigger.kind === 'list_joined') return unknownFault(ofTrigger, 'list', trigger.listId, references.lists);
  const segmentId = segmentOf(trigger);
  if (segmentId !== undefined) return unknownFault(ofTrigger, 'segment', segmentId, references.segments);
  return trigger.kind === 'form_submitted' ? unknownFault(ofTrigger, 'page', trigger.pageId, references.pages) : [];
}

function filterFaults(definition: Definition, { lists }: ResolvedReferences): ErrorDetail[] {
  return filtersOf(definition).flatMap(({ nodeId, filter }) => {
    const location =
      nodeId === null ? { path: 'settings', name: 'A filter of the trigger or settings' } : ofNode(nodeId);
    return conditionsOf(filter)
      .filter(({ path }) => path.startsWith('list.'))
      .flatMap(({ path }) => unknownFault(location, 'list', path.slice('list.'.length), lists));
  });
}

/** Every fault in the references of a definition. */
export function referenceFaults(
  definition: Definition,
  references: ResolvedReferences,
  readPaths: ReadPaths,
): ErrorDetail[] {
  const faultsOfNodes = definition.nodes.flatMap((node) => {
    if (references.kinds.has(node.kind))
      return [...nodeFaults(node, references), ...textFaults(node, definition.settings, readPaths)];
    const message = `${node.id}: no composed plugin provides nodes of the kind ${node.kind}.`;
    return [fault(ofNode(node.id), 'kind_not_available', message)];
  });
  return [
    ...triggerFaults(definition, references),
    ...faultsOfNodes,
    ...filterFaults(definition, references),
    ...eventFieldFaults(definition, references),
  ];
}
