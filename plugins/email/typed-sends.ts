// The calls that take a template and its variables, typed by what `postrider templates types` wrote. Without such a file
// they are what their operations say. Types only.
import type { TemplateVariables } from '../../core/index.ts';

type Known = keyof TemplateVariables & string;

/** What goes with a key: its own variables, any with a key that is only known when the program runs, and no misspelt key. */
type VariablesFor<Key extends string, Needed extends boolean> = Key extends Known
  ? Record<never, never> extends TemplateVariables[Key]
    ? { readonly variables?: TemplateVariables[Key] }
    : Needed extends true
      ? { readonly variables: TemplateVariables[Key] }
      : { readonly variables?: TemplateVariables[Key] }
  : string extends Key
    ? { readonly variables?: Record<string, unknown> }
    : { readonly template: Known };

type Typed<C, Needed extends boolean> = [Known] extends [never]
  ? C
  : C extends (input: infer Input, options?: infer Options) => Promise<infer Output>
    ? <const Key extends Known | (string & {})>(
        input: Omit<Input, 'template' | 'variables'> & { readonly template: Key } & VariablesFor<Key, Needed>,
        options?: Options,
      ) => Promise<Output>
    : C;

/** The calls of the email plugin; a test send fills in what is left out with an example. */
export type TypedSends<Areas> = {
  readonly [Area in keyof Areas]: {
    readonly [Name in keyof Areas[Area]]: Name extends 'send' | 'sendAlias' | 'preview'
      ? Typed<Areas[Area][Name], true>
      : Name extends 'sendTest'
        ? Typed<Areas[Area][Name], false>
        : Areas[Area][Name];
  };
};
