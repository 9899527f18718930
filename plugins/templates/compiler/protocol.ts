// The messages between the service's thread and a compile thread. Plain data: they are copied from one to the other.
import type { CompiledMailResult, CompileStep, MailSource } from '../language/compile.ts';

/** One mail to compile. */
export interface CompileRequest {
  readonly source: MailSource;
  /** Whether it begins another template: nothing is remembered of the one before. */
  readonly fresh: boolean;
}

/** What a compile thread says: once that it is ready, then for each request its steps and one of the other kinds. */
export type CompileReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly step: CompileStep }
  | { readonly kind: 'compiled'; readonly result: CompiledMailResult }
  | { readonly kind: 'package_missing'; readonly name: string }
  | { readonly kind: 'failed'; readonly message: string };
