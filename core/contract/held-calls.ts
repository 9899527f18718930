// How the pipeline and what holds calls meet: plugins declare surfaces, one plugin decides which calls wait, and its job
// has a held call run again as its requester.
import type { OperationContext, ReadContext, ServiceContext, TransactionContext } from './context.ts';
import type { PendingDecision, SurfaceContent, SurfaceJson, SurfaceKind } from './surface.ts';

/** How one side of a change looks to the deciding members. */
export interface SurfaceView {
  readonly subject: string | null;
  /** A whole HTML document, shown in a frame without scripts. */
  readonly html: string;
}

/** The reader of a preview: outside a transaction, so that it may compile and render. */
export interface SurfaceViewer extends ServiceContext {
  readonly workspaceId: string;
  readonly now: number;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/** A request as a surface needs it for a preview. */
export interface SurfaceRequest {
  readonly targetId: string;
  readonly operation: string | null;
  readonly input: SurfaceJson;
}

/** A request that waits no more. */
export interface DecidedRequest extends SurfaceRequest {
  /** Of the content that was decided on. */
  readonly contentHash: string;
  readonly decidedAt: number;
  /** When it was carried out; undefined where it was not. */
  readonly executedAt: number | undefined;
}

/** A change as people see it. A side is null where there is nothing. */
export interface SurfaceSides {
  readonly before: SurfaceView | null;
  readonly after: SurfaceView | null;
}

/** A kind of thing that becomes public by an operation of the plugin, which lists it under `surfaces`. */
export interface Surface {
  readonly kind: SurfaceKind;
  /** What its targets are called. */
  readonly targetKind: string;
  /** What would become public of the target as it stands; undefined where there is no such target. */
  read(ctx: ReadContext, targetId: string): Promise<SurfaceContent | undefined>;
  /** The id of the target with this key; undefined where there is none. (Default: targets have no keys) */
  idOf?(ctx: ReadContext, key: string): Promise<string | undefined>;
  /**
   * Returns a target that waited to its state before, when its request was turned down, withdrawn or expired, or could not be
   * carried out. (Default: targets have no state of their own for waiting)
   */
  released?(ctx: TransactionContext, targetId: string): Promise<void>;
  /** The change as people will see it. (Default: the texts of the difference alone) */
  view?(ctx: SurfaceViewer, request: SurfaceRequest): Promise<SurfaceSides>;
  /**
   * The change as it was decided on, whatever has changed since; undefined where that cannot be shown any more. (Default: the side
   * after it of `view`, as long as the content is the same)
   */
  decided?(ctx: SurfaceViewer, request: DecidedRequest): Promise<SurfaceSides | undefined>;
}

/** A call that is about to make something public. */
export interface HeldCall {
  /** The operation's id, and its input as tools give it. */
  readonly transition: { readonly operation: string; readonly input: SurfaceJson };
  /** What is asked for, as the beginning of a sentence: `Publish a page`. */
  readonly asks: string;
  /** The whole sentence, where the operation words it itself. */
  readonly summary: string | undefined;
  readonly surface: Surface;
  readonly targetId: string;
  /** It waits whatever the policy says. */
  readonly always: boolean;
  /** The approved request that it carries out. */
  readonly approvedRequest: string | undefined;
  readonly publishesAt: number | undefined;
  content(): Promise<SurfaceContent>;
}

/** Decides which calls wait: of one plugin. */
export interface CallHolder {
  /** The request that the call waits for, stored in its transaction; undefined where it goes on. */
  hold(ctx: OperationContext, call: HeldCall): Promise<PendingDecision | undefined>;
  /** Withdraws what waits for a decision about targets whose content changed, or that were deleted. */
  contentChanged(ctx: TransactionContext, kind: SurfaceKind, targetIds: readonly string[]): Promise<void>;
}

/** An approved call to run. */
export interface ApprovedCall {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  readonly approvedRequest: string;
  readonly operation: string;
  readonly input: SurfaceJson;
  readonly requester: Requester;
  readonly signal: AbortSignal;
}

/** The caller of a held call, as it is stored. */
export interface Requester {
  readonly kind: 'api' | 'mcp' | 'dashboard' | 'service' | 'system';
  readonly keyId?: string;
  readonly client?: string;
  readonly user?: string;
  readonly member?: string;
}

/** `ctx.ports.heldCalls`. */
export interface HeldCallsPort {
  readonly surfaces: ReadonlyMap<SurfaceKind, Surface>;
  /**
   * Runs the call once more as its requester, in a transaction of its own, with every check: a key must still be valid and
   * hold the scope. @throws PostriderError of the check that failed
   */
  run(call: ApprovedCall): Promise<void>;
}
