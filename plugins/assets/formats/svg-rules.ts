// Finds the rules of an SVG's style sheets that reference other elements: `.a { fill: url(#b) }`. A selector that is not understood
// counts as matching all elements. Pure.

/** A rule with references. */
export interface SvgStyleRule {
  /** The elements that the rule may match: `*` for all, otherwise a name, `.class` or `#id`. */
  readonly keys: readonly string[];
  /** The ids in properties that apply to the element as a whole. */
  readonly targets: readonly string[];
  /** The ids in properties that every element inside of it inherits and draws again. */
  readonly inherited: readonly string[];
}

/** Properties that child elements inherit. */
const inheritedName = /^(?:fill|stroke|marker(?:-start|-mid|-end)?)$/i;
/** Whether child elements inherit the property. Custom properties count, because any property can use their value. */
export const isInherited = (name: string): boolean => inheritedName.test(name) || name.startsWith('--');

/** Only one part of the pattern matches white space, because two adjacent runs would be tried at every split. */
const pointer = /url\s*\(\s*(?:["']\s*)?#([^"')]*)/gi;

/** The id that a URL fragment references. */
export function idOf(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The ids in the `url(#…)` references of a value. */
export const idsIn = (value: string): string[] =>
  value.includes('#') ? [...value.matchAll(pointer)].map(([, id = '']) => idOf(id.trim())) : [];

/** The ids in declarations, such as the value of an attribute `style`. */
export function declarationsOf(text: string): Pick<SvgStyleRule, 'targets' | 'inherited'> {
  const targets: string[] = [];
  const inherited: string[] = [];
  for (const declaration of text.split(';')) {
    const ids = idsIn(declaration);
    if (ids.length === 0) continue;
    const name = declaration.slice(0, declaration.indexOf(':')).trim();
    (isInherited(name) ? inherited : targets).push(...ids);
  }
  return { targets, inherited };
}

/** The key of the last part of a selector. */
function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  const [key] = /#[^.#:]+/.exec(last) ?? /\.[^.#:]+/.exec(last) ?? /^[^.#:]+/.exec(last) ?? [];
  return key ?? '*';
}

/** The rules of a style sheet that contain references. Rules inside of @media and similar blocks count as always active. */
export function rulesOf(sheet: string): SvgStyleRule[] {
  const rules: SvgStyleRule[] = [];
  let from = 0;
  for (let close = sheet.indexOf('}'); close !== -1; close = sheet.indexOf('}', from)) {
    const rule = sheet.slice(from, close);
    const open = rule.lastIndexOf('{');
    if (open !== -1) {
      const { targets, inherited } = declarationsOf(rule.slice(open + 1));
      const selectors = rule.slice(open === 0 ? 0 : rule.lastIndexOf('{', open - 1) + 1, open);
      // Commas and spaces inside brackets do not separate selectors.
      const isPlain = !/[[(@"']/.test(selectors);
      const keys = isPlain ? [...new Set(selectors.split(',').map(keyOf))] : ['*'];
      if (targets.length + inherited.length > 0) rules.push({ keys, targets, inherited });
    }
    from = close + 1;
  }
  return rules;
}
