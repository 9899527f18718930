// The documents of a workspace. They are changed by JSON merge patch (RFC 7396).
import {
  coreErrors,
  mergePatch,
  type OperationContext,
  toIsoTimeOrNull,
  type WorkspaceHandle,
  type z,
} from '../../core/index.ts';
import { checkValue, faultSummary } from '../../core/unstable.ts';
import { icps } from './icps.ts';
import { documentRows } from './tables.ts';

type DocumentName = 'strategy' | 'defaults' | 'calendar';
interface DocumentKind<S extends z.ZodObject> {
  readonly name: DocumentName;
  readonly content: S;
  readonly empty: z.output<S>;
}

/** A document with its version. Returns the empty document if nothing was written yet. */
export async function readDocument<S extends z.ZodObject>(
  handle: WorkspaceHandle,
  { name, content, empty }: DocumentKind<S>,
) {
  const row = await documentRows.find(handle, name);
  return {
    content: content.parse({ ...empty, ...row?.content }),
    version: row?.version ?? 0,
    updatedAt: toIsoTimeOrNull(row?.updated_at ?? null),
  };
}

const maxBytes = 65_536;

/** Merges a patch into a document and returns the updated document. If nothing changes, there is no new version. */
export async function patchDocument<S extends z.ZodObject>(
  ctx: OperationContext,
  kind: DocumentKind<S>,
  patch: Readonly<Record<string, unknown>>,
  check: { version?(current: number): void; content?(content: z.output<S>): Promise<void> },
) {
  await lockDocument(ctx, kind.name);
  const current = await readDocument(ctx.trx, kind);
  check.version?.(current.version);
  const merged = checkValue(kind.content, { ...kind.empty, ...mergePatch(current.content, patch) }, `The ${kind.name}`);
  if (!merged.ok)
    throw coreErrors.validation_failed({ summary: faultSummary(merged.faults) }, { details: merged.faults });
  const content = merged.data;
  const text = JSON.stringify(content);
  if (Buffer.byteLength(text) > maxBytes)
    ctx.refuse([{ path: '', code: 'too_big', message: `The ${kind.name} is larger than 64 KB. Shorten its texts.` }]);
  await check.content?.(content);
  if (text === JSON.stringify(current.content)) return current;
  const version = current.version + 1;
  await documentRows.update(ctx.trx, kind.name, { version, content, updated_at: ctx.now });
  return { content, version, updatedAt: toIsoTimeOrNull(ctx.now) };
}

/** Creates the document if it is missing, and locks it until the transaction ends. */
async function lockDocument(ctx: OperationContext, name: DocumentName): Promise<void> {
  // An upsert takes an exclusive row lock at once. An insert that finds the row takes a shared lock, so that two of
  // them would deadlock.
  await documentRows.upsert(ctx.trx, { name, version: 0, content: {}, updated_at: null }, ['name'], { name });
  await documentRows.lock(ctx.trx, name);
}

/** The maximum number of ICPs of a workspace. */
export const maxIcps = 50;

/** Locks the ICPs of the workspace, so that only one transaction at a time changes the primary ICP. */
export async function lockIcps(ctx: OperationContext) {
  await lockDocument(ctx, 'strategy');
  const primary = await icps.rows.findBy(ctx.trx, { is_primary: true });
  const demote = async () => {
    if (primary !== undefined) await icps.rows.update(ctx.trx, primary.id, { is_primary: false, updated_at: ctx.now });
  };
  return { primary, demote };
}
