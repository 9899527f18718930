// The ordinary create and update of a resource, without a handler or with a hook. Called by plugins. An operation with
// other behaviour is an ordinary `defineOperation`.
import type { z } from 'zod';
import type { OperationContext } from '../contract/context/context.ts';
import type { Fixture, FixtureKit, FixtureRequest, ForeignIds } from '../contract/declaration/fixture.ts';
import { defineOperation, type TypedOperation } from '../contract/declaration/operation.ts';
import type { Flat, IdempotencyMode, OperationSpec } from '../contract/declaration/operation-spec.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { refuseUnknownFields } from '../contract/errors/suggestion.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import { lockWorkspace } from '../pipeline/workspaces.ts';
import { inSavepointOf } from '../storage/connection-handle.ts';
import { auditOf, type OfResource, summaryOf, tagOf } from './of-resource.ts';
import {
  errorsOf,
  type KeyParams,
  keyParams,
  type NoRename,
  type OperationWords,
  type ParamOf,
  parameterOf,
  textOf,
  wordFields,
} from './operation-parts.ts';
import { columnName } from './present.ts';
import type { AuditName, CreateBody, Fields, Item, Resource, ResourceRow, UpdateBody } from './resource.ts';
import type { RowPart } from './row-statements.ts';

/** Fields of `defineOperation` that a write passes on unchanged. */
type PassedFields = Pick<
  OperationSpec<string, undefined, undefined, undefined, z.ZodType, NoRename, never, z.ZodNever, never, undefined>,
  'liveOnly' | 'emits' | 'instead' | 'fieldHints' | 'retryOnConflict' | 'deprecated' | 'allowWhenSuspended'
>;

interface Write<Id extends string, F extends Fields> extends OperationWords, OfResource<F>, PassedFields {
  readonly id: Id;
  /** (Default: derived from the resource's name) */
  readonly audit?: AuditName;
  /** (Default: replay) */
  readonly idempotency?: Exclude<IdempotencyMode, 'read'>;
  /** For the generated tests: fields of the body that name rows of another workspace. */
  readonly foreign?: (kit: FixtureKit) => Promise<NonNullable<ForeignIds['body']>>;
}

/** The body of a create as hooks see it. */
export type Created<F extends Fields> = z.output<CreateBody<F>>;
/** The body of an update as hooks see it. */
export type Changed<F extends Fields> = z.output<UpdateBody<F>>;

const passedFields = {
  liveOnly: true,
  emits: true,
  instead: true,
  fieldHints: true,
  retryOnConflict: true,
  deprecated: true,
  allowWhenSuspended: true,
} as const satisfies Readonly<Record<keyof PassedFields, true>>;
const writeFields = {
  ...wordFields,
  ...passedFields,
  resource: true,
  audit: true,
  idempotency: true,
  foreign: true,
  body: true,
  before: true,
  after: true,
} as const;
const createFields = { ...writeFields, limit: true } as const;

const passedOf = (spec: PassedFields): PassedFields =>
  Object.fromEntries(
    Object.keys(passedFields).flatMap((name) => {
      const value = spec[name as keyof PassedFields];
      return value === undefined ? [] : [[name, value]];
    }),
  );

type Loose = Readonly<Record<string, unknown>>;

/** The parts that create and update declare in the same way. */
function sharedOf<F extends Fields>(spec: Write<string, F>, verb: Verb) {
  const {
    resource,
    summary = summaryOf(resource, verb),
    scopes = [resource.scopes.write],
    audit = auditOf(resource, verb),
    idempotency = 'replay',
  } = spec;
  const { idField } = resource;
  return {
    ...textOf({ ...spec, summary, scopes }),
    ...passedOf(spec),
    idempotency,
    output: resource.item,
    ...tagOf(resource),
    audit: {
      action: audit.action,
      target: (output: unknown) => ({ kind: audit.kind, id: String((output as Loose)[idField]) }),
    },
  };
}

const showOne = async <F extends Fields>(resource: Resource<string, F>, ctx: OperationContext, row: ResourceRow<F>) => {
  const [presented] = await resource.show(ctx, [row]);
  return presented as never;
};

type Verb = 'create' | 'update';

/** The unique fields that a call can give. */
const uniqueIn = <F extends Fields>({ uniqueFields, fields }: Resource<string, F>, verb: Verb): readonly string[] =>
  uniqueFields.filter((name) => {
    const parts = fields[name]?.parts;
    return verb === 'create' ? parts?.create !== 'never' : parts?.update;
  });

/** The code of the error for a value that another row has. */
const takenCode = <F extends Fields>({ takenError }: Resource<string, F>): string =>
  takenError?.({ value: '', id: '' }).code ?? 'key_taken';

/** The unique fields of a write, the columns that it sets, and the id of its row. */
interface UniqueWrite {
  /** The kind of the resource in the audit. */
  readonly kind: string;
  readonly unique: readonly string[];
  readonly columns: Loose;
  readonly id: string;
}

/**
 * Runs a write. The unique index decides whether a value is taken; only then the other row is looked up. The savepoint
 * lets a transaction of the program go on.
 * @throws the resource's `takenError`, or key_taken, if another row has the value of a unique field
 */
async function refuseTakenValues<F extends Fields, T>(
  { rows, takenError }: Resource<string, F>,
  { trx }: OperationContext,
  { kind, unique, columns, id }: UniqueWrite,
  write: () => Promise<T>,
): Promise<T> {
  const values = unique.flatMap((name) => {
    const value = columns[columnName(name)];
    return value === undefined || value === null ? [] : [[columnName(name), value] as const];
  });
  if (values.length === 0) return write();
  try {
    return await inSavepointOf(trx, write);
  } catch (cause) {
    if (!isStorageError(cause, 'unique')) throw cause;
    for (const [column, storedValue] of values) {
      // A locking read sees rows that are newer than the snapshot of the program's transaction.
      const otherRow = await rows.findBy(trx, { [column]: storedValue } as RowPart<ResourceRow<F>>, 'share');
      if (otherRow === undefined || keyOf(otherRow) === id) continue;
      const value = String(storedValue);
      throw (
        takenError?.({ value, id: keyOf(otherRow) }) ?? coreErrors.key_taken({ key: value, resource: kind }, { cause })
      );
    }
    throw cause;
  }
}

const keyOf = (row: object): string => String((row as Loose)['id']);

/**
 * Declares the creation of a row: 201 with the resource. `before` checks, and returns columns that the body does not
 * give (a word `as const`); `after` runs after the insert, with the new row. Both run in the transaction. 409
 * `key_taken` if another row has the value of a `unique` field.
 * @example defineCreate({ resource: notes, id: 'notes.create', summary: 'Create a note', http: 'POST /v1/notes', tool: 'create_note',
 *   scopes: ['notes:write'], audit: { action: 'note.create', kind: 'note' } });
 */
export function defineCreate<const Id extends string, F extends Fields>(
  spec: Write<Id, F> & {
    readonly http: `POST /${string}`;
    /**
     * The largest number of rows of a workspace, and the plural name of the resource; beyond it, `limit_reached`.
     * (Default: no limit)
     */
    readonly limit?: { readonly max: number; readonly resources: string };
    /** The body of the fixture. (Default: the resource's example) */
    readonly body?: (kit: FixtureKit) => Promise<object>;
    before?(ctx: OperationContext, body: Created<F>, id: string): Promise<RowPart<ResourceRow<F>>> | Promise<void>;
    after?(ctx: OperationContext, row: ResourceRow<F>, body: Created<F>): Promise<void>;
  },
): TypedOperation<Id, Flat<undefined, undefined, CreateBody<F>, NoRename>, z.output<Item<F>>, false> {
  refuseUnknownFields(`defineCreate of ${spec.id}`, spec, createFields);
  const { resource, limit, foreign, body: exampleOf = (kit: FixtureKit) => resource.example(kit) } = spec;
  const { rows } = resource;
  const unique = uniqueIn(resource, 'create');
  const { kind } = spec.audit ?? auditOf(resource, 'create');
  const prefix = rows.table.definitions['id']?.prefix ?? '';
  const createTwice = async (kit: FixtureKit): Promise<FixtureRequest> => {
    const body = await exampleOf(kit);
    await kit.call(spec.id, body as Loose);
    return { body };
  };
  return defineOperation({
    ...sharedOf(spec, 'create'),
    id: spec.id,
    http: spec.http,
    input: { body: resource.createBody },
    status: 201,
    errors: errorsOf(spec, [
      ...(limit === undefined ? [] : ['limit_reached']),
      ...(unique.length === 0 ? [] : [takenCode(resource)]),
    ]),
    fixture: async (kit): Promise<Fixture> => ({
      body: await exampleOf(kit),
      ...(foreign === undefined ? {} : { foreign: { body: await foreign(kit) } }),
      errors: { ...(unique.length === 0 ? {} : { [takenCode(resource)]: () => createTwice(kit) }), ...spec.errorCases },
    }),
    async handler(ctx, input) {
      const body = input.body as Created<F> & Loose;
      if (limit !== undefined) {
        const { max, resources } = limit;
        // Of two concurrent calls, the second counts the row of the first.
        await lockWorkspace(ctx.trx);
        if ((await rows.count(ctx.trx, {}, max)) >= max) throw coreErrors.limit_reached({ limit: max, resources });
      }
      const id = ctx.newId(prefix);
      const hookColumns = (await spec.before?.(ctx, body, id)) ?? {};
      const times = { created_at: ctx.now, updated_at: ctx.now };
      const columns = {
        ...resource.initial(ctx),
        ...resource.columnsOf(body),
        ...definedOnly(hookColumns),
        id,
        ...times,
      };
      const row = await refuseTakenValues(resource, ctx, { kind, unique, columns, id }, () =>
        rows.insert(ctx.trx, columns as ResourceRow<F>),
      );
      await spec.after?.(ctx, row, body);
      return showOne(resource, ctx, row);
    },
  }) as never;
}

const definedOnly = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/**
 * Declares the change of one row. Fields that the body leaves out keep their values; null clears a nullable field. 404
 * with the resource's `notFoundError`. `before` checks the locked row, and returns further columns; `after` runs after the
 * change, with the changed row. A resource with `field.version` takes `expectedVersion` and If-Match: 412 if the row
 * has another version by now.
 */
export function defineUpdate<const Id extends string, F extends Fields, const Path extends `PATCH /${string}`>(
  spec: Write<Id, F> & {
    readonly http: Path;
    /** The body of the fixture: a valid change. */
    readonly body: (kit: FixtureKit) => Promise<object>;
    before?(
      ctx: OperationContext,
      row: ResourceRow<F>,
      body: Changed<F>,
    ): Promise<RowPart<ResourceRow<F>>> | Promise<void>;
    after?(ctx: OperationContext, row: ResourceRow<F>, earlier: ResourceRow<F>): Promise<void>;
  },
): TypedOperation<Id, Flat<KeyParams<ParamOf<Path>>, undefined, UpdateBody<F>, NoRename>, z.output<Item<F>>, false> {
  refuseUnknownFields(`defineUpdate of ${spec.id}`, spec, writeFields);
  const { resource, foreign } = spec;
  const { rows, versionField } = resource;
  const name = parameterOf(spec.http);
  const unique = uniqueIn(resource, 'update');
  const { kind } = spec.audit ?? auditOf(resource, 'update');
  const isVersioned = versionField !== undefined;
  const versionColumn = columnName(versionField ?? '');
  return defineOperation({
    ...sharedOf(spec, 'update'),
    id: spec.id,
    http: spec.http,
    input: {
      params: keyParams(name, rows),
      body: resource.updateBody,
    },
    ifMatch: isVersioned,
    errors: errorsOf(spec, [
      resource.notFoundError({ id: '' }).code,
      ...(isVersioned ? ['version_conflict'] : []),
      ...(unique.length === 0 ? [] : [takenCode(resource)]),
    ]),
    async fixture(kit): Promise<Fixture> {
      const body = await spec.body(kit);
      const conflict = async (): Promise<FixtureRequest> => ({ body: { ...body, expectedVersion: 1_000_000 } });
      const taken = async (): Promise<FixtureRequest> => {
        const other = await resource.example(kit);
        await kit.call(resource.createOperation, other);
        return { body: Object.fromEntries(unique.map((field) => [field, other[field]])) };
      };
      return {
        params: { [name]: await resource.createExample(kit, kit.workspaceId) },
        body,
        foreign: {
          params: { [name]: await resource.createExample(kit, kit.foreignWorkspaceId) },
          ...(foreign === undefined ? {} : { body: await foreign(kit) }),
        },
        errors: {
          ...(isVersioned ? { version_conflict: conflict } : {}),
          ...(unique.length === 0 ? {} : { [takenCode(resource)]: taken }),
          ...spec.errorCases,
        },
      };
    },
    async handler(ctx, input) {
      const id = (input.params as Readonly<Record<string, string>>)[name] as string;
      const body = input.body as Changed<F> & { readonly expectedVersion?: number } & Loose;
      const row = await rows.lock(ctx.trx, id);
      if (row === undefined) throw resource.notFoundError({ id });
      const currentVersion = (row as Loose)[versionColumn] as number;
      if (isVersioned) ctx.expectVersion(currentVersion, body.expectedVersion);
      const hookColumns = (await spec.before?.(ctx, row, body)) ?? {};
      const nextVersion = isVersioned ? { [versionColumn]: currentVersion + 1 } : {};
      const columns = { ...resource.columnsOf(body), ...definedOnly(hookColumns), ...nextVersion, updated_at: ctx.now };
      const changed = await refuseTakenValues(resource, ctx, { kind, unique, columns, id }, () =>
        rows.change(ctx.trx, row, columns as RowPart<ResourceRow<F>>),
      );
      await spec.after?.(ctx, changed, row);
      return showOne(resource, ctx, changed);
    },
  }) as never;
}
