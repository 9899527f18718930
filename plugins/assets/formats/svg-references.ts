// How large an SVG becomes when it is drawn: a few elements that point to each other can stand for billions (`use`, patterns,
// markers, masks). Counts them, and refuses too many. Pure, and linear in the number of elements and references.

import { declarationsOf, idOf, idsIn, isInherited, rulesOf, type StyleRule } from './svg-rules.ts';

/** An element with an id, and what lies in it up to the next elements with ids. */
interface Part {
  /** How many elements it has itself. */
  elements: number;
  /** How many of them are steps of filters. */
  effects: number;
  readonly parts: Part[];
  /** How often it points to each id. */
  readonly targets: Map<string, number>;
  /** How many elements of it a rule may mean, and how many lie in them, by what rules name. */
  readonly named: Map<string, { own: number; inside: number }>;
  /** What it stands for when drawn; undefined until it is counted. */
  drawn?: Drawn;
}

/** What a part stands for. */
interface Drawn {
  readonly elements: number;
  readonly effects: number;
  readonly depth: number;
}

const maxReferences = 100_000;
const maxDrawn = 1_000_000;
/** Steps of filters, each of which goes over the whole picture. */
const maxEffects = 1_000;
/** References that lead to references that lead on. */
const maxDepth = 5;
/** Rules of style sheets times elements with ids. */
const maxApplied = 10_000_000;
/** Classes of an element that are looked at. */
const maxClasses = 20;

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Where an element points with its attributes. */
function pointersOf(name: string, value: string): Pick<StyleRule, 'targets' | 'inherited'> {
  const local = localOf(name);
  if (local === 'style') return declarationsOf(value);
  if (local !== 'href')
    return isInherited(local) ? { targets: [], inherited: idsIn(value) } : { targets: idsIn(value), inherited: [] };
  const target = value.trim();
  return { targets: target.startsWith('#') ? [idOf(target.slice(1))] : [], inherited: [] };
}

/** An element that is open. */
interface Opened {
  /** The part that it belongs to. */
  readonly part: Part;
  /** How many elements there were before it. */
  readonly before: number;
  /** The ids that everything inside of it points to. */
  readonly inherited: readonly string[];
  /** Its name, classes and ids, as rules of a style sheet name them. */
  readonly keys: readonly string[];
}

const newPart = (): Part => ({ elements: 0, effects: 0, parts: [], targets: new Map(), named: new Map() });

const addTarget = ({ targets }: Part, id: string, times: number): void =>
  void targets.set(id, (targets.get(id) ?? 0) + times);

/** The elements of a document while it is read. */
export class References {
  readonly #root = newPart();
  readonly #byId = new Map<string, Part>();
  readonly #parts: Part[] = [this.#root];
  readonly #open: Opened[] = [];
  readonly #rules: StyleRule[] = [];
  /** Whether rules may come: else names are not needed. */
  readonly #isStyled: boolean;
  #elements = 0;
  #references = 0;

  /** @param isStyled whether the document has style sheets */
  constructor(isStyled: boolean) {
    this.#isStyled = isStyled;
  }

  /** An element without the prefix of its name, and its attributes. */
  open(element: string, attributes: ReadonlyMap<string, string>): void {
    let part = this.#open.at(-1)?.part ?? this.#root;
    const ids = [...attributes].filter(([name]) => localOf(name) === 'id').map(([, id]) => id);
    if (ids.length > 0) {
      const own = newPart();
      part.parts.push(own);
      this.#parts.push(own);
      part = own;
      // Of several elements with one id the first is meant.
      for (const id of ids) if (!this.#byId.has(id)) this.#byId.set(id, own);
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
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const { part, before, inherited, keys } = closed;
    const inside = this.#elements - before;
    for (const id of inherited) addTarget(part, id, inside);
    for (const key of new Set(keys)) {
      const named = part.named.get(key);
      if (named === undefined) part.named.set(key, { own: 1, inside });
      else {
        named.own += 1;
        named.inside += inside;
      }
    }
  }

  /** A whole style sheet. */
  style(sheet: string): void {
    this.#rules.push(...rulesOf(sheet));
  }

  /** What is too much; undefined for a document that can be drawn. */
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
    return elements > maxDrawn || depth > maxDepth ? 'elements that stand for too many others' : undefined;
  }

  /** Adds what the rules point to, to the elements that they may mean. */
  #applyRules(): void {
    for (const { keys, targets, inherited } of this.#rules)
      for (const part of this.#parts)
        for (const key of keys) {
          const named = part.named.get(key);
          if (named === undefined) continue;
          for (const id of targets) addTarget(part, id, named.own);
          for (const id of inherited) addTarget(part, id, named.inside);
        }
  }

  /** `depth`: the references that led to `part`. Ends also where a part leads to itself. */
  #count(part: Part, depth: number): Drawn {
    if (part.drawn !== undefined) return part.drawn;
    if (depth > maxDepth) return { elements: 0, effects: 0, depth: 1 };
    const counted = { elements: part.elements, effects: part.effects, depth: 0 };
    for (const inner of part.parts) {
      const found = this.#count(inner, depth);
      counted.elements += found.elements;
      counted.effects += found.effects;
      counted.depth = Math.max(counted.depth, found.depth);
    }
    for (const [id, times] of part.targets) {
      const target = this.#byId.get(id);
      if (target === undefined) continue;
      const found = this.#count(target, depth + 1);
      counted.elements += found.elements * times;
      counted.effects += found.effects * times;
      counted.depth = Math.max(counted.depth, found.depth + 1);
    }
    part.drawn = counted;
    return counted;
  }
}
