// The parts of the console's overview. Each plugin may contribute one to `console.overview`; overview-page.ts shows them.
import type { ConsoleContext } from '../../core/index.ts';
import type { Html } from '../../core/unstable.ts';

/** A step that a new workspace needs once. */
export interface FirstStep {
  /** The task, such as `Publish a template`. */
  readonly text: string;
  /** The path of its page in the console: `templates`. */
  readonly path: string;
  isDone(ctx: ConsoleContext): Promise<boolean>;
}

/** An entry of `console.overview`: the part of one plugin on the first page of a workspace. */
export interface OverviewPart {
  /** The person needs every one of these scopes to see the part. */
  readonly scopes: readonly string[];
  /** Makes the part, such as a panel. Null if there is nothing to say. Only reads. (Default: a first step alone) */
  render?(ctx: ConsoleContext): Promise<Html | null>;
  /** Whether the part needs the whole width. (Default: false) */
  readonly isWide?: boolean;
  /** Shown with the first steps of other plugins while the workspace is new and at least one step is not done. (Default: none) */
  readonly firstStep?: FirstStep;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    'console.overview': OverviewPart;
  }
}
