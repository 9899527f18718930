// Types of the calls that take a template and its variables, from the file that `postrider templates types` writes. Without
// that file they have the types of their operations. Types only.
import type { TemplateVariables } from '../../core/index.ts';

type Known = keyof TemplateVariables & string;

/**
 * A key that is only known at run time, or one that exists. For another one the compiler lists those that do: without the
 * mapping it would print the name `Known`.
 */
type KnownKey<Key extends string> = string extends Key
  ? Key
  : Key extends Known
    ? Key
    : { [Other in Known]: Other }[Known];

/** The variables of a template key. A key that is only known at run time takes any variables. */
type VariablesFor<Key extends string, Needed extends boolean> = Key extends Known
  ? Record<never, never> extends TemplateVariables[Key]
    ? { readonly variables?: TemplateVariables[Key] }
    : Needed extends true
      ? { readonly variables: TemplateVariables[Key] }
      : { readonly variables?: TemplateVariables[Key] }
  : { readonly variables?: Record<string, unknown> };

type Typed<C, Needed extends boolean> = [Known] extends [never]
  ? C
  : C extends (input: infer Input, options?: infer Options) => Promise<infer Output>
    ? <const Key extends Known | (string & {})>(
        input: Omit<Input, 'template' | 'variables'> & { readonly template: KnownKey<Key> } & VariablesFor<Key, Needed>,
        options?: Options,
      ) => Promise<Output>
    : C;

type RecipientOf<Input> = Input extends { readonly recipients: readonly (infer Recipient)[] } ? Recipient : never;

/** The same for many: each recipient has variables of its own. */
type TypedBatch<C> = [Known] extends [never]
  ? C
  : C extends (input: infer Input, options?: infer Options) => Promise<infer Output>
    ? <const Key extends Known | (string & {})>(
        input: Omit<Input, 'template' | 'recipients'> & {
          readonly template: KnownKey<Key>;
          readonly recipients: readonly (Omit<RecipientOf<Input>, 'variables'> & VariablesFor<Key, true>)[];
        },
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
        : Name extends 'batch'
          ? TypedBatch<Areas[Area][Name]>
          : Areas[Area][Name];
  };
};
