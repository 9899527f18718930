/**
 * Converts Liquid sources to plain syntax nodes. No other file uses liquidjs's tags and tokens. liquidjs parses the source and
 * reports the line of a mistake. This file renders nothing, and its tags cannot read a file.
 */

import {
  type CaptureTag,
  type CaseTag,
  type Context,
  Drop,
  type Emitter,
  type Filter,
  type ForTag,
  type IfTag,
  Liquid,
  LiquidError,
  type LiquidTag,
  type Tag,
  type Template,
  type Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
  type Value,
} from 'liquidjs';
import { beginning } from '../../../core/contract/values/shorten.ts';
import { WholeFraction } from './decimals.ts';
import { messageOf, nameOf, type TemplateFault, templateFault } from './fault.ts';
import { FILTER_NAMES } from './filters.ts';
import { handlebarsHint } from './foreign.ts';
import { MEMORY_LIMIT, NESTING_LIMIT, SOURCE_LIMIT, TAG_LIMIT, TIME_LIMIT } from './limits.ts';
import {
  type Branch,
  createLineFinder,
  type Expression,
  type FilterCall,
  type Node,
  type Operand,
  type Operator,
  type Path,
} from './syntax.ts';

/** The tags of the language, except tags that include, extend or count across templates. */
export const TAG_NAMES: readonly string[] = [
  ...['assign', 'capture', 'case', 'comment', 'cycle', 'echo', 'for', 'if', 'liquid', 'raw', 'unless'],
  ...['break', 'continue', '#', 'content'],
];

let shared: Liquid | undefined;

/** The engine behind parser and filters. It is created once, contains no templates and has no access to files. */
export function liquidEngine(): Liquid {
  if (shared) return shared;
  const engine = new Liquid({
    templates: {},
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    parseLimit: SOURCE_LIMIT,
    memoryLimit: MEMORY_LIMIT,
    renderLimit: TIME_LIMIT,
    locale: 'en-US',
    timezoneOffset: 0,
  });
  // The place of the body in a layout. layout.ts cuts the tag out, so it is never rendered.
  engine.registerTag('content', { render: () => undefined });
  for (const name of Object.keys(engine.tags)) if (!TAG_NAMES.includes(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) if (!FILTER_NAMES.has(name)) delete engine.filters[name];
  shared = engine;
  return engine;
}

/**
 * Parses a source into nodes.
 * @throws TemplateFault `too_long`, `too_many_tags`, `too_deep`, `unknown_tag`, `unknown_filter` or `syntax`, with its line.
 */
export function parseSource(source: string): Node[] {
  if (source.length > SOURCE_LIMIT) {
    throw templateFault('too_long', `The template has more than ${SOURCE_LIMIT} characters.`);
  }
  const tags = source.match(source.includes('{%') && /\{%-?\s*liquid\b/.test(source) ? /\{\{|\{%|\n/g : /\{\{|\{%/g);
  if (tags && tags.length > TAG_LIMIT) {
    throw templateFault('too_many_tags', `The template has more than ${TAG_LIMIT} Liquid tags and placeholders.`);
  }
  const lineOf = createLineFinder(source);
  try {
    return readNodes(liquidEngine().parse(source), 0);
  } catch (error) {
    throw parseFault(error, source, lineOf);
  }
}

/** A piece of a source: static text, a tag with its name, or an output. */
export interface SourcePiece {
  kind: 'text' | 'tag' | 'output';
  text: string;
  name: string;
  at: number;
}

/**
 * Cuts a source that parseSource has accepted into static text and Liquid, without Liquid's comments. The joined pieces
 * equal the source without its comments.
 */
export function splitSource(source: string): SourcePiece[] {
  const pieces: SourcePiece[] = [];
  let inComment = false;
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    const name = token.kind === TokenKind.Tag ? (token as Token & { name: string }).name : '';
    if (inComment) {
      inComment = name !== 'endcomment';
      continue;
    }
    inComment = name === 'comment';
    if (inComment || name === '#') continue;
    const kind = name ? 'tag' : token.kind === TokenKind.Output ? 'output' : 'text';
    pieces.push({ kind, text: token.getText(), name, at: token.begin });
  }
  return pieces;
}

/** Returns the output around an offset, from its first brace. The offset may be the offset of the braces. */
function outputAround(source: string, at: number): string {
  let from = source.lastIndexOf('{{', at + 1);
  while (source[from - 1] === '{') from -= 1;
  return from < 0 || source.slice(from, at).includes('}}') ? '' : source.slice(from, from + 200);
}

function parseFault(error: unknown, source: string, lineOf: (offset: number) => number): TemplateFault {
  if (isPositioned(error)) return templateFault(error.code, error.message, lineOf(error.at));
  if (/call stack/.test(messageOf(error))) return templateFault('too_deep', 'Blocks are nested too deeply.');
  if (!LiquidError.is(error)) return templateFault('syntax', 'This is not valid Liquid.');
  const token = (error as { token?: Token }).token;
  const line = token ? lineOf(token.begin) : undefined;
  const message = beginning(error.message.replace(/, line:\d+, col:\d+$/, ''), 200);
  const unknownTag = /^tag "(.*)" not found$/s.exec(message);
  if (unknownTag) {
    return templateFault('unknown_tag', `There is no tag \`${unknownTag[1]}\`. Use ${TAG_NAMES.join(', ')}.`, line);
  }
  const unknownFilter = /^undefined filter: (.*)$/s.exec(message);
  if (unknownFilter) return templateFault('unknown_filter', `There is no filter \`${unknownFilter[1]}\`.`, line);
  const foreign = token === undefined ? undefined : handlebarsHint(outputAround(source, token.begin));
  return templateFault('syntax', foreign ?? `This is not valid Liquid: ${message}.`, line);
}

/** A fault without its line: only parseSource, which has the source, turns it into a TemplateFault. */
interface PositionedFault extends Error {
  code: 'syntax' | 'too_deep';
  at: number;
}

function positioned(code: PositionedFault['code'], message: string, at: number): PositionedFault {
  return Object.assign(new Error(message), { name: 'PositionedFault', code, at });
}

function isPositioned(error: unknown): error is PositionedFault {
  return nameOf(error) === 'PositionedFault';
}

function readNodes(templates: readonly Template[], depth: number): Node[] {
  const nodes: Node[] = [];
  for (const template of templates) {
    const at = template.token.begin;
    if (depth > NESTING_LIMIT) throw positioned('too_deep', `Blocks are nested more than ${NESTING_LIMIT} deep.`, at);
    if (template.token.kind === TokenKind.HTML) {
      const token = template.token as Token & { trimLeft: number; getContent(): string };
      const text = token.getContent();
      if (text !== '') nodes.push({ kind: 'text', text, at: at + token.trimLeft });
    } else if (template.token.kind === TokenKind.Output) {
      // Liquid would read Handlebars or Mustache as a comparison or as two values.
      const output = beginning(template.token.getText(), 200);
      const foreign = /^\{\{~?\s*(?:>|insert\s)/.test(output) ? handlebarsHint(output) : undefined;
      if (foreign !== undefined) throw positioned('syntax', foreign, at);
      nodes.push(readOutput((template as Template & { value: Value }).value, at));
    } else {
      nodes.push(...readTag(template as AnyTag, at, depth));
    }
  }
  return nodes;
}

function readOutput(value: Value, at: number): Node {
  const expression = readValue(value, at);
  return { kind: 'output', value: expression, raw: expression.filters.at(-1)?.name === 'raw', at };
}

/** A tag with liquidjs's optional methods that list its contents. */
type AnyTag = Tag & Template;

function readTag(tag: AnyTag, at: number, depth: number): Node[] {
  switch (tag.name) {
    case 'if':
    case 'unless': {
      const { branches, elseTemplates } = tag as IfTag;
      const read = (branch: IfTag['branches'][number], index: number): Branch => ({
        test: readValue(branch.value, at),
        negated: tag.name === 'unless' && index === 0,
        body: readNodes(branch.templates, depth + 1),
      });
      return [{ kind: 'if', branches: branches.map(read), otherwise: readNodes(elseTemplates ?? [], depth + 1), at }];
    }
    case 'case': {
      const { value, branches, elseTemplates } = tag as CaseTag;
      const read = (branch: CaseTag['branches'][number]) => ({
        values: branch.values.map((token) => readOperand(token)),
        body: readNodes(branch.templates, depth + 1),
      });
      const otherwise = readNodes(elseTemplates, depth + 1);
      return [{ kind: 'case', subject: readValue(value, at), branches: branches.map(read), otherwise, at }];
    }
    case 'for':
      return [readFor(tag as ForTag, at, depth)];
    case 'assign':
      return [{ kind: 'assign', name: localName(tag), value: readValue(firstValue(tag), at), at }];
    case 'capture': {
      const body = readNodes((tag as CaptureTag).templates, depth + 1);
      return [{ kind: 'capture', name: localName(tag), body, at }];
    }
    case 'cycle':
      return [readCycle(tag, at)];
    case 'echo':
      return [...(tag.arguments?.() ?? [])].map((value) => readOutput(value as Value, at));
    case 'liquid':
      return readNodes((tag as LiquidTag).templates, depth + 1);
    case 'raw': {
      const text = String(tag.render({} as Context, {} as Emitter) ?? '');
      return text === '' ? [] : [{ kind: 'text', text, at }];
    }
    case 'content':
      if (tag.token.args.trim() !== '') throw positioned('syntax', '`content` must be alone: `{% content %}`.', at);
      return [{ kind: 'content', at }];
    case 'break':
    case 'continue':
      return [{ kind: tag.name, at }];
    default:
      return [];
  }
}

function readFor(tag: ForTag, at: number, depth: number): Node {
  const { offset, limit, reversed, ...rest } = tag.hash.hash;
  const unknown = Object.keys(rest)[0];
  if (unknown) throw positioned('syntax', `\`for\` accepts offset, limit and reversed, but not \`${unknown}\`.`, at);
  return {
    kind: 'for',
    name: tag.variable,
    collection: readOperand(tag.collection),
    offset: offset && readOperand(offset),
    limit: limit && readOperand(limit),
    reversed: Object.hasOwn(tag.hash.hash, 'reversed'),
    body: readNodes(tag.templates, depth + 1),
    otherwise: readNodes(tag.elseTemplates, depth + 1),
    at,
  };
}

function readCycle(tag: AnyTag, at: number): Node {
  const candidates: Expression[] = [];
  let group: Operand | undefined;
  for (const argument of (tag.arguments?.() ?? []) as Iterable<unknown>) {
    const token = argument as Token & { initial: Value['initial']; filters: readonly Filter[] };
    if (TypeGuards.isFilteredValueToken(token)) candidates.push(readValue(token, at));
    else group = readOperand(token);
  }
  return { kind: 'cycle', key: tag.token.args, group, candidates, at };
}

function localName(tag: AnyTag): string {
  for (const token of tag.localScope?.() ?? []) return String(token.content);
  throw positioned('syntax', 'A name is missing.', tag.token.begin);
}

function firstValue(tag: AnyTag): Value {
  for (const value of tag.arguments?.() ?? []) return value as Value;
  throw positioned('syntax', 'A value is missing.', tag.token.begin);
}

function readValue(
  value: { initial: Value['initial']; filters: readonly Pick<Filter, 'name' | 'args'>[] },
  at: number,
): Expression {
  const postfix = value.initial.postfix.map((token): Operand | Operator =>
    TypeGuards.isOperatorToken(token) ? { kind: 'operator', name: token.operator } : readOperand(token),
  );
  const filters = value.filters.map((filter): FilterCall => {
    if (!FILTER_NAMES.has(filter.name)) throw positioned('syntax', `There is no filter \`${filter.name}\`.`, at);
    const args = filter.args.map((arg) => {
      if (!Array.isArray(arg)) return readOperand(arg);
      return { name: String(arg[0]), value: readOperand(arg[1] as Token) };
    });
    return { name: filter.name, args, at };
  });
  return { postfix, filters, at };
}

function readOperand(token: Token): Operand {
  if (TypeGuards.isRangeToken(token)) {
    return { kind: 'range', from: readOperand(token.lhs), to: readOperand(token.rhs), at: token.begin };
  }
  if (TypeGuards.isPropertyAccessToken(token)) return readPath(token);
  if ('content' in token) return { kind: 'literal', value: literalValue(token) };
  throw positioned('syntax', 'A value is missing.', token?.begin ?? 0);
}

function literalValue(token: Token & { content: unknown }): unknown {
  const { content } = token;
  // liquidjs's own nil equals neither blank nor itself.
  if (content instanceof Drop && content.valueOf() === null) return null;
  if (typeof content !== 'number' || !Number.isInteger(content)) return content;
  return /^[-+]?\d+\.\d/.test(token.getText()) ? new WholeFraction(content) : content;
}

const PATH_STEPS = 20;

function readPath(token: Token & { variable: Token | undefined; props: Token[] }): Path {
  const at = token.begin;
  const steps = token.props.map((prop): string | number | Path => {
    const operand = TypeGuards.isWordToken(prop) ? undefined : readOperand(prop);
    if (!operand) return (prop as Token & { content: string }).content;
    if (operand.kind === 'path') return operand;
    if (operand.kind === 'literal' && typeof operand.value === 'number') return operand.value;
    if (operand.kind === 'literal' && typeof operand.value === 'string') return operand.value;
    throw positioned('syntax', 'Brackets may contain only a name, a text, a number or a variable.', at);
  });
  if (steps.length > PATH_STEPS) throw positioned('too_deep', `A path has at most ${PATH_STEPS} steps.`, at);
  const text = beginning(token.getText(), 80);
  if (token.variable) {
    const root = readOperand(token.variable);
    if (root.kind === 'path')
      throw positioned('syntax', 'A path in brackets cannot be the beginning of another path.', at);
    return { kind: 'path', root, steps, text, at };
  }
  const [root, ...rest] = steps;
  if (typeof root !== 'string') {
    throw positioned('syntax', 'A path starts with the name of a variable.', at);
  }
  return { kind: 'path', root, steps: rest, text, at };
}
