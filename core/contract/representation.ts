// What an operation can answer beside its JSON: other media types, as bytes. Declared at the operation (operation.ts);
// the caller chooses by Accept, by the tool's argument, or by an option of the call in process.
import type { OperationContext, PrepareContext } from './context.ts';

/** The media type that every operation answers, and that a caller gets who asks for nothing else. */
export const jsonType = 'application/json';

/** An answer as bytes, as a caller in process gets it. */
export interface Representation {
  /** As the Content-Type header has it; `text/…` types say `charset=utf-8`. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** What to call a file with these bytes, where the operation names one. */
  readonly filename: string | undefined;
}

/** Bytes that were made for this answer. They are stored with the Idempotency-Key's record, and go with it. */
export interface RenderedBytes {
  /** A text is written as UTF-8. */
  readonly bytes: Uint8Array | string;
  readonly filename?: string;
}

/** Bytes that a store of the plugin holds already: the record keeps the reference only, and `read` gets the bytes. */
export interface ReferencedBytes {
  /** What `read` finds them by; at most 200 characters. */
  readonly reference: string;
  readonly filename?: string;
}

/** What a representation is made of. */
export interface RepresentationSource<Output = never, Input = never> {
  readonly context: OperationContext;
  /** What the handler answered, checked against the schema. */
  readonly output: Output;
  readonly input: Input;
}

/** One media type that an operation answers beside JSON. */
export interface RepresentationDeclaration<Output = never, Input = never, Prepared = never> {
  /** One sentence for the documentation: what the bytes show. */
  readonly description: string;
  /**
   * Makes the bytes, after the handler and in its transaction: what takes long or calls out belongs into `prepare`, which
   * knows the chosen type as `context.representation`. Not called in a dry run, which answers JSON.
   * @param prepared what `prepare` answered; write its type down, TypeScript cannot infer it here
   */
  render(
    source: RepresentationSource<Output, Input>,
    prepared: Prepared,
  ): RenderedBytes | ReferencedBytes | Promise<RenderedBytes | ReferencedBytes>;
  /**
   * Reads the bytes of a reference, outside the transaction, for the first answer and for every replay. Required where
   * `render` answers references. They must never change; what it throws is the call's refusal.
   */
  read?(context: PrepareContext, reference: string): Promise<Uint8Array>;
}

/** An argument of the operation's own that says which representation there is, in place of the tool's `format`. */
export interface RepresentationArgument<Type extends string = string> {
  /** A field of the query or of the body. */
  readonly name: string;
  /** The media type of each of its values. A value that is not here has JSON only. */
  readonly types: Readonly<Record<string, Type>>;
}
