// Finds the deprecated parts of the composed API: operations, and fields of inputs, responses and events. Called by
// registry.ts, which refuses sunsets that come too early, and by announcements.ts, which announces them.
import type { z } from 'zod';
import { type Deprecation, deprecationKey, hasDeprecatedFields } from '../contract/declaration/deprecation.ts';
import type { EventMap } from '../contract/open.ts';
import type { Registry } from '../pipeline/core.ts';

/** A deprecated part of the API. */
export interface DeprecationNotice extends Deprecation {
  /** `operation` and its id, or `field` and its path. */
  readonly kind: 'operation' | 'field';
  readonly name: string;
  /** A title for people: the operation with its route, or the field. */
  readonly title: string;
}

type Walk = (schema: unknown, location: string) => void;

/** The part of zod's internals that the walk needs: every schema keeps its children in its definition. */
interface ZodParts {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> };
}

/** Checks also have such a definition, but are not schemas. */
const isSchema = (value: unknown): value is z.ZodType & ZodParts =>
  typeof value === 'object' && value !== null && '_zod' in value && 'meta' in value;

/** Walks schemas, each object with an id once, and calls `onNotice` for every field with a notice. */
function createWalk(onNotice: (location: string, notice: Deprecation) => void): Walk {
  const visitedIds = new Set<string>();
  const ancestors = new Set<unknown>();
  const walk: Walk = (schema, location) => {
    if (!isSchema(schema) || ancestors.has(schema)) return;
    const { id, [deprecationKey]: notice } = schema.meta() ?? {};
    if (notice !== undefined) onNotice(location, notice as Deprecation);
    if (id !== undefined && visitedIds.has(id)) return;
    if (id !== undefined) visitedIds.add(id);
    const path = id ?? location;
    ancestors.add(schema);
    for (const [key, part] of Object.entries(schema._zod.def)) {
      if (key === 'shape') {
        for (const [name, field] of Object.entries(part as object)) walk(field, `${path}.${name}`);
      } else for (const member of Array.isArray(part) ? part : [part]) walk(member, path);
    }
    ancestors.delete(schema);
  };
  return walk;
}

/** All notices, in alphabetical order. */
export function listDeprecations({ operations, events }: Pick<Registry, 'operations' | 'events'>): DeprecationNotice[] {
  const notices = new Map<string, DeprecationNotice>();
  const add = (notice: DeprecationNotice) => notices.set(`${notice.kind} ${notice.name}`, notice);
  const anyField = hasDeprecatedFields();
  const walk = createWalk((location, notice) =>
    add({ ...notice, kind: 'field', name: location, title: `field ${location}` }),
  );
  for (const { id, method, path, deprecated, input, output } of operations.values()) {
    if (deprecated !== undefined)
      add({ ...deprecated, kind: 'operation', name: id, title: `operation ${id} (${method} ${path})` });
    if (!anyField) continue;
    for (const part of ['params', 'query', 'body'] as const) walk(input[part], `${id} ${part}`);
    walk(output, `${id} answer`);
  }
  for (const { type, data } of anyField ? events.values() : []) walk(data, `${type} data`);
  return [...notices.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The data of the event that announces the notice. */
export function deprecationData({
  kind,
  name,
  title,
  since,
  sunset,
  link,
}: DeprecationNotice): EventMap['api.deprecation'] {
  const message = `The ${title} is deprecated since ${since} and ends on ${sunset}. See ${link}.`;
  const notice = { since, sunset, link, message };
  return kind === 'operation' ? { operation: name, ...notice } : { field: name, ...notice };
}
