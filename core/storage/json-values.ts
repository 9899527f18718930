// Expressions over the values in a JSON column, with one meaning on every database: no type is converted, texts are compared by
// their code points, and numbers as JavaScript compares them. Called by statements that look for rows by their JSON values.
import { type Expression, type ExpressionBuilder, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SqlDialect } from '../contract/ports/storage.ts';

/** A raw SQL expression. (Default: a condition) */
export type Raw<T = SqlBool> = RawBuilder<T>;

/** A comparison of two values. */
export type JsonOperator = '=' | '<' | '<=' | '>' | '>=';

/** One step to a value: the name of a member of an object, or the index of an element of a list. */
export type JsonLocation = string | number;

/** A value in JSON. Its expressions may be null if there is no value. */
export interface JsonValue {
  readonly isText: Raw;
  readonly isNumber: Raw;
  readonly isList: Raw;
  /** Whether the location exists, with any value: true or false, never null. */
  readonly isPresent: Raw;
  /** Whether the value is this boolean. */
  is(value: boolean): Raw;
  /** Whether there is a value other than null. */
  readonly isNotNull: Raw;
  /** The text; use it only where `isText` is true. */
  readonly text: Raw<string>;
  /** The number; null for other types. */
  readonly number: Raw<number>;
}

/** The JSON functions of a database. `column` is an expression for a JSON column. */
export interface JsonFunctions {
  at(column: Raw<unknown>, ...steps: readonly JsonLocation[]): JsonValue;
  /** Whether an element of the list at this location fulfils the condition. False if there is no list. */
  some(
    column: Raw<unknown>,
    steps: readonly JsonLocation[],
    condition: (element: JsonValue, at: (...steps: readonly JsonLocation[]) => JsonValue) => Expression<SqlBool>,
  ): Expression<SqlBool>;
  compareText(text: Raw<string>, operator: JsonOperator, other: string): Raw;
  compareNumber(number: Raw<number>, operator: JsonOperator, other: number): Raw;
  /** Whether the text is one of the others. `others` must not be empty. */
  isTextAmong(text: Raw<string>, others: readonly string[]): Raw;
  /** Whether the number is one of the others. `others` must not be empty. */
  isNumberAmong(number: Raw<number>, others: readonly number[]): Raw;
  contains(text: Raw<string>, part: string): Raw;
  startsWith(text: Raw<string>, part: string): Raw;
  /** The text of a column that is not JSON, for comparisons of texts. */
  column(column: Raw<unknown>): Raw<string>;
}

const operators: Readonly<Record<JsonOperator, Raw<unknown>>> = {
  '=': sql.raw('='),
  '<': sql.raw('<'),
  '<=': sql.raw('<='),
  '>': sql.raw('>'),
  '>=': sql.raw('>='),
};

/** A path as SQLite and MySQL read it. */
const pathOf = (steps: readonly JsonLocation[]): string =>
  steps.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`),
    '$',
  );

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The elements of a list, as a source of rows. */
const elements = 'list_elements';
const elementValue = sql.ref<unknown>(`${elements}.value`);

function someElement(source: Raw<unknown>, condition: Expression<SqlBool>): Expression<SqlBool> {
  const row: ExpressionBuilder<Tables, string> = expressionBuilder<Tables, string>();
  const rows = row.selectFrom(source.as<string>(elements)).select(sql`1`.as('found'));
  return row.exists(rows.where(condition));
}

function sqliteValue(type: Raw<unknown>, value: Raw<unknown>): JsonValue {
  return {
    isText: sql`(${type} = 'text')`,
    isNumber: sql`(${type} in ('integer', 'real'))`,
    isList: sql`(${type} = 'array')`,
    isPresent: sql`(${type} is not null)`,
    is: (flag) => sql`(${type} = ${flag ? 'true' : 'false'})`,
    isNotNull: sql`(${type} <> 'null')`,
    text: value as Raw<string>,
    // As JavaScript reads it: SQLite would compare an integer beyond 2^53 with all its digits.
    number: sql`case when ${type} in ('integer', 'real') then cast(${value} as real) end`,
  };
}

const sqlite: JsonFunctions = {
  at(column, ...steps) {
    const path = pathOf(steps);
    return sqliteValue(sql`json_type(${column}, ${path})`, sql`json_extract(${column}, ${path})`);
  },
  some(column, steps, condition) {
    const element = sqliteValue(sql.ref(`${elements}.type`), elementValue);
    return someElement(
      sql`json_each(${column}, ${pathOf(steps)})`,
      condition(element, (...inner) => sqlite.at(elementValue, ...inner)),
    );
  },
  compareText: (text, operator, other) => sql`(${text} ${operators[operator]} ${other})`,
  compareNumber: (number, operator, other) => sql`(${number} ${operators[operator]} ${other})`,
  isTextAmong: (text, others) => sql`(${text} in (${sql.join(others)}))`,
  isNumberAmong: (number, others) => sql`(${number} in (${sql.join(others)}))`,
  contains: (text, part) => sql`(instr(${text}, ${part}) > 0)`,
  startsWith: (text, part) => sql`(substr(${text}, 1, length(${part})) = ${part})`,
  column: (column) => column as Raw<string>,
};

function postgresValue(value: Raw<unknown>): JsonValue {
  const type = sql`jsonb_typeof(${value})`;
  return {
    isText: sql`(${type} = 'string')`,
    isNumber: sql`(${type} = 'number')`,
    isList: sql`(${type} = 'array')`,
    isPresent: sql`(${value} is not null)`,
    is: (flag) => sql`(${value} = ${flag ? 'true' : 'false'}::jsonb)`,
    isNotNull: sql`(${type} <> 'null')`,
    text: sql`(${value} #>> '{}')`,
    // Only a CASE prevents the conversion of values of other types.
    number: sql`case when ${type} = 'number' then (${value} #>> '{}')::numeric end`,
  };
}

/** The value at this location. */
const postgresAt = (json: Raw<unknown>, steps: readonly JsonLocation[]): Raw<unknown> =>
  steps.reduce(
    (value, step) =>
      typeof step === 'number' ? sql`(${value} -> ${step}::integer)` : sql`(${value} -> ${step}::text)`,
    json,
  );

const postgres: JsonFunctions = {
  at: (column, ...steps) => postgresValue(postgresAt(sql`${column}::jsonb`, steps)),
  some(column, steps, condition) {
    const list = postgresAt(sql`${column}::jsonb`, steps);
    return someElement(
      sql`jsonb_array_elements(case when jsonb_typeof(${list}) = 'array' then ${list} else '[]'::jsonb end)`,
      condition(postgresValue(elementValue), (...inner) => postgresValue(postgresAt(elementValue, inner))),
    );
  },
  compareText: (text, operator, other) => sql`(${text} collate "C" ${operators[operator]} ${other}::text)`,
  compareNumber: (number, operator, other) => sql`(${number} ${operators[operator]} ${String(other)}::numeric)`,
  isTextAmong: (text, others) =>
    sql`(${text} collate "C" in (${sql.join(others.map((other) => sql`${other}::text`))}))`,
  isNumberAmong: (number, others) =>
    sql`(${number} in (${sql.join(others.map((other) => sql`${String(other)}::numeric`))}))`,
  contains: (text, part) => sql`(strpos(${text} collate "C", ${part}::text) > 0)`,
  startsWith: (text, part) => sql`starts_with(${text} collate "C", ${part}::text)`,
  column: (column) => column as Raw<string>,
};

function mysqlValue(json: Raw<unknown>): JsonValue {
  const type = sql`json_type(${json})`;
  const isNumber = sql<SqlBool>`(${type} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'))`;
  return {
    isText: sql`(${type} = 'STRING')`,
    isNumber,
    isList: sql`(${type} = 'ARRAY')`,
    isPresent: sql`(${type} is not null)`,
    is: (flag) => sql`(${type} = 'BOOLEAN' and json_unquote(${json}) = ${flag ? 'true' : 'false'})`,
    isNotNull: sql`(${type} <> 'NULL')`,
    // As bytes: collations ignore case or trailing spaces.
    text: sql`cast(json_unquote(${json}) as binary)`,
    number: sql`case when ${isNumber} then cast(json_unquote(${json}) as double) end`,
  };
}

const bytes = (text: string): Raw<unknown> => sql`cast(${text} as binary)`;

const mysql: JsonFunctions = {
  at: (column, ...steps) => mysqlValue(sql`json_extract(${column}, ${pathOf(steps)})`),
  some(column, steps, condition) {
    const list = sql`json_extract(${column}, ${pathOf(steps)})`;
    return someElement(
      sql`json_table(case when json_type(${list}) = 'ARRAY' then ${list} else '[]' end, '$[*]' columns (value json path '$'))`,
      condition(mysqlValue(elementValue), (...inner) => mysql.at(elementValue, ...inner)),
    );
  },
  compareText: (text, operator, other) => sql`(${text} ${operators[operator]} ${bytes(other)})`,
  compareNumber: (number, operator, other) => sql`(${number} ${operators[operator]} cast(${String(other)} as double))`,
  isTextAmong: (text, others) => sql`(${text} in (${sql.join(others.map(bytes))}))`,
  isNumberAmong: (number, others) =>
    sql`(${number} in (${sql.join(others.map((other) => sql`cast(${String(other)} as double)`))}))`,
  contains: (text, part) => sql`(locate(${bytes(part)}, ${text}) > 0)`,
  startsWith: (text, part) => sql`(left(${text}, ${Buffer.byteLength(part)}) = ${bytes(part)})`,
  column: (column) => sql`cast(${column} as binary)`,
};

const functions: Readonly<Record<SqlDialect, JsonFunctions>> = { sqlite, postgres, mysql };

/** The JSON functions of a database. */
export const jsonFunctionsOf = (dialect: SqlDialect): JsonFunctions => functions[dialect];
