// The rules of an SVG's style sheets that point to other elements: `.a { fill: url(#b) }`. Which elements a rule may mean is judged
// generously: what is not understood means all. Pure.

/** A rule with references. */
export interface StyleRule {
  /** The elements that it may mean: `*` for all, else a name, `.class` or `#id`. */
  readonly keys: readonly string[];
  /** The ids that it points to, in what is drawn for the element as a whole. */
  readonly targets: readonly string[];
  /** The ids that it points to, in what each element inside of it draws again. */
  readonly inherited: readonly string[];
}

/** Properties that elements inside of an element take over. */
const inheritedName = /^(?:fill|stroke|marker(?:-start|-mid|-end)?)$/i;
/** Whether what is inside of an element takes its value over. A custom property can become any property. */
export const isInherited = (name: string): boolean => inheritedName.test(name) || name.startsWith('--');

/** White space stands in one place only: two runs of it beside each other would be tried in every way. */
const pointer = /url\s*\(\s*(?:["']\s*)?#([^"')]*)/gi;

/** An id as a reference spells it. */
export function idOf(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The ids in the addresses of a value. */
export const idsIn = (value: string): string[] =>
  value.includes('#') ? [...value.matchAll(pointer)].map(([, id = '']) => idOf(id.trim())) : [];

/** Declarations, as of an attribute `style`. */
export function declarationsOf(text: string): Pick<StyleRule, 'targets' | 'inherited'> {
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

/** What the last part of a selector means. */
function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  const [key] = /#[^.#:]+/.exec(last) ?? /\.[^.#:]+/.exec(last) ?? /^[^.#:]+/.exec(last) ?? [];
  return key ?? '*';
}

/** The rules of a style sheet that point somewhere; those inside of @media and its like count as if they always held. */
export function rulesOf(sheet: string): StyleRule[] {
  const rules: StyleRule[] = [];
  let from = 0;
  for (let close = sheet.indexOf('}'); close !== -1; close = sheet.indexOf('}', from)) {
    const rule = sheet.slice(from, close);
    const open = rule.lastIndexOf('{');
    if (open !== -1) {
      const { targets, inherited } = declarationsOf(rule.slice(open + 1));
      const selectors = rule.slice(open === 0 ? 0 : rule.lastIndexOf('{', open - 1) + 1, open);
      // In brackets there may be commas and spaces that part nothing.
      const isPlain = !/[[(@"']/.test(selectors);
      const keys = isPlain ? [...new Set(selectors.split(',').map(keyOf))] : ['*'];
      if (targets.length + inherited.length > 0) rules.push({ keys, targets, inherited });
    }
    from = close + 1;
  }
  return rules;
}
