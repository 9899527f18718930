// Representations: responses of an operation in media types other than JSON, as bytes. Declared in the operation (operation.ts).
// The caller chooses the media type with Accept, an argument of the tool, or an option of the in-process call.
import type { OperationContext, PrepareContext } from '../context/context.ts';

/** The default media type, in which every operation can respond. */
export const jsonType = 'application/json';

/** A response as bytes, as an in-process caller receives it. */
export interface Representation {
  /** The value of the Content-Type header; `text/…` types contain `charset=utf-8`. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The suggested file name, if the operation gives one. */
  readonly filename: string | undefined;
}

/** Bytes that were made for this response. They are stored and deleted with the record of the Idempotency-Key. */
export interface RenderedBytes {
  /** A string is encoded as UTF-8. */
  readonly bytes: Uint8Array | string;
  readonly filename?: string;
}

/** Bytes that the plugin has already stored. The record contains only the reference; `read` loads the bytes. */
export interface ReferencedBytes {
  /** The key with which `read` finds them; at most 200 characters. */
  readonly reference: string;
  readonly filename?: string;
}

/** The input of `render`. */
export interface RepresentationSource<Output = never, Input = never> {
  readonly context: OperationContext;
  /** The handler's result, checked against the schema. */
  readonly output: Output;
  readonly input: Input;
}

/** One media type of an operation, in addition to JSON. */
export interface RepresentationDeclaration<Output = never, Input = never, Prepared = never> {
  /** One sentence for the documentation about the content. */
  readonly description: string;
  /**
   * Makes the bytes, after the handler and in its transaction. Do slow work and calls to outside systems in `prepare`
   * instead, where `context.representation` is the chosen type. Not called in a dry run, which returns JSON.
   * @param prepared the result of `prepare`. Annotate its type, because TypeScript cannot infer it here
   */
  render(
    source: RepresentationSource<Output, Input>,
    prepared: Prepared,
  ): RenderedBytes | ReferencedBytes | Promise<RenderedBytes | ReferencedBytes>;
  /**
   * Reads the bytes of a reference, outside the transaction, for the first response and for every replay. Required if
   * `render` returns references. The bytes must never change. If it throws, the call fails with that error.
   */
  read?(context: PrepareContext, reference: string): Promise<Uint8Array>;
}

/** An argument of the operation that selects the representation. It replaces the tool's `format`. */
export interface RepresentationArgument<Type extends string = string> {
  /** The name of a field of the query or the body. */
  readonly name: string;
  /** The media type of each of its values. A value that is missing here gives JSON. */
  readonly types: Readonly<Record<string, Type>>;
}
