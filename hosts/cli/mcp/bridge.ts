// The bridge between a client on stdio and the MCP endpoint. Each line is a message, each message a POST, each response a line.
// Messages run concurrently; a response is written when it arrives. Called by commands/mcp.ts.
import type { Readable } from 'node:stream';
import { createConcealer } from './concealing.ts';
import { codes, connectionFault, isRecord, type RpcError, responseFault, timeFault } from './fault.ts';
import { headersOf, type OutgoingMessage, type Session } from './headers.ts';
import { linesOf } from './lines.ts';
import { createPoster, type Reply } from './post.ts';

/** The endpoint of messages. */
export interface BridgeTarget {
  readonly endpoint: URL;
  readonly key: string;
  /** The name of this program in its requests. */
  readonly userAgent: string;
  /** The time limit for one message, in seconds. */
  readonly timeLimit: number;
}

/** The streams of the process, and the signal that ends it. */
export interface BridgeStreams {
  readonly input: Readable;
  /** Writes to stdout, which contains messages only. */
  write(text: string): void;
  /** Writes a line to stderr. */
  log(line: string): void;
  readonly signal: AbortSignal;
}

type RequestId = string | number;

/** The maximum size of a line. The endpoint's own limit is smaller, and it rejects longer messages with an explanation. */
const maxLineBytes = 64 * 1_048_576;

/**
 * Matches a line break within a message, or a plain character that is written as an escape. In such text, the key cannot be found.
 */
const rewrittenCharacter = /[\r\n]|\\u00[2-7]|\\\//;

const isId = (value: unknown): value is RequestId => typeof value === 'string' || typeof value === 'number';
const inFlightName = (id: RequestId): string => JSON.stringify(id);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs until the input ends and every request has its response. A failing message never makes it throw. */
export async function runBridge(target: BridgeTarget, rawStreams: BridgeStreams): Promise<void> {
  const { endpoint, key, userAgent, timeLimit } = target;
  const conceal = createConcealer(key);
  const streams: BridgeStreams = {
    input: rawStreams.input,
    signal: rawStreams.signal,
    write: (text) => rawStreams.write(conceal(text)),
    log: (line) => rawStreams.log(conceal(line)),
  };
  const poster = createPoster(endpoint);
  const inFlight = new Map<string, AbortController>();
  const pending = new Set<Promise<void>>();
  let session: Session = { revision: undefined, id: undefined };

  const writeError = (id: RequestId | null, error: RpcError) =>
    streams.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);

  const post = (message: OutgoingMessage, text: string, signal: AbortSignal): Promise<Reply> => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': userAgent,
      ...headersOf(message, session),
    };
    return poster.post(headers, text, AbortSignal.any([signal, AbortSignal.timeout(timeLimit * 1_000)]));
  };

  const rememberSession = (reply: Reply, answer: Readonly<Record<string, unknown>>) => {
    if (!isRecord(answer.result)) return;
    const { protocolVersion } = answer.result;
    const id = reply.headers['mcp-session-id'];
    session = {
      revision: typeof protocolVersion === 'string' ? protocolVersion : undefined,
      id: typeof id === 'string' ? id : undefined,
    };
  };

  const deliver = (id: RequestId, message: OutgoingMessage, reply: Reply) => {
    const answer = parse(reply.body);
    const isAnswer = isRecord(answer) && answer.jsonrpc === '2.0' && ('result' in answer || 'error' in answer);
    if (!isAnswer) {
      writeError(id, responseFault(endpoint, reply, answer, Date.now()));
      return;
    }
    if (message.method === 'initialize') rememberSession(reply, answer);
    // If a message was rejected before it was read, the response has no id. A proxy may have split the text into lines.
    const isUnchanged = answer.id === id && !rewrittenCharacter.test(reply.body);
    streams.write(`${isUnchanged ? reply.body : JSON.stringify({ ...answer, id })}\n`);
  };

  const handleRequest = async (id: RequestId, message: OutgoingMessage, text: string): Promise<void> => {
    const controller = new AbortController();
    const name = inFlightName(id);
    inFlight.set(name, controller);
    try {
      const reply = await post(message, text, controller.signal);
      if (!controller.signal.aborted) deliver(id, message, reply);
    } catch (error) {
      // A request that the client canceled gets no response.
      if (controller.signal.aborted) return;
      const isTimeout = error instanceof Error && error.name === 'AbortError';
      writeError(id, isTimeout ? timeFault(timeLimit) : connectionFault(endpoint, error));
    } finally {
      if (inFlight.get(name) === controller) inFlight.delete(name);
    }
  };

  const handleNotification = async (message: OutgoingMessage, text: string): Promise<void> => {
    if (message.method === 'notifications/cancelled') {
      const { requestId } = message.params;
      // Closing the connection cancels a call over HTTP, in every protocol revision.
      if (isId(requestId)) inFlight.get(inFlightName(requestId))?.abort();
      return;
    }
    try {
      const { status } = await post(message, text, streams.signal);
      if (status >= 400) streams.log(`${message.method} was answered with ${status}.`);
    } catch (error) {
      streams.log(`${message.method}: ${connectionFault(endpoint, error).message}`);
    }
  };

  const handle = (text: string): Promise<void> | undefined => {
    const message = parse(text);
    if (!isRecord(message)) {
      const error = Array.isArray(message)
        ? { code: codes.invalidRequest, message: 'Batches are not supported. Send one message per line.' }
        : { code: codes.parseError, message: 'The line is not a JSON-RPC message: it is not a JSON object.' };
      writeError(null, error);
      return undefined;
    }
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      if (isId(id) && !('result' in message) && !('error' in message))
        writeError(id, { code: codes.invalidRequest, message: 'The message has no method.' });
      return undefined;
    }
    const outgoing = { method, params: isRecord(params) ? params : {} };
    if (id === undefined) return handleNotification(outgoing, text);
    if (isId(id)) return handleRequest(id, outgoing, text);
    writeError(null, { code: codes.invalidRequest, message: 'The id of a request is a text or a number.' });
    return undefined;
  };

  const stop = () => {
    streams.input.destroy();
    for (const controller of inFlight.values()) controller.abort();
  };
  streams.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const line of linesOf(streams.input, maxLineBytes)) {
      if ('fault' in line) {
        writeError(null, { code: codes.parseError, message: line.fault });
        continue;
      }
      const work = handle(line.text);
      if (work === undefined) continue;
      pending.add(work);
      void work.finally(() => pending.delete(work));
    }
  } catch (error) {
    if (!streams.signal.aborted) throw error;
  } finally {
    await Promise.all(pending);
    streams.signal.removeEventListener('abort', stop);
    poster.close();
  }
}
