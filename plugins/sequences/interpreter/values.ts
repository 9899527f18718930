// Renders Liquid in the strings of values, with contact, event and variables. A string that is a single `{{ path }}` keeps its type.
import { type RunValues, readPath, valuesOf } from './paths.ts';
import type { ParseText, TextOfSource } from './types.ts';

const singlePath = /^\s*\{\{-?\s*((?:contact|event|variables)(?:\.[A-Za-z_][\w-]*)+)\s*-?\}\}\s*$/;
const hasLiquid = /\{[{%]/;

/** Renders every string in the values. @throws if a string cannot be rendered */
export type RenderValues = (values: Readonly<Record<string, unknown>>, known: RunValues) => Record<string, unknown>;

/** The strings with Liquid in a value, each with its path, such as `variables.items.0.name`. */
export function liquidIn(value: unknown, path: string): { readonly place: string; readonly text: string }[] {
  if (typeof value === 'string') return hasLiquid.test(value) ? [{ place: path, text: value }] : [];
  if (Array.isArray(value)) return value.flatMap((one, index) => liquidIn(one, `${path}.${index}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => liquidIn(one, `${path}.${name}`));
}

/** Creates a renderer of values. It parses each text once. */
export function createRenderer(parse: ParseText): RenderValues {
  const texts = new Map<string, TextOfSource>();

  /** Undefined if the text is a single path to a missing value. */
  function renderText(source: string, known: RunValues): unknown {
    if (!hasLiquid.test(source)) return source;
    const path = singlePath.exec(source)?.[1];
    if (path !== undefined) return readPath(path, known);
    let text = texts.get(source);
    if (text === undefined) {
      text = parse(source);
      texts.set(source, text);
    }
    return text.render('sequence', valuesOf(known), known.now);
  }

  function render(value: unknown, known: RunValues): unknown {
    if (typeof value === 'string') return renderText(value, known);
    if (Array.isArray(value)) return value.map((one) => render(one, known)).filter((one) => one !== undefined);
    return typeof value === 'object' && value !== null ? renderAll(value as Record<string, unknown>, known) : value;
  }

  const renderAll: RenderValues = (values, known) =>
    Object.fromEntries(
      Object.entries(values)
        .map(([name, value]) => [name, render(value, known)] as const)
        .filter(([, value]) => value !== undefined),
    );

  return renderAll;
}
