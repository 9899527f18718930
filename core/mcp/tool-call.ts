// tools/call: passes the arguments to the pipeline and writes the result. The answer is the REST body, as structured
// content and as text; a refusal is the same envelope with isError.
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { ErrorDetail } from '../contract/errors/errors.ts';
import type { CallResult } from '../pipeline/call.ts';
import { execute } from '../pipeline/execute.ts';
import { type ChooseType, onlyType } from '../pipeline/representations.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { readDryRun } from '../projections/dry-run.ts';
import { toRefusal } from '../projections/envelope.ts';
import { flatRefusal, unflatten } from '../projections/flat.ts';
import { endpointArguments, isTool, type ToolOperation } from '../projections/mcp.ts';
import { isRecord } from '../projections/schema-parts.ts';
import { callAnyTool, parseCallTool } from './call-any.ts';
import { type Exchange, writeResult } from './exchange.ts';
import { RpcFault, rpcCodes } from './json-rpc.ts';
import { nearestTool } from './nearest-tool.ts';
import { isStepUp, stepUp } from './step-up.ts';
import { contentBlock, sentenceOf } from './tool-content.ts';
import { toolEnvelope, withToolNames } from './tool-wording.ts';
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

const wrongTypeFault = (path: string, expected: string): ErrorDetail => ({
  path,
  code: 'invalid_type',
  message: `Give ${expected}, or leave it out.`,
});

/** Separates the endpoint's own arguments from those of the operation. @throws validation_failed */
function readCall(
  { params, http }: Exchange,
  operation: ToolOperation,
  values: Readonly<Record<string, unknown>>,
): ToolCall {
  const acceptedArguments = endpointArguments(operation);
  const args = { ...values };
  const details: ErrorDetail[] = [];
  const { _meta: meta } = params;
  const metaKey = isRecord(meta) ? meta[callMeta.idempotencyKey] : undefined;
  let idempotencyKey: unknown = metaKey ?? http.headers['idempotency-key'];
  let dryRun: unknown = readDryRun(http.headers['dry-run']);
  if (acceptedArguments.idempotencyKey && args.idempotency_key !== undefined) {
    idempotencyKey = args.idempotency_key;
    delete args.idempotency_key;
  }
  if (acceptedArguments.dryRun && args.dry_run !== undefined) {
    dryRun = args.dry_run;
    delete args.dry_run;
  }
  let format: string | undefined;
  if (acceptedArguments.format && args.format !== undefined) {
    if (typeof args.format === 'string') format = args.format;
    else details.push(wrongTypeFault('format', 'a media type'));
    delete args.format;
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
    details.push(wrongTypeFault('idempotency_key', 'a text of 1 to 200 characters'));
  if (typeof dryRun !== 'boolean') details.push(wrongTypeFault('dry_run', 'true or false'));
  if (details.length > 0) throw validationFailed(details);
  return { args, idempotencyKey: idempotencyKey as string | undefined, dryRun: dryRun as boolean, format };
}

/**
 * Chooses the media type of the result. An operation with a representation argument offers JSON and one other type: that type.
 * Otherwise the type in `format`.
 */
function representationChooser(
  { representationArgument }: ToolOperation,
  { format }: ToolCall,
): ChooseType | undefined {
  if (representationArgument !== undefined) return (offered) => offered.at(-1);
  return format === undefined ? undefined : onlyType(format);
}

function findTool({ core, params, options }: Exchange, { isCallable }: Visibility): ToolOperation {
  const operation = core.registry.tools.get(params.name as string);
  if (operation !== undefined && isTool(operation) && isCallable(operation, options)) return operation;
  const name = String(params.name).slice(0, 100);
  if (operation !== undefined && isTool(operation))
    throw new RpcFault(
      rpcCodes.invalidParams,
      `The tool ${name} is excluded by the parameters toolsets or readonly of the URL.`,
    );
  const offered = [...core.registry.tools.values()].filter((tool) => isTool(tool) && isCallable(tool, options));
  const suggestion = nearestTool(
    name,
    offered.flatMap(({ tool }) => tool?.name ?? []),
  );
  throw new RpcFault(rpcCodes.invalidParams, `There is no tool ${name}.${suggestion} See tools/list.`);
}

const textBlock = (text: string): string => `{"type":"text","text":${JSON.stringify(text)}}`;

/** `sentence` precedes the JSON. */
function contentOf(
  json: string,
  { representation }: Partial<Pick<CallResult, 'representation'>> = {},
  sentence?: string,
) {
  const blocks = [
    ...(sentence === undefined ? [] : [textBlock(sentence)]),
    textBlock(json),
    ...(representation === undefined ? [] : [JSON.stringify(contentBlock(representation))]),
  ];
  return `"content":[${blocks.join()}]`;
}

/** An error as the result of a tool. */
function writeRefusal(exchange: Exchange, error: unknown): string {
  const { core, requestId } = exchange;
  const envelope = JSON.stringify(toolEnvelope(core.registry, toRefusal(error, requestId), requestId));
  return writeResult(exchange, `${contentOf(envelope)},"structuredContent":${envelope},"isError":true`);
}

/** Runs the tool that call_tool names. An unknown name is an error of the tool, so that the model can correct it. */
async function callNamed(exchange: Exchange, visibility: Visibility): Promise<string> {
  try {
    const { name, arguments: args } = parseCallTool(exchange.params.arguments);
    const innerExchange = { ...exchange, params: { ...exchange.params, name, arguments: args ?? {} } };
    return await callOperation(innerExchange, findTool(innerExchange, visibility));
  } catch (error) {
    if (isStepUp(exchange, error)) throw error;
    return writeRefusal(
      exchange,
      error instanceof RpcFault ? coreErrors.validation_failed({ summary: `name: ${error.message}` }) : error,
    );
  }
}

/** Runs a tool; the SDK's schema has checked `params`. Only protocol faults are thrown. */
export const callTool = (exchange: Exchange, visibility: Visibility): Promise<string> =>
  exchange.params.name === callAnyTool
    ? callNamed(exchange, visibility)
    : callOperation(exchange, findTool(exchange, visibility));

async function callOperation(exchange: Exchange, operation: ToolOperation): Promise<string> {
  const { core, admission, requestId, params, http } = exchange;
  try {
    const values = params.arguments ?? {};
    if (!isRecord(values)) throw coreErrors.validation_failed({ summary: 'arguments: give an object.' });
    const call = readCall(exchange, operation, values);
    const choose = representationChooser(operation, call);
    const result = await execute(core, {
      operation,
      admission,
      requestId,
      input: () => unflatten(operation, call.args),
      idempotencyKey: call.idempotencyKey,
      dryRun: call.dryRun,
      programTransaction: undefined,
      signal: http.signal,
      ...(choose === undefined ? {} : { choose }),
    });
    const meta = {
      ...(result.replayed ? { [callMeta.replay]: true } : {}),
      ...(result.report === undefined ? {} : { [callMeta.dryRun]: result.report }),
    };
    const structured = result.json.startsWith('{') ? `,"structuredContent":${result.json}` : '';
    const sentence = sentenceOf(operation, result);
    const text = sentence === undefined ? undefined : withToolNames(core.registry, sentence);
    return writeResult(exchange, contentOf(result.json, result, text) + structured, { meta });
  } catch (error) {
    if (isStepUp(exchange, error)) throw stepUp(exchange, error);
    return writeRefusal(exchange, flatRefusal(operation, error, 'tool'));
  }
}
