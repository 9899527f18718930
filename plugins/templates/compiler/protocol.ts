// The messages between the service's thread and a compile thread. Plain data, because messages are copied between
// threads.
import type { CompiledMailResult, CompileStep, MailSource } from '../language/compile.ts';

/** One mail to compile. */
export interface CompileRequest {
  readonly source: MailSource;
  /** Whether it begins another template: the memo of the previous template is dropped. */
  readonly isNewTemplate: boolean;
}

/** The messages of a compile thread: `ready` once, then for each request its steps and one of the other kinds. */
export type CompileReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly step: CompileStep }
  | { readonly kind: 'compiled'; readonly result: CompiledMailResult }
  | { readonly kind: 'package_missing'; readonly name: string }
  | { readonly kind: 'failed'; readonly message: string };
