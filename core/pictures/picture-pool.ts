// Opens pictures in separate processes: pictures from strangers, and pictures that this program wrote. A decoder cannot
// be interrupted, and in this process it would block the threads that read files, look up hosts and check passwords.
// Called by plugins and adapters; starts no process before the first picture.
import { Turns } from '../threads/turns.ts';
import { type ChildOptions, PictureChild, type PictureResult, type PictureTask } from './picture-child.ts';
import type { DrawnPicture, PictureFacts, PictureLimit, PictureRequest, PictureWork } from './picture-messages.ts';

export type { DrawnPicture, PictureWork } from './picture-messages.ts';

/** The reason why there is no picture. */
export type PictureFault =
  /** The picture is damaged, has an unknown format, or declares too many pixels. */
  | 'unreadable'
  /** The picture takes too much time or memory. */
  | 'too_expensive'
  /** Too many pictures are being opened; try again. */
  | 'busy'
  /** The package `sharp` is not installed. */
  | 'package_missing'
  /** The program of the process is missing, because a bundle left it out. */
  | 'program_missing';

/** A picture that was not opened. The message is a sentence for the caller. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  readonly fault: PictureFault;

  constructor(fault: PictureFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** The caller for whom a picture is opened, and its limits. */
export interface PictureLimits {
  /**
   * Each workspace has at most one picture open at a time. (Default: one shared slot for all callers without a workspace)
   */
  readonly workspaceId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Seconds of processor time, after which the process is killed. (Default: 5) */
  readonly seconds?: number;
}

export interface PicturePool {
  /** The facts that a picture declares. @throws PictureError; the signal's reason */
  read(bytes: Uint8Array, caller?: PictureLimits): Promise<PictureFacts>;
  /** Draws a new picture from a given picture. @throws PictureError; the signal's reason */
  draw(bytes: Uint8Array, work: PictureWork, caller?: PictureLimits): Promise<DrawnPicture>;
  /** The ids of the running processes. */
  pids(): readonly number[];
  /** Ends the processes. Pictures that are being opened fail with `busy`; a later call starts the processes again. */
  stop(): void;
}

/** The number of processes. Each uses one processor; the others are left to the host program. */
const processes = 2;
const maxWaiting = 100;
const maxWaitingOfKey = 20;
const defaultSeconds = 5;
const idleSeconds = 30;

/** The advice if a bundle left the program out. */
export const pictureProgramMissing =
  "The file picture-process.js, which opens pictures, is not beside the server's program: leave postrider out of the bundle, or bundle postrider/picture-process into a second file beside it.";

const messages: Readonly<Record<PictureFault, string>> = {
  unreadable: 'The picture is damaged, or too large.',
  too_expensive:
    'The picture takes too much time or memory to draw. Export it as a PNG, or use fewer filters or a smaller size.',
  busy: 'Too many pictures are being opened at the moment. Try again in a few seconds.',
  package_missing: 'The package sharp, which opens pictures, is not installed.',
  program_missing: pictureProgramMissing,
};

const fault = (kind: PictureFault, cause?: unknown): PictureError => new PictureError(kind, messages[kind], cause);

const tooExpensive = (limit: PictureLimit): PictureError =>
  fault('too_expensive', new Error(`It reached the limit of ${limit}.`));

type AnsweredResult = Exclude<PictureResult, string>;

/** The reply of the process. @throws PictureError if there is no reply, or if the reply is a refusal */
function replyOf(result: PictureResult, signal: AbortSignal | undefined): AnsweredResult {
  switch (result) {
    case 'out_of_time':
      throw tooExpensive('time');
    // Bytes that crash a decoder are damaged, or crafted to crash it.
    case 'crashed':
      throw fault('unreadable');
    case 'stopped':
      signal?.throwIfAborted();
      throw fault('busy');
    case 'program_missing':
      throw fault('program_missing');
  }
  const { reply } = result;
  switch (reply.kind) {
    case 'unreadable':
      throw fault('unreadable', new Error(reply.message));
    case 'too_expensive':
      throw tooExpensive(reply.limit);
    case 'package_missing':
      throw fault('package_missing');
    case 'failed':
      throw new Error(`The package sharp does not load: ${reply.message}`);
    default:
      return result;
  }
}

/** Creates a pool with its own processes. The options are for tests. */
export function createPicturePool({ file, idleSeconds: idle = idleSeconds }: Partial<ChildOptions> = {}): PicturePool {
  const children = Array.from({ length: processes }, () => new PictureChild({ file, idleSeconds: idle }));
  const turns = new Turns(children, { maxWaiting, maxWaitingOfKey, busy: () => fault('busy') });

  async function run(
    bytes: Uint8Array,
    work: Pick<PictureRequest, 'work'>,
    { workspaceId = '', signal, seconds = defaultSeconds }: PictureLimits,
  ): Promise<AnsweredResult> {
    const task: PictureTask = { request: { ...work, seconds }, bytes, signal };
    return turns.use(workspaceId, signal, async (child) => replyOf(await child.open(task), signal));
  }

  return {
    async read(bytes, caller = {}) {
      const { reply } = await run(bytes, {}, caller);
      if (reply.kind !== 'facts') throw fault('unreadable');
      return reply.facts;
    },
    async draw(originalBytes, work, caller = {}) {
      const { reply, bytes } = await run(originalBytes, { work }, caller);
      if (reply.kind !== 'drawn') throw fault('unreadable');
      const { format, width, height } = reply;
      return { bytes, format, width, height };
    },
    pids: () => children.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    stop() {
      turns.refuseAll();
      for (const child of children) child.stop();
    },
  };
}

let shared: PicturePool | undefined;

/** The pool of this process. All services in the process share it. */
export function pictures(): PicturePool {
  shared ??= createPicturePool();
  return shared;
}
