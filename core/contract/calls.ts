// The types of calls by name: those of `service.as(workspace)`, and those inside an open transaction. They come from
// what plugins add to `Api`; this file names no operation.
import type { Api } from './open.ts';

type Intersected<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never;

/** The ids of the plugins that the program's types know. */
export type PluginId = keyof Api & string;

/** What `as(workspace)` offers for the composed plugin ids. */
export type Calls<Ids extends string> = Intersected<Api[Ids & keyof Api]>;

type AllCalls = Calls<PluginId>;

/** Calls of operations that prepare something outside a transaction take no `trx`. */
type Joins<Call> = Call extends (...given: never) => unknown
  ? 'trx' extends keyof NonNullable<Parameters<Call>[1]>
    ? true
    : false
  : false;

/** Every plugin's calls that can run in an open transaction. At run time those of the composed plugins are there. */
export type InnerCalls = {
  readonly [Area in keyof AllCalls]: {
    readonly [Name in keyof AllCalls[Area] as Joins<AllCalls[Area][Name]> extends true
      ? Name
      : never]: AllCalls[Area][Name];
  };
};

/** The actor of calls inside a transaction. */
export interface InnerCaller {
  /** The name that the audit shows beside `system`. (Default: the kind of the job; in an operation, its own caller) */
  readonly actor?: string;
}
