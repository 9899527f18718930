// A zod schema that is built at its first use. The areas declare some thousands of schemas, but a process that has just started
// uses few of them. Building all of them took a quarter of the time of an import. Called by zod.ts and erasable.ts.
import { globalRegistry, type ZodType } from 'zod';

type Build = () => ZodType;

/**
 * Methods that make a new schema from a schema. Their results are lazy too. Reading any other member builds the schema at once.
 */
const derivingMethods = [
  ...['optional', 'nullable', 'nullish', 'default', 'prefault', 'catch', 'readonly', 'array', 'brand'],
  ...['describe', 'meta', 'refine', 'superRefine', 'check', 'overwrite', 'transform', 'pipe', 'or', 'and'],
  ...['min', 'max', 'length', 'regex', 'startsWith', 'endsWith', 'trim', 'toLowerCase', 'toUpperCase'],
  ...['int', 'gt', 'gte', 'lt', 'lte', 'positive', 'nonnegative', 'multipleOf'],
  ...['extend', 'safeExtend', 'omit', 'pick', 'partial', 'required', 'strict', 'loose'],
];

/**
 * A placeholder for a schema. When a member of it is first read, this object itself becomes the schema. Parts of zod identify a
 * schema by its object, so zod's own constructor runs again on this object.
 */
class LazySchema {
  #build: Build | undefined;

  constructor(build: Build) {
    this.#build = build;
  }

  static built(lazy: LazySchema): ZodType {
    const build = lazy.#build;
    const schema = lazy as unknown as ZodType;
    if (build === undefined) return schema;
    const built = build();
    lazy.#build = undefined;
    const { constr, def, parent } = built._zod;
    Object.setPrototypeOf(lazy, Object.getPrototypeOf(built));
    Reflect.apply(constr, lazy, [def]);
    schema._zod.parent = parent;
    if (globalRegistry.has(built)) globalRegistry.add(schema, globalRegistry.get(built) ?? {});
    return schema;
  }
}

function callOn(lazy: LazySchema, name: string, args: readonly unknown[]): unknown {
  const schema = LazySchema.built(lazy);
  return Reflect.apply(Reflect.get(schema, name) as (...args: unknown[]) => unknown, schema, args);
}

for (const name of derivingMethods) {
  const value = function (this: LazySchema, ...args: unknown[]) {
    // Without an argument, `meta` returns the metadata, so the schema must be built.
    if (name === 'meta' && args.length === 0) return callOn(this, name, args);
    return new LazySchema(() => callOn(this, name, args) as ZodType);
  };
  Object.defineProperty(LazySchema.prototype, name, { value });
}

const restOfMembers = new Proxy(Object.prototype, {
  get: (_, name, lazy: LazySchema) => Reflect.get(LazySchema.built(lazy), name),
  has: (_, name) => name === '_zod',
});
Object.setPrototypeOf(LazySchema.prototype, restOfMembers);

/** Returns the same function of zod, but its schema is built at the first use. */
export function lazily<Make extends (...args: never[]) => ZodType>(make: Make): Make {
  const makeLater = (...args: Parameters<Make>) => new LazySchema(() => make(...args));
  return makeLater as unknown as Make;
}
