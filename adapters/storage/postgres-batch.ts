// Merges independent writes into one statement: all but one become data-modifying WITH queries.
// https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-MODIFYING
// Called by the Postgres connection's batch(). Pure except for its cache of texts.
import type { SqlResult, SqlStatement } from '../../core/contract/ports/storage.ts';

/** The protocol counts parameters in 16 bits. */
const maxParameters = 60_000;
const maxWrites = 50;
/** Beyond this many different merges, no further merge is cached or prepared, because a server keeps every prepared statement. */
const maxCachedMerges = 500;

const writePattern = /^\s*(?:insert|update|delete)\b/i;
/** Texts that cannot be nested, or that the renumbering below would misread. */
const unmergeable = /\breturning\b|\$\$|\$[a-z_]|--|\/\*|\be'|;/i;
const plainInsert = /^\s*insert\s+into\s+\S+\s*\([^()]*\)\s*values\b(?!.*\bon\s+conflict\b)/is;
/** An upsert. The target of a partial index names its predicate: `on conflict (key) where key is not null do update`. */
const upsert =
  /^\s*insert\s+into\s+(\S+)\s*\(([^()]*)\)\s*values\s*\(([^()]*)\)\s*on\s+conflict\s*\(([^()]*)\)\s*(?:where\b.*?)?\bdo\s+update\b/is;
const anyUpsert = /^\s*insert\s+into\s+([^\s(]+).*\bon\s+conflict\b.*\bdo\s+update\b/is;
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/** The properties of one text. */
interface Write {
  readonly mergeable: boolean;
  /** The number of rows that it changes unless it fails, if it is a plain INSERT. */
  readonly rows: number | undefined;
  /** The row of an upsert. */
  readonly target: UpsertRow | undefined;
}

/**
 * The row that an upsert inserts or updates: its table, and the indexes of the parameters that are its key. The key is undefined if
 * the text does not show it.
 */
interface UpsertRow {
  readonly table: string;
  readonly key: readonly number[] | undefined;
}

/** The rows that the upserts of one statement change. */
class ChangedRows {
  readonly #rows = new Map<string, Set<string | undefined>>();

  clear(): void {
    this.#rows.clear();
  }

  add({ table, key }: UpsertRow, statement: SqlStatement): void {
    const rows = this.#rows.get(table) ?? new Set();
    this.#rows.set(table, rows.add(rowOf(key, statement)));
  }

  /** Whether the statement may change one of these rows again. */
  mayHave({ table, key }: UpsertRow, statement: SqlStatement): boolean {
    const rows = this.#rows.get(table);
    if (rows === undefined) return false;
    const row = rowOf(key, statement);
    return row === undefined || rows.has(undefined) || rows.has(row);
  }
}

/** One statement in place of several, and a function that reads from its result how many rows each of them changed. */
interface MergedStatement {
  readonly sql: string;
  /** The same statement if the counts are not needed: the server then describes and sends no result. */
  readonly uncounted: string;
  counts(result: SqlResult): number[];
}

/** A node of the cache of merges, which is a tree. The path to a node is the list of the statements' texts. */
interface MergeNode {
  merge?: MergedStatement;
  readonly next: Map<string, MergeNode>;
}

const writes = new Map<string, Write>();
const root: MergeNode = { next: new Map() };
let cachedCount = 0;

/**
 * Groups statements that can be merged, in order. Each group is sent as one statement. Two upserts of one row cannot be merged,
 * because a PostgreSQL statement cannot change a row twice.
 */
export function groupWrites(statements: readonly SqlStatement[]): SqlStatement[][] {
  const groups: SqlStatement[][] = [];
  let openGroup: SqlStatement[] | undefined;
  let parameters = 0;
  const changedRows = new ChangedRows();
  for (const statement of statements) {
    const { mergeable, target } = writeOf(statement.sql);
    const isIndependent = target === undefined || !changedRows.mayHave(target, statement);
    parameters += statement.parameters.length;
    if (
      mergeable &&
      isIndependent &&
      openGroup !== undefined &&
      openGroup.length < maxWrites &&
      parameters <= maxParameters
    ) {
      openGroup.push(statement);
      if (target !== undefined) changedRows.add(target, statement);
      continue;
    }
    const group = [statement];
    changedRows.clear();
    if (target !== undefined) changedRows.add(target, statement);
    groups.push(group);
    openGroup = mergeable ? group : undefined;
    parameters = statement.parameters.length;
  }
  return groups;
}

/**
 * One statement that runs a group of at least two, and a function that reads from its result how many rows each statement
 * changed. If `counted` is false, the counts are not requested.
 */
export function mergeWrites(
  group: readonly SqlStatement[],
  counted = true,
): {
  statement: SqlStatement;
  counts(result: SqlResult): number[];
} {
  const existing = find(group) ?? cacheMerge(group);
  const { sql, uncounted, counts } = existing ?? merge(group);
  const parameters = group.flatMap((statement) => statement.parameters);
  const isPrepared = existing !== undefined && group.every((statement) => statement.hot === true);
  return { statement: { sql: counted ? sql : uncounted, parameters, hot: isPrepared }, counts };
}

function writeOf(sql: string): Write {
  const cached = writes.get(sql);
  if (cached !== undefined) return cached;
  if (writes.size >= maxCachedMerges) writes.clear();
  // Syntax characters inside quotes are text.
  const withoutLiterals = sql.replace(quoted, (text) => (text.startsWith("'") ? "''" : '"q"'));
  const mergeable = writePattern.test(withoutLiterals) && !unmergeable.test(withoutLiterals);
  const answer = {
    mergeable,
    rows: plainInsert.test(withoutLiterals) ? countTuples(withoutLiterals) : undefined,
    target: targetOf(sql),
  };
  writes.set(sql, answer);
  return answer;
}

const rowOf = (key: UpsertRow['key'], { parameters }: SqlStatement): string | undefined =>
  key === undefined ? undefined : JSON.stringify(key.map((index) => String(parameters[index])));

const splitList = (names: string): string[] => names.split(',').map((name) => name.trim());

function targetOf(sql: string): UpsertRow | undefined {
  const [, table = '', columns = '', values = '', conflict = ''] = upsert.exec(sql) ?? [];
  if (table === '') {
    const [, upserted] = anyUpsert.exec(sql) ?? [];
    return upserted === undefined ? undefined : { table: upserted, key: undefined };
  }
  const [columnNames, columnValues] = [splitList(columns), splitList(values)];
  const key = splitList(conflict).map(
    (name) => Number(/^\$(\d+)$/.exec(columnValues[columnNames.indexOf(name)] ?? '')?.[1]) - 1,
  );
  return { table, key: key.some(Number.isNaN) ? undefined : key };
}

/** The outermost parentheses after VALUES. */
function countTuples(bare: string): number {
  let depth = 0;
  let tuples = 0;
  for (const character of bare.slice(bare.search(/\bvalues\b/i))) {
    if (character === '(') {
      depth += 1;
      if (depth === 1) tuples += 1;
    } else if (character === ')') depth -= 1;
  }
  return tuples;
}

function find(group: readonly SqlStatement[]): MergedStatement | undefined {
  let node: MergeNode | undefined = root;
  for (const { sql } of group) node = node?.next.get(sql);
  return node?.merge;
}

function cacheMerge(group: readonly SqlStatement[]): MergedStatement | undefined {
  if (cachedCount >= maxCachedMerges) return undefined;
  cachedCount += 1;
  let node = root;
  for (const { sql } of group) {
    const following = node.next.get(sql) ?? { next: new Map() };
    node.next.set(sql, following);
    node = following;
  }
  node.merge = merge(group);
  return node.merge;
}

function merge(group: readonly SqlStatement[]): MergedStatement {
  const rows = group.map(({ sql }) => writeOf(sql).rows);
  const uncertain = rows.flatMap((count, index) => (count === undefined ? [index] : []));
  const texts = renumber(group);
  const otherWrites = (last: number): string =>
    texts.flatMap((text, index) => (index === last ? [] : [`b${index} as (${text})`])).join(', ');

  // Postgres itself counts only the main statement, so the main statement is the one whose number of changes is not known
  // beforehand.
  const mainIndex = uncertain[0] ?? group.length - 1;
  const uncounted = `with ${otherWrites(mainIndex)} ${texts[mainIndex]}`;
  if (uncertain.length < 2) {
    return {
      sql: uncounted,
      uncounted,
      counts: ({ changes }) => rows.map((count) => count ?? changes),
    };
  }
  const parts = texts.map((text, index) => `b${index} as (${text}${rows[index] === undefined ? ' returning 1' : ''})`);
  const counts = uncertain.map((index) => `(select count(*) from b${index})::int as c${index}`);
  return {
    sql: `with ${parts.join(', ')} select ${counts.join(', ')}`,
    uncounted,
    counts: (result) => rows.map((count, index) => count ?? Number(result.rows[0]?.[`c${index}`])),
  };
}

/** The texts with their parameters renumbered consecutively. */
function renumber(group: readonly SqlStatement[]): string[] {
  let offset = 0;
  return group.map(({ sql, parameters }) => {
    const text = sql.replace(token, (whole, digits?: string) =>
      digits === undefined ? whole : `$${Number(digits) + offset}`,
    );
    offset += parameters.length;
    return text;
  });
}
