// The statements over arrays that were built so far, by the texts of the original statements. Made by postgres-driver.ts, called by
// postgres-shared.ts; knows no SDK.
import { randomUUID } from 'node:crypto';
import { isTransientFault, type SqlConnection, type SqlStatement } from '../../core/contract/ports/storage.ts';
import { arrayOf, overArrays } from './postgres-arrays.ts';
import { binaryArrayOf } from './postgres-binary-arrays.ts';

type Work = (connection: SqlConnection) => Promise<void>;

/** A statement over arrays, with the types of the elements in the order of the parameters. */
interface ArrayForm {
  readonly sql: string;
  readonly types: readonly string[];
}

/** The statements over arrays. Each needs the types of its parameters. The server is asked for these types once for each text. */
export class ArrayForms {
  readonly #transact: (work: Work) => Promise<void>;
  /** By the text of the original statement; null if the statement cannot be written over arrays. */
  readonly #forms = new Map<string, ArrayForm | null>();
  readonly #unknown = new Set<string>();
  #learning = false;

  constructor(transact: (work: Work) => Promise<void>) {
    this.#transact = transact;
  }

  /**
   * The statement for the whole batch, whose statements all have the same text. Undefined if this text cannot be written over
   * arrays, or if the types of its parameters are not known yet.
   */
  statementFor(batch: readonly { readonly statement: SqlStatement }[]): SqlStatement | undefined {
    const [first] = batch;
    if (first?.statement.hot !== true) return undefined;
    const { sql, parameters } = first.statement;
    const form = this.#forms.get(sql);
    if (form === undefined) this.#unknown.add(sql);
    if (form === undefined || form === null) return undefined;
    const arrays = parameters.map((_, index) => {
      const values = batch.map(({ statement }) => statement.parameters[index]);
      return binaryArrayOf(values, form.types[index] ?? '') ?? arrayOf(values);
    });
    return { sql: form.sql, parameters: arrays, hot: true };
  }

  /** Asks for the missing types. Until they are known, each statement runs unchanged. */
  requestTypes(): void {
    if (this.#learning || this.#unknown.size === 0) return;
    this.#learning = true;
    const texts = [...this.#unknown];
    this.#unknown.clear();
    this.#ask(texts)
      .catch(() => undefined)
      .finally(() => {
        this.#learning = false;
      });
  }

  async #ask(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      let form: ArrayForm | undefined;
      try {
        await this.#transact(async (connection) => {
          const types = await typesOf(connection, text);
          const sql = overArrays(text, types);
          // The server may refuse the form: `default`, for example, is not an expression.
          if (sql !== undefined) await typesOf(connection, sql);
          form = sql === undefined ? undefined : { sql, types };
        });
        this.#forms.set(text, form ?? null);
      } catch (error) {
        if (isTransientFault(error)) throw error;
        this.#forms.set(text, null);
      }
    }
  }
}

/** The types of the parameters of a text, in order. @throws StorageError if the server refuses the text */
async function typesOf(connection: SqlConnection, text: string): Promise<string[]> {
  // The name is new each time, because the prepared statement stays on the connection if a later statement fails.
  const name = `postrider_types_${randomUUID().replaceAll('-', '')}`;
  const run = (sql: string) => connection.query({ sql, parameters: [] });
  await run(`prepare ${name} as ${text}`);
  const { rows } = await run(
    `select array_to_string(parameter_types, '|') as types from pg_prepared_statements where name = '${name}'`,
  );
  await run(`deallocate ${name}`);
  const types = String(rows[0]?.['types'] ?? '');
  return types === '' ? [] : types.split('|');
}
