// A zod schema that is built at its first use. The plugins declare some thousands of schemas, but a process that has just
// started uses few of them. Building all of them took a quarter of the time of an import. Called by zod.ts and erasable.ts.
import { globalRegistry, type ZodObject, type ZodType } from 'zod';

type Build = () => ZodType;

/** Facts about a schema that hold before it is built. A method that may change them discards them. */
interface Facts {
  /** The names of the fields of an object, in order. */
  readonly fields?: () => string[];
  /** The maximum length of a text. */
  readonly maxLength?: number;
}

/**
 * Methods that make a new schema from a schema. Their results are lazy too. Reading any other member builds the schema at once.
 */
const derivingMethods = [
  ...['optional', 'nullable', 'nullish', 'unwrap', 'default', 'prefault', 'catch', 'readonly', 'array', 'brand'],
  ...['describe', 'meta', 'refine', 'superRefine', 'check', 'overwrite', 'transform', 'pipe', 'or', 'and'],
  ...['min', 'max', 'length', 'regex', 'startsWith', 'endsWith', 'trim', 'toLowerCase', 'toUpperCase'],
  ...['int', 'gt', 'gte', 'lt', 'lte', 'positive', 'nonnegative', 'multipleOf'],
  ...['extend', 'safeExtend', 'omit', 'pick', 'partial', 'required', 'strict', 'loose'],
];

const nothing: Facts = {};

/** Methods that keep the facts. */
const keepingMethods: ReadonlySet<string> = new Set([
  ...[
    'describe',
    'meta',
    'refine',
    'superRefine',
    'check',
    'min',
    'regex',
    'startsWith',
    'endsWith',
    'strict',
    'loose',
  ],
]);

/** The facts about the result of a method. */
function factsAfter(name: string, facts: Facts, [argument]: readonly unknown[]): Facts {
  if (keepingMethods.has(name)) return facts;
  const { fields, maxLength } = facts;
  if (name === 'max' && maxLength !== undefined) return { maxLength: Math.min(maxLength, Number(argument)) };
  if (fields === undefined || typeof argument !== 'object' || argument === null) return nothing;
  if (name === 'extend') return { fields: () => [...new Set([...fields(), ...Object.keys(argument)])] };
  if (name === 'pick') return { fields: () => fields().filter((field) => field in argument) };
  return name === 'omit' ? { fields: () => fields().filter((field) => !(field in argument)) } : nothing;
}

/**
 * A placeholder for a schema. When a member of it is first read, this object itself becomes the schema. Parts of zod identify a
 * schema by its object, so zod's own constructor runs again on this object.
 */
class LazySchema {
  #build: Build | undefined;
  readonly #facts: Facts;

  constructor(build: Build, facts: Facts) {
    this.#build = build;
    this.#facts = facts;
  }

  static factsOf = (schema: object): Facts => (#facts in schema ? schema.#facts : nothing);

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
    const facts = factsAfter(name, LazySchema.factsOf(this), args);
    return new LazySchema(() => callOn(this, name, args) as ZodType, facts);
  };
  Object.defineProperty(LazySchema.prototype, name, { value });
}

const restOfMembers = new Proxy(Object.prototype, {
  get: (_, name, lazy: LazySchema) => Reflect.get(LazySchema.built(lazy), name),
  has: (_, name) => name === '_zod',
});
Object.setPrototypeOf(LazySchema.prototype, restOfMembers);

/**
 * Returns the same function of zod, but its schema is built at the first use.
 * @param factsOf what is known of the schema without building it, from the function's arguments (Default: nothing)
 */
export function lazily<Make extends (...args: never[]) => ZodType>(
  make: Make,
  factsOf: (...args: Parameters<Make>) => Facts = () => nothing,
): Make {
  const makeLater = (...args: Parameters<Make>) => new LazySchema(() => make(...args), factsOf(...args));
  return makeLater as unknown as Make;
}

/** The names of an object's fields, without building its schema if they are known. */
export const fieldNamesOf = (schema: ZodObject): string[] =>
  LazySchema.factsOf(schema).fields?.() ?? Object.keys(schema.shape);

/** The maximum length of a text, as far as it is known without building its schema. */
export const knownMaxLength = (schema: ZodType): number | undefined => LazySchema.factsOf(schema).maxLength;
