// The operations plugin.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';
import { createOperationSearch, type OperationSearch } from './search/service.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    operations: CallsOf<typeof operations>;
  }
  interface Services {
    operationSearch: OperationSearch;
  }
}

/** Finds the operations of the composed plugins by words. */
export const operationsPlugin = () =>
  definePlugin({
    id: 'operations',
    operations,
    services: { operationSearch: createOperationSearch },
  });
