// Asks the plugin that decides on held calls whether this call waits. Used by operation-context.ts. Operations that neither
// have nor propose a surface are never held.
import type { OperationContext } from '../contract/context.ts';
import type { Operation } from '../contract/operation.ts';
import type { SurfaceContent } from '../contract/surface.ts';
import type { CallEffects } from './call-effects.ts';
import type { Core } from './core.ts';
import type { RawInput } from './validate.ts';

/** The parts of a call that a request for decision stores. */
export interface HeldPart {
  readonly operation: Operation;
  /** The input as it was sent. */
  readonly raw: RawInput;
  readonly approvedRequest: string | undefined;
}

/** The input in the form that tools use: path, query and body in one object. */
function flatOf({ operation: { rename }, raw }: HeldPart): Record<string, unknown> {
  const params = Object.entries(raw.params).map(([name, value]) => [rename[name] ?? name, value] as const);
  return { ...Object.fromEntries(params), ...raw.query, ...(raw.body as Record<string, unknown> | undefined) };
}

/** For operations that make nothing public. */
const neverHeld: OperationContext['awaitDecision'] = async () => undefined;

/** The `awaitDecision` of one call. `context` is called when the handler asks. */
export function decisionOf(
  core: Core,
  part: HeldPart,
  effects: CallEffects,
  context: () => OperationContext,
): OperationContext['awaitDecision'] {
  const { operation } = part;
  const kind = operation.surface ?? operation.proposes;
  const { callHolder: holder, surfaces } = core.registry;
  if (kind === undefined || holder === undefined) return neverHeld;
  const surface = surfaces.get(kind);
  if (surface === undefined) throw new Error(`No composed plugin declares the surface ${kind} of ${operation.id}.`);
  return async (targetId, { content, summary, publishesAt, credits = 0 } = {}) => {
    const read = async (): Promise<SurfaceContent> => {
      const found = content === undefined ? await surface.read(context(), targetId) : await content();
      if (found === undefined) throw new Error(`${operation.id} asks about ${targetId}, which ${kind} does not find.`);
      return found;
    };
    const waits = await holder.hold(context(), {
      transition: { operation: operation.id, input: flatOf(part) },
      asks: operation.summary,
      summary,
      surface,
      targetId,
      always: operation.proposes !== undefined,
      approvedRequest: part.approvedRequest,
      publishesAt,
      content: read,
    });
    if (waits !== undefined && context().dryRun) effects.recorded.credits += credits;
    return waits;
  };
}
