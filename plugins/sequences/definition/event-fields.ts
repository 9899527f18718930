// Faults of filters that read a value their event never has: a field that its declared data lacks, or metadata of an event without
// metadata. Called by the graph check; pure. Undeclared events may contain anything and are not checked.
import type { ErrorDetail } from '../../../core/index.ts';
import {
  type DefinedSchema,
  definitionOf,
  didYouMean,
  type JsonSchema,
  listKnownNames,
} from '../../../core/unstable.ts';
import { conditionsOf } from './filter-schema.ts';
import type { ResolvedReferences } from './references.ts';
import type { Definition, Filter } from './schema.ts';

/** A filter, and the types of events that it may read. */
interface ReadingFilter {
  readonly path: string;
  readonly name: string;
  readonly filter: Filter | undefined;
  readonly types: readonly string[];
}

/** The event with which a form starts the sequence that it names, whatever the sequence's trigger is. */
export const formConfirmed = 'page.form_confirmed';

/** All filters that read an event whose possible types are known. */
function readingFilters({ trigger, nodes, settings }: Definition): ReadingFilter[] {
  const started = trigger.kind === 'event' ? [trigger.type] : [];
  const waited = nodes.flatMap((node) => (node.kind === 'wait_for_event' ? [node.type] : []));
  // A run keeps the event that started it until a wait is over. A form that names the sequence can start it, too. If the trigger is
  // not an event, the run's event can be of any type.
  const types = started.length === 0 ? [] : [...new Set([...started, formConfirmed, ...waited])];
  const ofNodes = nodes.flatMap((node): readonly ReadingFilter[] => {
    const place = { path: `nodes.${node.id}`, name: node.id };
    switch (node.kind) {
      case 'wait_for_event':
        return [{ ...place, filter: node.filter, types: [node.type] }];
      case 'goal':
        return [{ ...place, filter: node.filter, types: node.type === undefined ? types : [node.type] }];
      case 'branch':
        return node.conditions.map(({ filter }) => ({ ...place, filter, types }));
      default:
        return [];
    }
  });
  const filter = trigger.kind === 'event' ? trigger.filter : undefined;
  return [
    { path: 'trigger', name: 'The trigger', filter, types: started },
    { path: 'settings', name: 'exitWhen', filter: settings.exitWhen, types },
    ...ofNodes,
  ];
}

const list = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value : []);

/** Resolves references and unions into a list of alternative schemas. Recursive schemas refer to themselves only below a field. */
function formsOf(schema: JsonSchema, definitions: DefinedSchema['definitions']): readonly JsonSchema[] {
  const id = definitionOf(schema);
  if (id !== undefined) return formsOf(definitions[id] ?? {}, definitions);
  const inner = [...list(schema['anyOf']), ...list(schema['oneOf']), ...list(schema['allOf'])];
  return inner.length === 0 ? [schema] : inner.flatMap((one) => formsOf(one, definitions));
}

type Fields = Readonly<Record<string, JsonSchema>>;
const fieldsOf = ({ properties }: JsonSchema): Fields => (properties ?? {}) as Fields;

/** The schema at a name in a value of this form: `any` if it is not declared, undefined if no value is possible there. */
function below(form: JsonSchema, name: string): JsonSchema | 'any' | undefined {
  const { type, items, additionalProperties } = form;
  if (type === 'array' && name === 'length') return { type: 'integer' };
  if (type === 'array') return /^\d+$/.test(name) ? ((items as JsonSchema | undefined) ?? 'any') : undefined;
  if (type !== undefined && type !== 'object') return undefined;
  const fields = fieldsOf(form);
  if (Object.hasOwn(fields, name)) return fields[name];
  const isOpen = type === undefined || (additionalProperties !== undefined && additionalProperties !== false);
  return isOpen ? 'any' : undefined;
}

/** The first name of a path that data of this schema never has, and the known names beside it. Undefined if all names are possible. */
function undeclaredName({ schema, definitions }: DefinedSchema, names: readonly string[]) {
  let forms = formsOf(schema, definitions);
  for (const [depth, name] of names.entries()) {
    const found = forms.map((form) => below(form, name)).filter((one) => one !== undefined);
    if (found.includes('any')) return undefined;
    if (found.length === 0) return { depth, known: forms.flatMap((form) => Object.keys(fieldsOf(form))) };
    forms = found.flatMap((one) => (one === 'any' ? [] : formsOf(one, definitions)));
  }
  return undefined;
}

/** Why no event of these types has a value at the path; undefined if an event may have one. */
function pathFault(
  path: string,
  read: readonly string[],
  eventData: ResolvedReferences['eventData'],
): string | undefined {
  const types = read.filter((type) => type !== formConfirmed || eventData.has(type));
  const [root, part, ...names] = path.split('.');
  const declared = types.flatMap((type) => eventData.get(type) ?? []);
  if (root !== 'event' || declared.length === 0) return undefined;
  const all = types.filter((type) => eventData.has(type)).join(', ');
  if (part === 'metadata')
    return declared.length < types.length
      ? undefined
      : `no event ${all} has ${path}: its values are event.data. Did you mean event.data.${names.join('.')}?`;
  const missing = declared.map((data) => undeclaredName(data, names));
  const deepest = Math.max(...missing.map((one) => one?.depth ?? names.length));
  if (deepest === names.length) return undefined;
  const known = new Set(missing.flatMap((one) => (one?.depth === deepest ? one.known : [])));
  const before = ['event.data', ...names.slice(0, deepest), ''].join('.');
  const hint = didYouMean(names[deepest] ?? '', known, before) || ` ${listKnownNames(known) ?? ''}`.trimEnd();
  return `no event ${all} has ${path}.${hint}`;
}

/** Returns one fault for each field that a filter reads and that its event never has. */
export function eventFieldFaults(definition: Definition, { eventData }: ResolvedReferences): ErrorDetail[] {
  return readingFilters(definition).flatMap(({ path, name, filter, types }) => {
    const paths = new Set(filter === undefined ? [] : conditionsOf(filter).map((condition) => condition.path));
    return [...paths].flatMap((one) => {
      const fault = pathFault(one, types, eventData);
      return fault === undefined ? [] : [{ path, code: 'field_unknown', message: `${name}: ${fault}` }];
    });
  });
}
