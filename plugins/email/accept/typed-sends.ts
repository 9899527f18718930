// Types of the calls that take a template and its variables, based on the file that `postrider templates types` writes. Without
// that file, the calls have the types of their operations. Types only.
import type { TemplateVariables } from '../../../core/index.ts';

type Known = keyof TemplateVariables & string;

/**
 * A key that exists, or a key that is only known at run time. For any other key, the compiler lists the existing keys. Without the mapped type,
 * it would print only the name `Known`.
 */
type KnownKey<Key extends string> = string extends Key
  ? Key
  : Key extends Known
    ? Key
    : { [Other in Known]: Other }[Known];

/** The variables of a template key. A key that is only known at run time accepts any variables. */
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

/** A batch whose variables match its template. Each recipient has variables of its own. */
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

/** The calls of the email plugin. A test send fills in omitted variables from an example. */
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
