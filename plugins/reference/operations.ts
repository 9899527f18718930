// The operations of the document by area, in the order in which the page shows them.
import {
  nameOf,
  type OpenapiDocument,
  type OperationObject,
  type ParameterObject,
  parameterOf,
  type Schema,
} from './document.ts';

/** An operation with its method and path. */
export interface OperationView {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly spec: OperationObject;
  readonly parameters: readonly ParameterObject[];
  /** The status code of a success. */
  readonly status: string;
}

/** A feature area. */
export interface ReferenceArea {
  /** The first word of the ids of its operations. */
  readonly name: string;
  readonly title: string;
  readonly operations: readonly OperationView[];
  /** Names of the schemas that its operations return and that no earlier area contains. */
  readonly objects: readonly string[];
}

/**
 * The areas that most readers look for come first, administration comes last, and other areas are sorted by name between them.
 */
const firstAreas = ['email', 'sends', 'templates', 'suppressions', 'contacts', 'events', 'webhooks'];
const lastAreas = ['workspace', 'keys', 'audit', 'mcp', 'openapi', 'asyncapi'];

const rankOf = (area: string): number => {
  if (firstAreas.includes(area)) return firstAreas.indexOf(area) - firstAreas.length;
  return lastAreas.includes(area) ? lastAreas.indexOf(area) + 1 : 0;
};

const acronyms: Readonly<Record<string, string>> = {
  api: 'API',
  asyncapi: 'AsyncAPI',
  mcp: 'MCP',
  openapi: 'OpenAPI',
  qr: 'QR',
  sms: 'SMS',
  url: 'URL',
};

/** `social_events` → `Social events`. */
export function titleOf(area: string): string {
  const titleWords = area.split(/[_-]/).map((word) => acronyms[word] ?? word);
  const [word = '', ...rest] = titleWords;
  return [word.charAt(0).toUpperCase() + word.slice(1), ...rest].join(' ');
}

/** Every operation. */
export function listOperations(document: OpenapiDocument): OperationView[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, spec]) => ({
      id: spec.operationId,
      method: method.toUpperCase(),
      path,
      spec,
      parameters: (spec.parameters ?? []).map((parameter) => parameterOf(document, parameter)),
      status: Object.keys(spec.responses).find((status) => status.startsWith('2')) ?? '200',
    })),
  );
}

/** The schema of an operation's answer. */
export const responseSchema = ({ spec, status }: OperationView): Schema | undefined =>
  spec.responses[status]?.content?.['application/json']?.schema;

/** The name of the object that a response is, contains as `data`, or lists. */
export function objectOf(schema: Schema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const data = schema.properties?.data;
  const reference = schema.$ref ?? data?.$ref ?? data?.items?.$ref;
  return reference === undefined ? undefined : nameOf(reference);
}

/** The operations in their areas. */
export function listAreas(document: OpenapiDocument): ReferenceArea[] {
  const areas = new Map<string, OperationView[]>();
  for (const operation of listOperations(document)) {
    const [name = operation.id] = operation.spec.tags;
    areas.set(name, [...(areas.get(name) ?? []), operation]);
  }
  const names = [...areas.keys()].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const listedObjects = new Set<string>();
  return names.map((name) => {
    const operations = areas.get(name) ?? [];
    const objects = [...new Set(operations.flatMap((operation) => objectOf(responseSchema(operation)) ?? []))];
    const ownObjects = objects.filter((object) => !listedObjects.has(object));
    for (const object of ownObjects) listedObjects.add(object);
    return { name, title: titleOf(name), operations, objects: ownObjects };
  });
}

const repeatedBeginnings = [
  'Needs the scope `',
  'Needs any valid key',
  'Needs no key.',
  'Tool with the same effect:',
  'Deprecated since ',
];

/** An operation's description, without the paragraphs that repeat its x- fields. */
export function ownDescription({ spec }: OperationView): string {
  const paragraphs = spec.description.split('\n\n');
  const end = paragraphs.findIndex((text) => repeatedBeginnings.some((beginning) => text.startsWith(beginning)));
  return (end === -1 ? paragraphs : paragraphs.slice(0, end)).join('\n\n');
}
