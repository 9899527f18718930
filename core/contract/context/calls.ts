// The types of calls by name: the calls of `service.as(workspace)`, and the calls inside an open transaction. They are derived
// from the entries that plugins add to `Api`; this file does not name any operation.
import type { Api } from '../open.ts';

type Intersected<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never;

/** The ids of the plugins that the program's types know. */
export type PluginId = keyof Api & string;

/** The calls that `as(workspace)` offers for the composed plugin ids. */
export type Calls<Ids extends string> = Intersected<Api[Ids & keyof Api]>;

type AllCalls = Calls<PluginId>;

/** Whether a call can join a transaction. Calls of operations that prepare something outside a transaction do not accept `trx`. */
type Joins<Call> = Call extends (...parameters: never) => unknown
  ? 'trx' extends keyof NonNullable<Parameters<Call>[1]>
    ? true
    : false
  : false;

/** Every plugin's calls that can run in an open transaction. At run time only the calls of the composed plugins exist. */
export type InnerCalls = {
  readonly [Area in keyof AllCalls]: {
    readonly [Name in keyof AllCalls[Area] as Joins<AllCalls[Area][Name]> extends true
      ? Name
      : never]: AllCalls[Area][Name];
  };
};

/** The actor of calls inside a transaction. */
export interface InnerCaller {
  /** The name that the audit shows with `system`. (Default: in a job, its kind; in an operation, the operation's caller) */
  readonly actor?: string;
}
