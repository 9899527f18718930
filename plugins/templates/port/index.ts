// The port of composers: what writes texts from a brief. Implemented by adapters/composer, called by operations that compose.
import type { PortAdapter } from '../../../core/index.ts';

/** Something to be written. */
export interface ComposeTask {
  /** What is written: `template`. */
  readonly kind: string;
  /** The rules, the brand and the contract of the variables: for the model's system prompt. Holds nothing of the caller's brief. */
  readonly instructions: string;
  /** The caller's brief, marked as such, and what was wrong with the try before. */
  readonly prompt: string;
  /** The form of the answer, as JSON Schema. Whatever is answered is checked against it, and more. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** The model that the caller asked for, one of the adapter's `models`. (Default: the adapter's own) */
  readonly model?: string | undefined;
  /** The same without a model: what the embedded composer answers. The same for the same input. */
  embedded(): unknown;
}

/** Options of one call. */
export interface ComposeOptions {
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/** Writes from a brief. A call that fails, or answers something unusable, is made up to three times. */
export interface ComposerAdapter extends PortAdapter {
  /** The names of models that callers may ask for. (Default: any name is accepted and ignored) */
  readonly models?: readonly string[];
  /** Nothing is written: it answers what `embedded()` makes of the brief. (Default: false) */
  readonly withoutModel?: boolean;
  /** Answers a value of the form `answer`. */
  compose(task: ComposeTask, options: ComposeOptions): Promise<unknown>;
}
