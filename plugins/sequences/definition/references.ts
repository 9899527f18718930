// The resources that a definition refers to: templates, lists, webhooks, sequences, events, plugins.
// They are collected here, looked up by the operation that publishes, and passed to the graph check as plain values.
import type { DefinedSchema } from '../../../core/unstable.ts';
import { activitiesOf, conditionsOf } from './filter-schema.ts';
import type { Definition, Filter, NodeKind, SequenceTrigger } from './schema.ts';

/** The ids, keys and types in a definition. */
export interface NamedReferences {
  readonly emailTemplates: readonly string[];
  readonly smsTemplates: readonly string[];
  readonly socialEvents: readonly string[];
  readonly lists: readonly string[];
  readonly segments: readonly string[];
  readonly webhooks: readonly string[];
  readonly sequences: readonly string[];
  readonly pages: readonly string[];
  readonly eventTypes: readonly string[];
}

/** A template with the data that the check needs. */
export interface TemplateReference {
  readonly state: 'published' | 'draft' | 'archived' | 'layout';
  /** The approval request that a draft is waiting for. (Default: none) */
  readonly requestId?: string;
  /** The contract of its variables, as JSON Schema. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The results of looking up the resources of a definition. */
export interface ResolvedReferences {
  /** Kinds of nodes and triggers that can be used: their plugin is composed. */
  readonly kinds: ReadonlySet<NodeKind | SequenceTrigger['kind']>;
  readonly emailTemplates: ReadonlyMap<string, TemplateReference>;
  readonly smsTemplates: ReadonlyMap<string, TemplateReference>;
  readonly socialEvents: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly webhooks: ReadonlySet<string>;
  readonly sequences: ReadonlySet<string>;
  readonly pages: ReadonlySet<string>;
  /** For each event type that sequences cannot listen to, a message with the reason. */
  readonly eventFaults: ReadonlyMap<string, string>;
  /** The declared data schemas by event type. An event type without one may contain anything. */
  readonly eventData: ReadonlyMap<string, DefinedSchema>;
}

/** Every filter of a definition, with the id of its node; null for filters of the trigger and the settings. */
export function filtersOf({ trigger, nodes, settings }: Definition): { nodeId: string | null; filter: Filter }[] {
  const filters: { nodeId: string | null; filter: Filter }[] = [];
  const add = (nodeId: string | null, filter: Filter | undefined) => {
    if (filter !== undefined) filters.push({ nodeId, filter });
  };
  if (trigger.kind === 'event') add(null, trigger.filter);
  add(null, settings.exitWhen);
  for (const node of nodes) {
    if (node.kind === 'branch') for (const { filter } of node.conditions) add(node.id, filter);
    if (node.kind === 'wait_for_event' || node.kind === 'goal') add(node.id, node.filter);
  }
  return filters;
}

/** The lists whose membership the filters read. */
export function listsInFilters(definition: Definition): string[] {
  const paths = filtersOf(definition).flatMap(({ filter }) => conditionsOf(filter).map(({ path }) => path));
  return [...new Set(paths.filter((path) => path.startsWith('list.')).map((path) => path.slice('list.'.length)))];
}

/** The activities that the filters ask for, with the ids of their nodes; null for filters of the settings. */
export const activitiesIn = (definition: Definition) =>
  filtersOf(definition).flatMap(({ nodeId, filter }) => activitiesOf(filter).map((activity) => ({ nodeId, activity })));

/** The segment whose changes start runs. */
export const segmentOf = (trigger: SequenceTrigger): string | undefined =>
  trigger.kind === 'segment_entered' || trigger.kind === 'segment_left' ? trigger.segmentId : undefined;

/** The events of segments. */
export const segmentEvents = ['segment.entered', 'segment.left'] as const;

/** The event with which a segment starts runs; undefined for other triggers. */
export function segmentEventOf({ kind }: SequenceTrigger): (typeof segmentEvents)[number] | undefined {
  if (kind === 'segment_entered') return 'segment.entered';
  return kind === 'segment_left' ? 'segment.left' : undefined;
}

/** All ids, keys and types in a definition. */
export function namedReferences(definition: Definition): NamedReferences {
  const { trigger, nodes } = definition;
  const pick = (values: (string | undefined)[]): string[] => [
    ...new Set(values.filter((value) => value !== undefined)),
  ];
  return {
    emailTemplates: pick(nodes.map((node) => (node.kind === 'send_email' ? node.templateKey : undefined))),
    smsTemplates: pick(nodes.map((node) => (node.kind === 'send_sms' ? node.templateKey : undefined))),
    socialEvents: pick(nodes.map((node) => (node.kind === 'social_event' ? node.eventKey : undefined))),
    lists: pick([
      ...nodes.map((node) => ('listId' in node ? node.listId : undefined)),
      trigger.kind === 'list_joined' ? trigger.listId : undefined,
      ...listsInFilters(definition),
    ]),
    segments: pick([segmentOf(trigger)]),
    webhooks: pick(nodes.map((node) => (node.kind === 'webhook' ? node.webhookId : undefined))),
    sequences: pick(nodes.map((node) => (node.kind === 'enroll' ? node.sequenceKey : undefined))),
    pages: pick([trigger.kind === 'form_submitted' ? trigger.pageId : undefined]),
    eventTypes: pick([
      trigger.kind === 'event' ? trigger.type : undefined,
      ...nodes.map((node) => (node.kind === 'wait_for_event' || node.kind === 'goal' ? node.type : undefined)),
    ]),
  };
}
