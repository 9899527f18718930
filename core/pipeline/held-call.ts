// Asks the plugin that decides on held calls whether this call waits. Used by operation-context.ts. Operations that neither
// have nor propose a content kind are never held.
import type { OperationContext } from '../contract/context/context.ts';
import type { PublishableContent } from '../contract/declaration/content-kind.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { CallEffects } from './call-effects.ts';
import type { Core } from './core.ts';
import type { RawInput } from './validate.ts';

/** The parts of a call that a request for decision stores. */
export interface HeldCallInput {
  readonly operation: Operation;
  /** The input as it was sent. */
  readonly raw: RawInput;
  readonly approvedRequest: string | undefined;
  /** Whether the call waits whatever the policy is, because its leash demands it. */
  readonly mustWait: boolean;
  /** Called when the call begins to wait. */
  onWait(): void;
}

/** The input in the form that tools use: path, query and body in one object. */
function flatOf({ operation: { rename }, raw }: HeldCallInput): Record<string, unknown> {
  const params = Object.entries(raw.params).map(([name, value]) => [rename[name] ?? name, value] as const);
  return { ...Object.fromEntries(params), ...raw.query, ...(raw.body as Record<string, unknown> | undefined) };
}

/** The `requireDecision` of operations that make nothing public: their calls never wait. */
const neverHeld: OperationContext['requireDecision'] = async () => undefined;

/** The `requireDecision` of one call. `context` is called when the handler asks. */
export function decisionOf(
  core: Core,
  heldCall: HeldCallInput,
  ctx: CallEffects,
  context: () => OperationContext,
): OperationContext['requireDecision'] {
  const { operation } = heldCall;
  const kind = operation.contentKind ?? operation.proposes;
  const { callHolder: holder, contentKinds } = core.registry;
  if (kind === undefined || holder === undefined) return neverHeld;
  const contentKind = contentKinds.get(kind);
  if (contentKind === undefined)
    throw new Error(`No composed plugin declares the content kind ${kind} of ${operation.id}.`);
  return async (targetId, { content, summary, publishesAt, credits = 0 } = {}) => {
    const read = async (): Promise<PublishableContent> => {
      const publishable = content === undefined ? await contentKind.read(context(), targetId) : await content();
      if (publishable === undefined)
        throw new Error(`${operation.id} asks about ${targetId}, which ${kind} does not find.`);
      return publishable;
    };
    const decision = await holder.hold(context(), {
      transition: { operation: operation.id, input: flatOf(heldCall) },
      requestedAction: operation.summary,
      summary,
      contentKind,
      targetId,
      always: operation.proposes !== undefined || heldCall.mustWait,
      approvedRequest: heldCall.approvedRequest,
      publishesAt,
      content: read,
    });
    if (decision !== undefined) heldCall.onWait();
    if (decision !== undefined && context().dryRun) ctx.recorded.credits += credits;
    return decision;
  };
}
