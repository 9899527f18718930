// Chooses the representation of an answer and makes its bytes. Called by the pipeline; the interfaces pass the caller's
// choice.
import type { OperationContext, PrepareContext } from '../contract/context/context.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { OperationInput } from '../contract/declaration/operation-spec.ts';
import { jsonType, type Representation } from '../contract/declaration/representation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';

/** Chooses one of the types that the operation offers for this input; undefined when the caller accepts none. */
export type ChooseType = (offered: readonly string[]) => string | undefined;

/** The choice of a caller that names the type itself. */
export const onlyType =
  (type: string): ChooseType =>
  (offered) =>
    offered.includes(type) ? type : undefined;

/**
 * The bytes of an answer, or a reference to them in the operation's store. The pipeline passes them on, and the record stores
 * them, in this format.
 */
export type ResponseBytes = { readonly type: string; readonly filename?: string | undefined } & (
  | { readonly bytes: Buffer }
  | { readonly reference: string }
);

/** The offered types, JSON first. If an argument of the operation selects the type, only JSON and that type are offered. */
function offeredTypes({ representations, representationArgument }: Operation, input: OperationInput): string[] {
  if (representationArgument === undefined) return [jsonType, ...representations.keys()];
  const { name, types } = representationArgument;
  const values = { ...(input.query as object), ...(input.body as object) } as Readonly<Record<string, unknown>>;
  const type = types[String(values[name])];
  return type === undefined ? [jsonType] : [jsonType, type];
}

/** The type of the answer. @throws not_acceptable, which lists the offered types */
export function chooseType(operation: Operation, input: OperationInput, choose: ChooseType | undefined): string {
  if (choose === undefined) return jsonType;
  const offered = offeredTypes(operation, input);
  const chosen = choose(offered);
  if (chosen === undefined) throw coreErrors.not_acceptable({ offered });
  return chosen;
}

const maxReference = 200;

/** The answer in the chosen type. Undefined for JSON, and in a dry run, because a call may charge for its bytes. */
export async function represent(
  operation: Operation,
  context: OperationContext,
  { output, input, prepared }: { readonly output: unknown; readonly input: OperationInput; readonly prepared: unknown },
): Promise<ResponseBytes | undefined> {
  const type = context.representation;
  const representation = operation.representations.get(type);
  if (representation === undefined || context.dryRun) return undefined;
  const rendered = await representation.render({ context, output, input } as never, prepared as never);
  const { filename } = rendered;
  if ('bytes' in rendered) {
    const { bytes } = rendered;
    const buffer =
      typeof bytes === 'string'
        ? Buffer.from(bytes, 'utf8')
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { type, filename, bytes: buffer };
  }
  const { reference } = rendered;
  if (representation.read === undefined)
    throw new Error(`${operation.id} answers a reference for ${type} and declares no read.`);
  if (reference.length > maxReference)
    throw new Error(`A reference of ${operation.id} is longer than ${maxReference}.`);
  return { type, filename, reference };
}

/** The bytes for the caller. Bytes behind a reference are read outside the transaction. */
export async function loadRepresentation(
  operation: Operation,
  responseBytes: ResponseBytes,
  context: () => PrepareContext,
): Promise<Representation> {
  const { type, filename } = responseBytes;
  const contentType = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  if ('bytes' in responseBytes) return { contentType, filename, bytes: responseBytes.bytes };
  const read = operation.representations.get(type)?.read;
  // The record may come from a previous release that had this type.
  if (read === undefined) throw new Error(`${operation.id} cannot read the stored ${type} any more.`);
  return { contentType, filename, bytes: await read(context(), responseBytes.reference) };
}
