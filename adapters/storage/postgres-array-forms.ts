// The statements over arrays that were made so far, by their texts. Called by postgres-shared.ts; knows no SDK.
import { randomUUID } from 'node:crypto';
import { isPassingFault, type SqlConnection, type SqlStatement } from '../../core/contract/ports/storage.ts';
import { arrayOf, overArrays } from './postgres-arrays.ts';

type Work = (connection: SqlConnection) => Promise<void>;

/** The texts over arrays. They need the types of the parameters, which the server is asked for once. */
export class ArrayForms {
  readonly #transact: (work: Work) => Promise<void>;
  /** Null if a text has no such form. */
  readonly #forms = new Map<string, string | null>();
  readonly #unknown = new Set<string>();
  #learning = false;

  constructor(transact: (work: Work) => Promise<void>) {
    this.#transact = transact;
  }

  /** The statement for the whole batch, of one text. Undefined if the text has no such form, or if it is not known yet. */
  over(batch: readonly { readonly statement: SqlStatement }[]): SqlStatement | undefined {
    const [first] = batch;
    if (first?.statement.hot !== true) return undefined;
    const { sql, parameters } = first.statement;
    const form = this.#forms.get(sql);
    if (form === undefined) this.#unknown.add(sql);
    if (form === undefined || form === null) return undefined;
    const arrays = parameters.map((_, index) => arrayOf(batch.map(({ statement }) => statement.parameters[index])));
    return { sql: form, parameters: arrays, hot: true };
  }

  /** Asks for the types that were missing. Until they are known, each statement runs as it is. */
  learn(): void {
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
      let form: string | undefined;
      try {
        await this.#transact(async (connection) => {
          form = overArrays(text, await typesOf(connection, text));
          // The server may refuse the form: `default`, for example, is not an expression.
          if (form !== undefined) await typesOf(connection, form);
        });
        this.#forms.set(text, form ?? null);
      } catch (error) {
        if (isPassingFault(error)) throw error;
        this.#forms.set(text, null);
      }
    }
  }
}

/** The types of the parameters of a text, in order. @throws StorageError if the server refuses the text */
async function typesOf(connection: SqlConnection, text: string): Promise<string[]> {
  // A new name: if this fails half-way, the name stays on the connection.
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
