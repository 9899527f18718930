// Conditions that stores and filters combine from parts. They are never null: a comparison with a missing value is false. Used
// instead of raw SQL by plugins that build statements of a varying shape.
import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';

export type Condition = Expression<SqlBool>;

export const always: Condition = sql<SqlBool>`(1 = 1)`;
export const never: Condition = sql<SqlBool>`(1 = 0)`;

/** The condition, and false where it is null. */
export const falseIfNull = (condition: Condition): Condition => sql<SqlBool>`coalesce(${condition}, false)`;
/** The opposite of a condition that is never null. */
export const negated = (condition: Condition): Condition => sql<SqlBool>`(not ${condition})`;

function joinConditions(conditions: readonly Condition[], operator: 'and' | 'or', whenEmpty: Condition): Condition {
  const [first] = conditions;
  if (first === undefined || conditions.length === 1) return first ?? whenEmpty;
  // Halves instead of a chain: databases limit how deep the parentheses of a condition are.
  const middle = Math.ceil(conditions.length / 2);
  const halves = [conditions.slice(0, middle), conditions.slice(middle)].map((half) =>
    joinConditions(half, operator, whenEmpty),
  );
  return sql<SqlBool>`(${sql.join(halves, sql.raw(` ${operator} `))})`;
}

/** Whether all conditions are true. True without conditions. */
export const allOf = (conditions: readonly Condition[]): Condition => joinConditions(conditions, 'and', always);
/** Whether one of the conditions is true. False without conditions. */
export const anyOf = (conditions: readonly Condition[]): Condition => joinConditions(conditions, 'or', never);

/** The column `table.column`, by the alias of its table. */
export const reference = <T>(name: string): RawBuilder<T> => sql`${sql.ref(name)}`;

export const isNull = (expression: Expression<unknown>): Condition => sql<SqlBool>`(${expression} is null)`;

type AnyQuery = SelectQueryBuilder<never, never, unknown>;

/** Whether the query has a row. */
export const hasRow = (query: Pick<AnyQuery, 'toOperationNode' | 'expressionType'>): Condition =>
  expressionBuilder<Record<string, never>, never>().exists(query as Expression<unknown>);

/** Whether the query has at least so many rows. Its only column must be `rowCount`. */
export const hasRows = (query: Pick<AnyQuery, 'toOperationNode' | 'expressionType'>, minRows: number): Condition =>
  sql<SqlBool>`(${query as Expression<unknown>} >= ${minRows})`;

/** The column of a query that only checks whether rows exist. */
export const oneRow = sql<number>`1`.as('found');
