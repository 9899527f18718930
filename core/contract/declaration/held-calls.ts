// The contract between the pipeline and the plugin that holds calls. Plugins declare content kinds. One plugin decides which calls
// wait for a decision. When a held call is approved, a job of that plugin runs it again as its requester.
import type { OperationContext, ReadContext, ServiceContext, TransactionContext } from '../context/context.ts';
import type { ContentJson, ContentKindId, PendingDecision, PublishableContent } from './content-kind.ts';

/** How the content before or after a change is shown to the deciding members. */
export interface ContentPreview {
  readonly subject: string | null;
  /** A whole HTML document, shown in a frame without scripts. */
  readonly html: string;
}

/** The context in which a content kind makes a preview. Outside a transaction, so that the content kind may compile and render. */
export interface ContentPreviewContext extends ServiceContext {
  readonly workspaceId: string;
  readonly now: number;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/** The parts of a request for a decision that a content kind needs for a preview. */
export interface ContentPreviewRequest {
  readonly targetId: string;
  readonly operation: string | null;
  readonly input: ContentJson;
}

/** A request that no longer waits for a decision. */
export interface DecidedRequest extends ContentPreviewRequest {
  /** The hash of the content that was decided on. */
  readonly contentHash: string;
  readonly decidedAt: number;
  /** When the call was carried out; undefined if it was not. */
  readonly executedAt: number | undefined;
}

/** A change as people see it. `before` or `after` is null if there is nothing to show. */
export interface ContentChangePreview {
  readonly before: ContentPreview | null;
  readonly after: ContentPreview | null;
}

/** A kind of thing that an operation of the plugin makes public. The plugin lists it under `contentKinds`. */
export interface ContentKind {
  readonly kind: ContentKindId;
  /** The kind of its targets. */
  readonly targetKind: string;
  /** Returns the content of the target that would become public now; undefined if there is no such target. */
  read(ctx: ReadContext, targetId: string): Promise<PublishableContent | undefined>;
  /** Returns the id of the target with this key; undefined if there is none. (Default: targets have no keys) */
  idOf?(ctx: ReadContext, key: string): Promise<string | undefined>;
  /**
   * Puts a waiting target back into its previous state. Called if its request was declined, withdrawn or expired, or could not
   * be carried out. (Default: targets have no state of their own for waiting)
   */
  restore?(ctx: TransactionContext, targetId: string): Promise<void>;
  /** Returns a preview of the change. (Default: only the differences are shown, as text) */
  view?(ctx: ContentPreviewContext, request: ContentPreviewRequest): Promise<ContentChangePreview>;
  /**
   * Returns the change as it was decided on, even if the content has changed since; undefined if it can no longer be shown.
   * (Default: `after` of `view`, as long as the content is the same)
   */
  decided?(ctx: ContentPreviewContext, request: DecidedRequest): Promise<ContentChangePreview | undefined>;
}

/** A call that is about to make something public. */
export interface HeldCall {
  /** The operation's id, and its input as tools pass it. */
  readonly transition: { readonly operation: string; readonly input: ContentJson };
  /** The requested action, as the beginning of a sentence: `Publish a page`. */
  readonly requestedAction: string;
  /** The whole sentence, if the operation provides it. */
  readonly summary: string | undefined;
  readonly contentKind: ContentKind;
  readonly targetId: string;
  /** If true, the call waits whatever the policy is. */
  readonly always: boolean;
  /** The id of the approved request that the call carries out. */
  readonly approvedRequest: string | undefined;
  readonly publishesAt: number | undefined;
  content(): Promise<PublishableContent>;
}

/** Decides which calls wait. At most one composed plugin has it. */
export interface CallHolder {
  /** Returns the request that the call waits for, which is stored in the call's transaction; undefined if the call goes on. */
  hold(ctx: OperationContext, call: HeldCall): Promise<PendingDecision | undefined>;
  /** Withdraws the requests that wait for a decision about these targets, because they changed or were deleted. */
  contentChanged(ctx: TransactionContext, kind: ContentKindId, targetIds: readonly string[]): Promise<void>;
}

/** An approved call to run. */
export interface ApprovedCall {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  readonly approvedRequest: string;
  readonly operation: string;
  readonly input: ContentJson;
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
  readonly contentKinds: ReadonlyMap<ContentKindId, ContentKind>;
  /**
   * Runs the call again as its requester, in its own transaction, with every check: a key must still be valid and have the
   * scope. @throws PostriderError of the check that failed
   */
  run(call: ApprovedCall): Promise<void>;
}
