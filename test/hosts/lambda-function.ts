// The service of the host tests as a function on the runtime client: `handler` returns a whole answer, `streaming` a
// stream. Started by lambda-runtime.test.ts.
import { lambdaHost } from '../../hosts/lambda/index.ts';
import { createHostBench } from './bench.ts';

// The runtime client sets the function's name. In a real function, SQLite in memory, which these tests use, is refused.
delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
const { service } = await createHostBench();

export const handler = lambdaHost(service, { basePath: '/messaging', settleMs: 0 });
export const streaming = lambdaHost(service, { basePath: '/messaging', settleMs: 0, streaming: true });
