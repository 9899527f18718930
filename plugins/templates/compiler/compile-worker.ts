// The program of a compile thread. Started by compile-thread.ts and never imported. It must not load the core, which
// would double the time until the first template is compiled.
import { parentPort } from 'node:worker_threads';
import { CompileMemo, compileMail } from '../language/compile.ts';
import { isMissingPackage } from '../language/optional-package.ts';
import type { CompileReply, CompileRequest } from './protocol.ts';

const reply = (message: CompileReply): void => parentPort?.postMessage(message);
const newMemo = (): CompileMemo => new CompileMemo((step) => reply({ kind: 'step', step }));

let memo = newMemo();

parentPort?.on('message', async ({ source, isNewTemplate: fresh }: CompileRequest) => {
  if (fresh) memo = newMemo();
  try {
    reply({ kind: 'compiled', result: await compileMail(source, memo) });
  } catch (error) {
    if (isMissingPackage(error)) reply({ kind: 'package_missing', name: error.package });
    else reply({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
reply({ kind: 'ready' });
