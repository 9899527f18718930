// The search over all operations, as a service. Loads the search library at the first search.
import type { CataloguedOperation, ServiceContext } from '../../../core/index.ts';

/** `ctx.services.operationSearch`. */
export interface OperationSearch {
  /** The operations that match the words, the best first, including operations that the caller may not call. */
  find(query: string): Promise<readonly CataloguedOperation[]>;
}

/** Makes the search; its index is made once. */
export function createOperationSearch({ ports }: ServiceContext): OperationSearch {
  let search: Promise<(query: string) => readonly CataloguedOperation[]> | undefined;
  return {
    async find(query) {
      search ??= import('./operation-finder.ts').then(({ createOperationFinder: indexOf }) =>
        indexOf(ports.operations.list()),
      );
      return (await search)(query);
    },
  };
}
