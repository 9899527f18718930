// The port of composers, which write texts from a brief. Implemented by adapters/composer, called by operations that
// compose.
import type { PortAdapter } from '../../../core/index.ts';

/** A text to be written. */
export interface ComposeTask {
  /** The kind of text: `template`. */
  readonly kind: string;
  /**
   * The rules, the brand and the contract of the variables, for the model's system prompt. Contains no text of the
   * caller's brief.
   */
  readonly instructions: string;
  /** The caller's brief, encoded as JSON, and the faults of the previous attempt. */
  readonly prompt: string;
  /** The schema of the answer, as JSON Schema. Every answer is checked against it and against further rules. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** The model that the caller requested, one of the adapter's `models`. (Default: the adapter's own) */
  readonly model?: string | undefined;
  /** Writes the text without a model; the embedded composer returns this. The same input gives the same result. */
  embedded(): unknown;
}

/** Options of one call. */
export interface ComposeOptions {
  /** Aborts the call. */
  readonly signal: AbortSignal;
}

/** Writes texts from briefs. The service repeats a call that fails or returns an unusable answer: three attempts at most. */
export interface ComposerAdapter extends PortAdapter {
  /** The names of models that callers may ask for. (Default: any name is accepted and ignored) */
  readonly models?: readonly string[];
  /** Whether the adapter uses no model and returns the result of `embedded()`. (Default: false) */
  readonly withoutModel?: boolean;
  /** Returns a value that matches `answer`. */
  compose(task: ComposeTask, options: ComposeOptions): Promise<unknown>;
}
