// Sequences in code, checked by the compiler: ids in edges, the edges of each kind of node, the variables of templates.
// The value has the type of a definition in the API.
import type { TemplateVariables } from '../../../core/index.ts';
import type { CodeSequence } from '../code/code-sequence.ts';
import type { DefinitionInput } from './schema.ts';

/** Makes the lists of a definition readonly, so that constants are accepted. */
type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** A node as the program writes it. */
export type NodeInput = DeepReadonly<DefinitionInput['nodes'][number]>;

/** The indexes of a constant list: `0`, `1` … */
type IndexOf<List extends readonly unknown[]> = Extract<keyof List, `${number}`>;

/** The edges that a node may have. */
type WhenOf<N> = N extends { readonly kind: 'delay'; readonly relativeTo: object }
  ? 'next' | 'failed'
  : N extends { readonly kind: 'delay' | 'goal' }
    ? 'next'
    : N extends { readonly kind: 'wait_for_event' }
      ? 'matched' | 'timeout'
      : N extends { readonly kind: 'branch'; readonly conditions: infer C extends readonly unknown[] }
        ? `branch:${IndexOf<C>}` | 'else'
        : N extends { readonly kind: 'split'; readonly weights: infer W extends readonly unknown[] }
          ? `split:${IndexOf<W>}`
          : N extends { readonly kind: 'exit' }
            ? never
            : 'next' | 'failed';

/** The edges of one node of a sequence with these ids. As in the API, an edge without `when` is a `next` edge. */
type EdgesOf<N, Ids> = N extends { readonly id: infer Id }
  ? WhenOf<N> extends infer When
    ? When extends 'next'
      ? { readonly from: Id; readonly when?: When; readonly to: Ids }
      : When extends string
        ? { readonly from: Id; readonly when: When; readonly to: Ids }
        : never
    : never
  : never;

/** A text with Liquid. It may replace a value of any type. */
type Liquid = `${string}{{${string}}}${string}`;

/** The type that the compiler prints if a value is not allowed. It only exists for that message: no value has this type. */
interface Expected<T> {
  readonly expected: T;
}

/**
 * The variables of a node. The template must have each of them, and its value must have the right type or be a Liquid
 * text.
 */
type CheckedVariables<Given, Known> = {
  readonly [Name in keyof Given]: Name extends keyof Known
    ? Given[Name] extends Known[Name] | Liquid
      ? Given[Name]
      : Expected<Known[Name] | Liquid>
    : Expected<`a variable of the template: ${keyof Known & string}`>;
};

/** The names of the variables that a template needs. */
type NeededOf<Known> = keyof {
  [Name in keyof Known as string extends Name
    ? never
    : Record<never, never> extends Pick<Known, Name>
      ? never
      : Name]: unknown;
};

/** A node with all variables that its template needs, and only variables that the template has. */
type WithVariables<N, Known> = N &
  ([NeededOf<Known>] extends [never]
    ? unknown
    : { readonly variables: { readonly [Name in NeededOf<Known>]: unknown } }) &
  (N extends { readonly variables: infer Given } ? { readonly variables: CheckedVariables<Given, Known> } : unknown);

/**
 * Checks a node against the types of templates (`postrider templates types`). Without these types, every key and
 * variable is allowed. The result has all fields of the node, because the compiler refuses fields of a literal that are
 * not in the type. For an unknown key, the compiler lists the existing keys; without the mapping it would print the
 * name of a type.
 */
type CheckedNode<N> = N extends { readonly kind: 'send_email'; readonly templateKey: infer Key }
  ? [keyof TemplateVariables] extends [never]
    ? N
    : Key extends keyof TemplateVariables
      ? WithVariables<N, TemplateVariables[Key]>
      : string extends Key
        ? N
        : N & { readonly templateKey: Expected<{ [Other in keyof TemplateVariables]: Other }[keyof TemplateVariables]> }
  : N;

/** A sequence in the form that `defineSequence` accepts. */
export interface SequenceSource<Nodes extends readonly NodeInput[]> {
  /** 1 to 80 characters: a–z, 0–9, _ and -. Do not change it between releases, because runs are stored under it. */
  readonly key: string;
  readonly name: string;
  readonly trigger: DeepReadonly<DefinitionInput['trigger']>;
  readonly nodes: Nodes & { readonly [I in keyof Nodes]: CheckedNode<Nodes[I]> };
  readonly edges: readonly EdgesOf<Nodes[number], Nodes[number]['id']>[];
  /** (Default: the API's defaults) */
  readonly settings?: DeepReadonly<DefinitionInput['settings']>;
}

/**
 * Defines a sequence of the program, for `sequencesPlugin({ sequences })`. The compiler checks that edges lead between existing nodes
 * and that each node has the edges of its kind. With the types of `postrider templates types`, it also checks keys and variables of
 * templates. Everything else is checked when the service is composed and when the sequence is published.
 */
export function defineSequence<const Nodes extends readonly NodeInput[]>(source: SequenceSource<Nodes>): CodeSequence {
  // Nothing changes the readonly lists, because the plugin parses them into lists of its own.
  return source as unknown as CodeSequence;
}
