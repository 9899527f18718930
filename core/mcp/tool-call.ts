// tools/call: passes the arguments to the pipeline and writes the result. The answer is the REST body, as structured
// content and as text; a refusal is the same envelope with isError.
import { coreErrors } from '../contract/core-errors.ts';
import type { ErrorDetail } from '../contract/errors.ts';
import type { CallResult } from '../pipeline/call.ts';
import { execute } from '../pipeline/execute.ts';
import { type ChooseType, exactly } from '../pipeline/representations.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { readDryRun } from '../projections/dry-run.ts';
import { toRefusal } from '../projections/envelope.ts';
import { flatRefusal, unflatten } from '../projections/flat.ts';
import { isRecord } from '../projections/json-schema.ts';
import { endpointArguments, isTool, type ToolOperation } from '../projections/mcp.ts';
import { type Exchange, writeResult } from './exchange.ts';
import { RpcFault, rpcCodes } from './json-rpc.ts';
import { nearTool } from './near-tool.ts';
import { contentBlock, sentenceOf } from './tool-content.ts';
import { inToolWords, toolEnvelope } from './tool-words.ts';
import type { Visibility } from './visibility.ts';

/** A call, parsed from its arguments. */
interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly dryRun: boolean;
  /** The media type in the endpoint's own `format` argument, if given. */
  readonly format: string | undefined;
}

/** The keys of `_meta` for the Idempotency-Key and for the marks of a replay and of a dry run. */
const callMeta = { idempotencyKey: 'idempotency-key', replay: 'idempotent-replay', dryRun: 'dry-run' } as const;

const wrong = (path: string, expected: string): ErrorDetail => ({
  path,
  code: 'invalid_type',
  message: `Give ${expected}, or leave it out.`,
});

/** Separates the endpoint's own arguments from those of the operation. @throws validation_failed */
function readCall(
  { params, http }: Exchange,
  operation: ToolOperation,
  given: Readonly<Record<string, unknown>>,
): ToolCall {
  const takes = endpointArguments(operation);
  const args = { ...given };
  const details: ErrorDetail[] = [];
  const { _meta: meta } = params;
  const metaKey = isRecord(meta) ? meta[callMeta.idempotencyKey] : undefined;
  let idempotencyKey: unknown = metaKey ?? http.headers['idempotency-key'];
  let dryRun: unknown = readDryRun(http.headers['dry-run']);
  if (takes.idempotencyKey && args.idempotency_key !== undefined) {
    idempotencyKey = args.idempotency_key;
    delete args.idempotency_key;
  }
  if (takes.dryRun && args.dry_run !== undefined) {
    dryRun = args.dry_run;
    delete args.dry_run;
  }
  let format: string | undefined;
  if (takes.format && args.format !== undefined) {
    if (typeof args.format === 'string') format = args.format;
    else details.push(wrong('format', 'a media type'));
    delete args.format;
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    details.push(wrong('idempotency_key', 'a text of 1 to 200 characters'));
  if (typeof dryRun !== 'boolean') details.push(wrong('dry_run', 'true or false'));
  if (details.length > 0) throw validationFailed(details);
  return { args, idempotencyKey: idempotencyKey as string | undefined, dryRun: dryRun as boolean, format };
}

/**
 * If one of the operation's own arguments selects the representation, that representation is the only one beside JSON, and the
 * caller wants it.
 */
function choiceOf({ representationArgument }: ToolOperation, { format }: ToolCall): ChooseType | undefined {
  if (representationArgument !== undefined) return (offered) => offered.at(-1);
  return format === undefined ? undefined : exactly(format);
}

function findTool({ core, params, options }: Exchange, { isOffered }: Visibility): ToolOperation {
  const operation = core.registry.tools.get(params.name as string);
  if (operation !== undefined && isTool(operation) && isOffered(operation, options)) return operation;
  const name = String(params.name).slice(0, 100);
  if (operation !== undefined && isTool(operation))
    throw new RpcFault(
      rpcCodes.invalidParams,
      `The URL leaves out the tool ${name}: see toolsets and readonly in its query.`,
    );
  const offered = [...core.registry.tools.values()].filter((tool) => isTool(tool) && isOffered(tool, options));
  const suggestion = nearTool(
    name,
    offered.flatMap(({ tool }) => tool?.name ?? []),
  );
  throw new RpcFault(rpcCodes.invalidParams, `There is no tool ${name}.${suggestion} See tools/list.`);
}

const textBlock = (text: string): string => `{"type":"text","text":${JSON.stringify(text)}}`;

/** `sentence` precedes the JSON. */
function contentOf(json: string, { represented }: Partial<Pick<CallResult, 'represented'>> = {}, sentence?: string) {
  const blocks = [
    ...(sentence === undefined ? [] : [textBlock(sentence)]),
    textBlock(json),
    ...(represented === undefined ? [] : [JSON.stringify(contentBlock(represented))]),
  ];
  return `"content":[${blocks.join()}]`;
}

/** Runs a tool; the SDK's schema has checked `params`. Only protocol faults are thrown. */
export async function callTool(exchange: Exchange, visibility: Visibility): Promise<string> {
  const { core, admission, requestId, params, http } = exchange;
  const operation = findTool(exchange, visibility);
  try {
    const given = params.arguments ?? {};
    if (!isRecord(given)) throw coreErrors.validation_failed({ summary: 'arguments: give an object.' });
    const call = readCall(exchange, operation, given);
    const choose = choiceOf(operation, call);
    const result = await execute(core, {
      operation,
      admission,
      requestId,
      input: () => unflatten(operation, call.args),
      idempotencyKey: call.idempotencyKey,
      dryRun: call.dryRun,
      foreign: undefined,
      signal: http.signal,
      ...(choose === undefined ? {} : { choose }),
    });
    const meta = {
      ...(result.replayed ? { [callMeta.replay]: true } : {}),
      ...(result.report === undefined ? {} : { [callMeta.dryRun]: result.report }),
    };
    const structured = result.json.startsWith('{') ? `,"structuredContent":${result.json}` : '';
    const sentence = sentenceOf(operation, result);
    const words = sentence === undefined ? undefined : inToolWords(core.registry, sentence);
    return writeResult(exchange, contentOf(result.json, result, words) + structured, { meta });
  } catch (error) {
    const refusal = toRefusal(flatRefusal(operation, error, 'tool'), requestId);
    const envelope = JSON.stringify(toolEnvelope(core.registry, refusal, requestId));
    return writeResult(exchange, `${contentOf(envelope)},"structuredContent":${envelope},"isError":true`);
  }
}
