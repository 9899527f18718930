// Finds filters that read a value that their event never has: a field outside the event's declared data, or metadata of an
// event without metadata. Events without a declared schema may contain anything, so they are not checked. Called by the graph check; pure.
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
interface FilterWithEventTypes {
  readonly path: string;
  readonly name: string;
  readonly filter: Filter | undefined;
  readonly types: readonly string[];
}

/** The event of a form that starts a sequence by its key, whatever the sequence's trigger is. */
export const formConfirmed = 'page.form_confirmed';

/** All filters that read an event whose possible types are known. */
function filtersWithEventTypes({ trigger, nodes, settings }: Definition): FilterWithEventTypes[] {
  const startTypes = trigger.kind === 'event' ? [trigger.type] : [];
  const waitTypes = nodes.flatMap((node) => (node.kind === 'wait_for_event' ? [node.type] : []));
  // A run has the event that started it until a wait ends. A form can also start the sequence by its key. If the
  // trigger is not an event, the run's event can be of any type.
  const types = startTypes.length === 0 ? [] : [...new Set([...startTypes, formConfirmed, ...waitTypes])];
  const nodeFilters = nodes.flatMap((node): readonly FilterWithEventTypes[] => {
    const location = { path: `nodes.${node.id}`, name: node.id };
    switch (node.kind) {
      case 'wait_for_event':
        return [{ ...location, filter: node.filter, types: [node.type] }];
      case 'goal':
        return [{ ...location, filter: node.filter, types: node.type === undefined ? types : [node.type] }];
      case 'branch':
        return node.conditions.map(({ filter }) => ({ ...location, filter, types }));
      default:
        return [];
    }
  });
  const filter = trigger.kind === 'event' ? trigger.filter : undefined;
  return [
    { path: 'trigger', name: 'The trigger', filter, types: startTypes },
    { path: 'settings', name: 'exitWhen', filter: settings.exitWhen, types },
    ...nodeFilters,
  ];
}

const list = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value : []);

/** Resolves references and unions into a list of alternative schemas. Recursive schemas refer to themselves only below a field. */
function formsOf(schema: JsonSchema, definitions: DefinedSchema['definitions']): readonly JsonSchema[] {
  const id = definitionOf(schema);
  if (id !== undefined) return formsOf(definitions[id] ?? {}, definitions);
  const alternatives = [...list(schema['anyOf']), ...list(schema['oneOf']), ...list(schema['allOf'])];
  return alternatives.length === 0 ? [schema] : alternatives.flatMap((one) => formsOf(one, definitions));
}

type Fields = Readonly<Record<string, JsonSchema>>;
const fieldsOf = ({ properties }: JsonSchema): Fields => (properties ?? {}) as Fields;

/** The schema at a name in a value of this form: `any` if it is not declared, undefined if no value is possible there. */
function schemaBelow(form: JsonSchema, name: string): JsonSchema | 'any' | undefined {
  const { type, items, additionalProperties } = form;
  if (type === 'array' && name === 'length') return { type: 'integer' };
  if (type === 'array') return /^\d+$/.test(name) ? ((items as JsonSchema | undefined) ?? 'any') : undefined;
  if (type !== undefined && type !== 'object') return undefined;
  const fields = fieldsOf(form);
  if (Object.hasOwn(fields, name)) return fields[name];
  const isOpen = type === undefined || (additionalProperties !== undefined && additionalProperties !== false);
  return isOpen ? 'any' : undefined;
}

/** The first name of a path that data of this schema never has, with the names that are possible there. Undefined for a possible path. */
function undeclaredName({ schema, definitions }: DefinedSchema, names: readonly string[]) {
  let forms = formsOf(schema, definitions);
  for (const [depth, name] of names.entries()) {
    const schemas = forms.map((form) => schemaBelow(form, name)).filter((one) => one !== undefined);
    if (schemas.includes('any')) return undefined;
    if (schemas.length === 0) return { depth, known: forms.flatMap((form) => Object.keys(fieldsOf(form))) };
    forms = schemas.flatMap((one) => (one === 'any' ? [] : formsOf(one, definitions)));
  }
  return undefined;
}

/** The reason why no event of these types has a value at the path; undefined if an event may have a value there. */
function pathFault(
  path: string,
  readTypes: readonly string[],
  eventData: ResolvedReferences['eventData'],
): string | undefined {
  const types = readTypes.filter((type) => type !== formConfirmed || eventData.has(type));
  const [root, part, ...names] = path.split('.');
  const declared = types.flatMap((type) => eventData.get(type) ?? []);
  if (root !== 'event' || declared.length === 0) return undefined;
  const typeNames = types.filter((type) => eventData.has(type)).join(', ');
  if (part === 'metadata')
    return declared.length < types.length
      ? undefined
      : `no event ${typeNames} has ${path}: its values are event.data. Did you mean event.data.${names.join('.')}?`;
  const undeclared = declared.map((data) => undeclaredName(data, names));
  const deepest = Math.max(...undeclared.map((one) => one?.depth ?? names.length));
  if (deepest === names.length) return undefined;
  const knownNames = new Set(undeclared.flatMap((one) => (one?.depth === deepest ? one.known : [])));
  const prefix = ['event.data', ...names.slice(0, deepest), ''].join('.');
  const hint = didYouMean(names[deepest] ?? '', knownNames, prefix) || ` ${listKnownNames(knownNames) ?? ''}`.trimEnd();
  return `no event ${typeNames} has ${path}.${hint}`;
}

/** Returns one fault for each field that a filter reads and that its event never has. */
export function eventFieldFaults(definition: Definition, { eventData }: ResolvedReferences): ErrorDetail[] {
  return filtersWithEventTypes(definition).flatMap(({ path, name, filter, types }) => {
    const paths = new Set(filter === undefined ? [] : conditionsOf(filter).map((condition) => condition.path));
    return [...paths].flatMap((one) => {
      const fault = pathFault(one, types, eventData);
      return fault === undefined ? [] : [{ path, code: 'field_unknown', message: `${name}: ${fault}` }];
    });
  });
}
