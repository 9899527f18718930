// The faults of a file of contacts: of the whole file, and of one row.
import { beginning } from '../../../core/unstable.ts';

/** The longest message, in characters: messages may quote headings and cells. */
const maxMessage = 1_000;

/** The reason why a file, or the mapping of its columns, cannot be read. */
export class CsvFault extends Error {
  /** The part of the request that must be corrected. */
  readonly part: 'csv' | 'mapping';
  constructor(message: string, part: 'csv' | 'mapping', options?: ErrorOptions) {
    super(beginning(message, maxMessage), options);
    this.part = part;
  }
}

/** The reason why a row is refused. */
export class RowFault extends Error {
  /** (Default: row_invalid) */
  readonly code: string;
  constructor(message: string, code = 'row_invalid') {
    super(beginning(message, maxMessage));
    this.code = code;
  }
}
