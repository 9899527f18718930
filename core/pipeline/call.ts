// A call of an operation, as the interfaces (REST, MCP, in-process) pass it to execute.ts, and its result.
import type { DryRunReport } from '../contract/context/api.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { Representation } from '../contract/declaration/representation.ts';
import type { IfMatch } from '../contract/http/conditional.ts';
import type { ProgramTransaction } from '../contract/ports/storage.ts';
import type { Admission } from './admit.ts';
import type { ChooseType, ResponseBytes } from './representations.ts';
import type { RawInput } from './validate.ts';

/** An admitted call of one operation. */
export interface OperationCall {
  readonly operation: Operation;
  readonly admission: Admission;
  readonly requestId: string;
  /** Read after authentication, because a body may be large. */
  readonly input: () => RawInput | Promise<RawInput>;
  readonly idempotencyKey: string | undefined;
  readonly dryRun: boolean;
  readonly programTransaction: ProgramTransaction | undefined;
  readonly signal: AbortSignal | undefined;
  /** Chooses the media type of the answer. (Default: JSON) */
  readonly choose?: ChooseType;
  /** The versions in If-Match, if the operation reads that header. */
  readonly ifMatch?: IfMatch | undefined;
  /** The approved request that the call carries out. (Default: none) */
  readonly approvedRequest?: string;
}

/** The result of a call. */
export interface CallResult {
  readonly status: number;
  /** The body as it is stored and sent. */
  readonly json: string;
  /** The body as a value; undefined for replays (parse `json`). */
  readonly value: unknown;
  readonly replayed: boolean;
  readonly report: DryRunReport | undefined;
  /** The answer in the chosen media type, if that type is not JSON. */
  readonly representation: Representation | undefined;
}

/** A result whose bytes may still have to be read. */
export interface PendingCallResult extends CallResult {
  readonly representation: undefined;
  readonly bytes: ResponseBytes | undefined;
}
