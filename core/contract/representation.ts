// What an operation can answer beside its JSON: other media types, as bytes. Declared at the operation (operation.ts).
// The caller chooses by Accept, by the tool's argument, or by an option of the in-process call.
import type { OperationContext, PrepareContext } from './context.ts';

/** The media type that every operation answers, and the default. */
export const jsonType = 'application/json';

/** An answer as bytes, as an in-process caller gets it. */
export interface Representation {
  /** The value of the Content-Type header; `text/…` types contain `charset=utf-8`. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The suggested file name, where the operation gives one. */
  readonly filename: string | undefined;
}

/** Bytes that were made for this answer. They are stored with the record of the Idempotency-Key and deleted with it. */
export interface RenderedBytes {
  /** A text is written as UTF-8. */
  readonly bytes: Uint8Array | string;
  readonly filename?: string;
}

/** Bytes that a store of the plugin already holds: the record keeps only the reference, and `read` loads the bytes. */
export interface ReferencedBytes {
  /** The key with which `read` finds them; at most 200 characters. */
  readonly reference: string;
  readonly filename?: string;
}

/** The input of `render`. */
export interface RepresentationSource<Output = never, Input = never> {
  readonly context: OperationContext;
  /** The handler's answer, checked against the schema. */
  readonly output: Output;
  readonly input: Input;
}

/** One media type that an operation answers beside JSON. */
export interface RepresentationDeclaration<Output = never, Input = never, Prepared = never> {
  /** One sentence for the documentation about the content. */
  readonly description: string;
  /**
   * Makes the bytes, after the handler and in its transaction: slow work and calls outside belong in `prepare`, which
   * sees the chosen type as `context.representation`. Not called in a dry run, which answers JSON.
   * @param prepared the result of `prepare`; annotate its type, TypeScript cannot infer it here
   */
  render(
    source: RepresentationSource<Output, Input>,
    prepared: Prepared,
  ): RenderedBytes | ReferencedBytes | Promise<RenderedBytes | ReferencedBytes>;
  /**
   * Reads the bytes of a reference, outside the transaction, for the first answer and for every replay. Required where
   * `render` answers references. The bytes must never change; an error that it throws refuses the call.
   */
  read?(context: PrepareContext, reference: string): Promise<Uint8Array>;
}

/** An argument of the operation's own that selects the representation, in place of the tool's `format`. */
export interface RepresentationArgument<Type extends string = string> {
  /** A field of the query or of the body. */
  readonly name: string;
  /** The media type of each of its values. A value that is missing here has JSON only. */
  readonly types: Readonly<Record<string, Type>>;
}
