// Computes how many elements an SVG has when it is drawn. With references (`use`, patterns, markers, masks), a few elements can stand
// for billions, so too many are refused. Pure, and linear in the number of elements and references.

import { declarationsOf, idOf, idsIn, isInherited, rulesOf, type SvgStyleRule } from './svg-rules.ts';

/** An element with an id and its descendants, except descendants with ids and their content. */
interface Part {
  /** The number of elements in the part itself. */
  elements: number;
  /** The number of these elements that are filter steps. */
  effects: number;
  readonly parts: Part[];
  /** The number of references from the part to each id. */
  readonly targets: Map<string, number>;
  /**
   * By selector key (`*`, name, `.class`, `#id`): how many elements of the part a rule may match, and how many elements they contain,
   * themselves included.
   */
  readonly named: Map<string, { own: number; inside: number }>;
  /** The totals when drawn; undefined until they are computed. */
  drawn?: DrawnTotals;
}

/** The totals of a part when it is drawn, with everything that it references. */
interface DrawnTotals {
  readonly elements: number;
  readonly effects: number;
  readonly depth: number;
}

const maxReferences = 100_000;
const maxDrawn = 1_000_000;
/** The maximum number of filter steps. Each step processes the whole picture. */
const maxEffects = 1_000;
/** The maximum number of references in a chain. */
const maxDepth = 5;
/** The largest product of references in style rules and elements with ids. */
const maxApplied = 10_000_000;
/** The maximum number of classes of an element that are read. */
const maxClasses = 20;

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The ids that an attribute references. */
function pointersOf(name: string, value: string): Pick<SvgStyleRule, 'targets' | 'inherited'> {
  const local = localOf(name);
  if (local === 'style') return declarationsOf(value);
  if (local !== 'href')
    return isInherited(local) ? { targets: [], inherited: idsIn(value) } : { targets: idsIn(value), inherited: [] };
  const target = value.trim();
  return { targets: target.startsWith('#') ? [idOf(target.slice(1))] : [], inherited: [] };
}

/** An element whose end tag has not been read yet. */
interface OpenElement {
  /** The part that the element belongs to. */
  readonly part: Part;
  /** The number of elements before this element. */
  readonly before: number;
  /** The ids that every element inside of it references. */
  readonly inherited: readonly string[];
  /** The name, classes and ids of the element, as selectors of a style sheet write them. */
  readonly keys: readonly string[];
}

const newPart = (): Part => ({ elements: 0, effects: 0, parts: [], targets: new Map(), named: new Map() });

const addTarget = ({ targets }: Part, id: string, times: number): void =>
  void targets.set(id, (targets.get(id) ?? 0) + times);

/** Collects the elements and references of a document while it is read. */
export class SvgReferences {
  readonly #root = newPart();
  readonly #byId = new Map<string, Part>();
  readonly #parts: Part[] = [this.#root];
  readonly #open: OpenElement[] = [];
  readonly #rules: SvgStyleRule[] = [];
  /** Whether the document can have style rules. If not, selector keys are not needed. */
  readonly #isStyled: boolean;
  #elements = 0;
  #references = 0;

  /** @param isStyled whether the document has style sheets */
  constructor(isStyled: boolean) {
    this.#isStyled = isStyled;
  }

  /** Adds a start tag. `element`: the name without its prefix. */
  open(element: string, attributes: ReadonlyMap<string, string>): void {
    let part = this.#open.at(-1)?.part ?? this.#root;
    const ids = [...attributes].filter(([name]) => localOf(name) === 'id').map(([, id]) => id);
    if (ids.length > 0) {
      const ownPart = newPart();
      part.parts.push(ownPart);
      this.#parts.push(ownPart);
      part = ownPart;
      // If several elements have the same id, references mean the first.
      for (const id of ids) if (!this.#byId.has(id)) this.#byId.set(id, ownPart);
    }
    part.elements += 1;
    if (element.startsWith('fe')) part.effects += 1;
    const inherited: string[] = [];
    for (const [name, value] of attributes) {
      if (this.#references > maxReferences) break;
      const pointers = pointersOf(name, value);
      for (const id of pointers.targets) addTarget(part, id, 1);
      inherited.push(...pointers.inherited);
      this.#references += pointers.targets.length + pointers.inherited.length;
    }
    const classes = this.#isStyled ? (attributes.get('class') ?? '').split(/\s+/).slice(0, maxClasses) : [];
    const keys = this.#isStyled
      ? ['*', element, ...classes.filter((name) => name !== '').map((name) => `.${name}`), ...ids.map((id) => `#${id}`)]
      : [];
    this.#open.push({ part, before: this.#elements, inherited, keys });
    this.#elements += 1;
  }

  close(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const { part, before, inherited, keys } = element;
    const inside = this.#elements - before;
    for (const id of inherited) addTarget(part, id, inside);
    for (const key of new Set(keys)) {
      const count = part.named.get(key);
      if (count === undefined) part.named.set(key, { own: 1, inside });
      else {
        count.own += 1;
        count.inside += inside;
      }
    }
  }

  /** Adds a whole style sheet. */
  style(sheet: string): void {
    this.#rules.push(...rulesOf(sheet));
  }

  /** The limit that the document exceeds, in words; undefined if it can be drawn. */
  fault(): string | undefined {
    const pointers = this.#rules.reduce(
      (sum, { keys, targets, inherited }) => sum + keys.length * (targets.length + inherited.length),
      0,
    );
    if (this.#references + pointers > maxReferences) return `more than ${maxReferences} references`;
    if (pointers * this.#parts.length > maxApplied) return 'a style that points to too much';
    this.#applyRules();
    const { elements, effects, depth } = this.#count(this.#root, 0);
    if (effects > maxEffects) return 'filters that are used too often';
    return elements > maxDrawn || depth > maxDepth ? 'references that expand to too many elements' : undefined;
  }

  /** Adds the references of the rules to the elements that they may match. */
  #applyRules(): void {
    for (const { keys, targets, inherited } of this.#rules)
      for (const part of this.#parts)
        for (const key of keys) {
          const count = part.named.get(key);
          if (count === undefined) continue;
          for (const id of targets) addTarget(part, id, count.own);
          for (const id of inherited) addTarget(part, id, count.inside);
        }
  }

  /** Computes the totals of a part. `depth`: the number of references that led to it; its limit also ends cycles. */
  #count(part: Part, depth: number): DrawnTotals {
    if (part.drawn !== undefined) return part.drawn;
    if (depth > maxDepth) return { elements: 0, effects: 0, depth: 1 };
    const counted = { elements: part.elements, effects: part.effects, depth: 0 };
    for (const inner of part.parts) {
      const totals = this.#count(inner, depth);
      counted.elements += totals.elements;
      counted.effects += totals.effects;
      counted.depth = Math.max(counted.depth, totals.depth);
    }
    for (const [id, times] of part.targets) {
      const target = this.#byId.get(id);
      if (target === undefined) continue;
      const totals = this.#count(target, depth + 1);
      counted.elements += totals.elements * times;
      counted.effects += totals.effects * times;
      counted.depth = Math.max(counted.depth, totals.depth + 1);
    }
    part.drawn = counted;
    return counted;
  }
}
