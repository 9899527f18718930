// The ordinary create and update of a resource, without a handler or with a hook. Called by plugins. An operation with
// other behaviour is an ordinary `defineOperation`.
import type { z } from 'zod';
import type { OperationContext } from '../contract/context.ts';
import { coreErrors } from '../contract/core-errors.ts';
import type { Fixture, FixtureKit, FixtureRequest, ForeignIds } from '../contract/fixture.ts';
import { defineOperation, type TypedOperation } from '../contract/operation.ts';
import type { Flat, IdempotencyMode, OperationSpec } from '../contract/operation-spec.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import { refuseUnknownFields } from '../contract/suggestion.ts';
import { lockWorkspace } from '../pipeline/workspaces.ts';
import { auditOf, type OfResource, tagOf } from './of-resource.ts';
import { columnName } from './present.ts';
import type { AuditName, CreateBody, Fields, Item, Resource, ResourceRow, UpdateBody } from './resource.ts';
import {
  type KeyParams,
  keyParams,
  type NoRename,
  type OperationWords,
  type ParamOf,
  parameterOf,
  textOf,
} from './resource-operations.ts';
import type { RowPart } from './row-statements.ts';

/** Fields of `defineOperation` that a write passes on unchanged. */
type Passed = Pick<
  OperationSpec<string, undefined, undefined, undefined, z.ZodType, NoRename, never, z.ZodNever, never, undefined>,
  'liveOnly' | 'emits' | 'instead' | 'fieldHints' | 'retryOnConflict' | 'deprecated' | 'allowWhenSuspended'
>;

interface Write<Id extends string, F extends Fields> extends OperationWords, OfResource<F>, Passed {
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
} as const satisfies Readonly<Record<keyof Passed, true>>;
const writeFields = {
  ...passedFields,
  id: true,
  http: true,
  summary: true,
  description: true,
  tool: true,
  scopes: true,
  errors: true,
  provocations: true,
  of: true,
  audit: true,
  idempotency: true,
  foreign: true,
  body: true,
  before: true,
  after: true,
} as const;
const createFields = { ...writeFields, limit: true } as const;

const passedOf = (spec: Passed): Passed =>
  Object.fromEntries(
    Object.keys(passedFields).flatMap((name) => {
      const value = spec[name as keyof Passed];
      return value === undefined ? [] : [[name, value]];
    }),
  );

type Loose = Readonly<Record<string, unknown>>;

/** The parts that create and update declare in the same way. */
function sharedOf<F extends Fields>(spec: Write<string, F>, verb: Verb) {
  const { of, scopes = [of.scopes.write], audit = auditOf(of, verb), idempotency = 'replay' } = spec;
  const { idField } = of;
  return {
    ...textOf({ ...spec, scopes }),
    // A concurrent second call with the same unique value violates the index. Retried, it finds the row of the first
    // call.
    ...(of.taken === undefined ? {} : { retryOnConflict: true }),
    ...passedOf(spec),
    idempotency,
    output: of.item,
    ...tagOf(of),
    audit: {
      action: audit.action,
      target: (output: unknown) => ({ kind: audit.kind, id: String((output as Loose)[idField]) }),
    },
  };
}

const showOne = async <F extends Fields>(of: Resource<string, F>, ctx: OperationContext, row: ResourceRow<F>) => {
  const [shown] = await of.show(ctx, [row]);
  return shown as never;
};

type Verb = 'create' | 'update';

/** The unique fields that a call can give. */
const uniqueIn = ({ uniqueFields, fields }: Resource<string, Fields>, verb: Verb): readonly string[] =>
  uniqueFields.filter((name) => {
    const parts = fields[name]?.parts;
    return verb === 'create' ? parts?.create !== 'never' : parts?.update;
  });

/** The code of the error for a value that another row has. */
const takenCode = ({ taken }: Resource<string, Fields>): string => taken?.({ value: '', id: '' }).code ?? 'key_taken';

/**
 * If the resource has its own error for taken values, looks for other rows with the unique values of the body. Of two
 * concurrent calls, the second violates the index, is retried, and finds the row of the first call.
 * @throws the error `taken` of the resource
 */
async function checkTaken(of: Resource<string, Fields>, ctx: OperationContext, given: Given): Promise<void> {
  const { taken, rows } = of;
  if (taken === undefined) return;
  for (const name of given.unique) {
    const value = given.body[name];
    if (value === undefined || value === null) continue;
    const other = await rows.findBy(ctx.trx, { [columnName(name)]: value } as RowPart<ResourceRow<Fields>>);
    const { id } = (other ?? {}) as { readonly id?: string };
    if (id !== undefined && id !== given.id) throw taken({ value: String(value), id });
  }
}

/** The names of the unique fields, the body of a call, and the id of the row that it changes. */
interface Given {
  readonly unique: readonly string[];
  readonly body: Loose;
  readonly id?: string;
}

/** @throws key_taken if another row has the values that the body gives for these fields, otherwise the error itself */
const refuseTaken =
  (of: Resource<string, Fields>, resource: string, { unique: names, body }: Given) =>
  (error: unknown) => {
    if (of.taken !== undefined) throw error;
    const values = names.flatMap((name) =>
      body[name] === undefined || body[name] === null ? [] : [String(body[name])],
    );
    if (!isStorageError(error, 'unique') || values.length === 0) throw error;
    throw coreErrors.key_taken({ key: values.join(' or '), resource }, { cause: error });
  };

/**
 * Declares the creation of a row: 201 with the resource. `before` checks, and returns columns that the body does not
 * give (a word `as const`); `after` runs after the insert, with the new row. Both run in the transaction. 409
 * `key_taken` if another row has the value of a `unique` field.
 * @example defineCreate({ of: notes, id: 'notes.create', summary: 'Create a note', http: 'POST /v1/notes', tool: 'create_note',
 *   scopes: ['notes:write'], audit: { action: 'note.create', kind: 'note' } });
 */
export function defineCreate<const Id extends string, F extends Fields>(
  spec: Write<Id, F> & {
    readonly http: `POST /${string}`;
    /**
     * The largest number of rows of a workspace, and the plural name of the resource; beyond it, `limit_reached`.
     * (Default: no limit)
     */
    readonly limit?: { readonly most: number; readonly resources: string };
    /** The body of the fixture. (Default: the resource's example) */
    readonly body?: (kit: FixtureKit) => Promise<object>;
    before?(ctx: OperationContext, body: Created<F>, id: string): Promise<RowPart<ResourceRow<F>>> | Promise<void>;
    after?(ctx: OperationContext, row: ResourceRow<F>, body: Created<F>): Promise<void>;
  },
): TypedOperation<Id, Flat<undefined, undefined, CreateBody<F>, NoRename>, z.output<Item<F>>, false> {
  refuseUnknownFields(`defineCreate of ${spec.id}`, spec, createFields);
  const { of, limit, foreign, body: exampleOf = (kit: FixtureKit) => of.example(kit) } = spec;
  const { rows } = of;
  const unique = uniqueIn(of as never, 'create');
  const { kind } = spec.audit ?? auditOf(of, 'create');
  const prefix = rows.table.definitions['id']?.prefix ?? '';
  const twice = async (kit: FixtureKit): Promise<FixtureRequest> => {
    const body = await exampleOf(kit);
    await kit.call(spec.id, body as Loose);
    return { body };
  };
  return defineOperation({
    ...sharedOf(spec, 'create'),
    id: spec.id,
    http: spec.http,
    input: { body: of.createBody },
    status: 201,
    errors: [
      ...(limit === undefined ? [] : ['limit_reached']),
      ...(unique.length === 0 ? [] : [takenCode(of as never)]),
      ...(spec.errors ?? []),
    ],
    fixture: async (kit): Promise<Fixture> => ({
      body: await exampleOf(kit),
      ...(foreign === undefined ? {} : { foreign: { body: await foreign(kit) } }),
      errors: { ...(unique.length === 0 ? {} : { [takenCode(of as never)]: () => twice(kit) }), ...spec.provocations },
    }),
    async handler(ctx, input) {
      const body = input.body as Created<F> & Loose;
      if (limit !== undefined) {
        const { most, resources } = limit;
        // Of two concurrent calls, the second counts the row of the first.
        await lockWorkspace(ctx.trx);
        if ((await rows.count(ctx.trx, {}, most)) >= most) throw coreErrors.limit_reached({ limit: most, resources });
      }
      await checkTaken(of as never, ctx, { unique, body });
      const id = ctx.newId(prefix);
      const set = (await spec.before?.(ctx, body, id)) ?? {};
      const times = { created_at: ctx.now, updated_at: ctx.now };
      const made = { ...of.initial(ctx), ...of.columnsOf(body), ...given(set), id, ...times };
      const row = await rows
        .insert(ctx.trx, made as ResourceRow<F>)
        .catch(refuseTaken(of as never, kind, { unique, body }));
      await spec.after?.(ctx, row, body);
      return showOne(of, ctx, row);
    },
  }) as never;
}

const given = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));

/**
 * Declares the change of one row. Fields that the body leaves out keep their values; null clears a nullable field. 404
 * with the resource's `missing`. `before` checks the locked row, and returns further columns; `after` runs after the
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
  const { of, foreign } = spec;
  const { rows, versionField } = of;
  const name = parameterOf(spec.http);
  const unique = uniqueIn(of as never, 'update');
  const { kind } = spec.audit ?? auditOf(of, 'update');
  const isVersioned = versionField !== undefined;
  const versionColumn = columnName(versionField ?? '');
  return defineOperation({
    ...sharedOf(spec, 'update'),
    id: spec.id,
    http: spec.http,
    input: {
      params: keyParams(name, rows),
      body: of.updateBody,
    },
    ifMatch: isVersioned,
    errors: [
      of.missing({ id: '' }).code,
      ...(isVersioned ? ['version_conflict'] : []),
      ...(unique.length === 0 ? [] : [takenCode(of as never)]),
      ...(spec.errors ?? []),
    ],
    async fixture(kit): Promise<Fixture> {
      const body = await spec.body(kit);
      const conflict = async (): Promise<FixtureRequest> => ({ body: { ...body, expectedVersion: 1_000_000 } });
      const taken = async (): Promise<FixtureRequest> => {
        const other = await of.example(kit);
        await kit.call(of.createdBy, other);
        return { body: Object.fromEntries(unique.map((field) => [field, other[field]])) };
      };
      return {
        params: { [name]: await of.some(kit, kit.workspaceId) },
        body,
        foreign: {
          params: { [name]: await of.some(kit, kit.foreignWorkspaceId) },
          ...(foreign === undefined ? {} : { body: await foreign(kit) }),
        },
        errors: {
          ...(isVersioned ? { version_conflict: conflict } : {}),
          ...(unique.length === 0 ? {} : { [takenCode(of as never)]: taken }),
          ...spec.provocations,
        },
      };
    },
    async handler(ctx, input) {
      const id = (input.params as Readonly<Record<string, string>>)[name] as string;
      const body = input.body as Changed<F> & { readonly expectedVersion?: number } & Loose;
      const row = await rows.lock(ctx.trx, id);
      if (row === undefined) throw of.missing({ id });
      const current = (row as Loose)[versionColumn] as number;
      if (isVersioned) ctx.expectVersion(current, body.expectedVersion);
      await checkTaken(of as never, ctx, { unique, body, id });
      const set = (await spec.before?.(ctx, row, body)) ?? {};
      const next = isVersioned ? { [versionColumn]: current + 1 } : {};
      const changes = { ...of.columnsOf(body), ...given(set), ...next, updated_at: ctx.now };
      const changed = await rows
        .change(ctx.trx, row, changes as RowPart<ResourceRow<F>>)
        .catch(refuseTaken(of as never, kind, { unique, body }));
      await spec.after?.(ctx, changed, row);
      return showOne(of, ctx, changed);
    },
  }) as never;
}
