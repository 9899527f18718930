// Checks that a request causes every declared error of an operation, or that the operation states why no request can cause it.
import * as assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { foreignIds } from '../../../core/contract/declaration/fixture.ts';
import { isList } from './lists.ts';
import { variationsOf } from './missing.ts';
import { withoutForeignExemptions, withUnknownIds } from './references.ts';
import { type OperationCase, type OperationCheck, send } from './request.ts';

/** The codes of the errors that other checks of this suite cause. */
async function coveredCodes(testCase: OperationCase): Promise<Set<string>> {
  const codes = new Set(isList(testCase.operation) ? ['cursor_invalid'] : []);
  const foreign = withoutForeignExemptions(foreignIds(testCase.fixture) ?? {});
  for (const { changes } of variationsOf(testCase, withUnknownIds(testCase.operation, foreign)))
    codes.add((await send(testCase, changes)).body?.error?.code);
  return codes;
}

/** If the text names a test, the test must exist and name the code. */
async function assertTestExists(code: string, text: string): Promise<void> {
  assert.match(text, /: \S/, `say why ${code} cannot be raised`);
  const [, file] = /shown in (\S+)/.exec(text) ?? [];
  if (file === undefined) return;
  const source = await readFile(resolve(file), 'utf8').catch(() => undefined);
  assert.ok(source !== undefined, `${file}, which should show ${code}, is not there`);
  assert.ok(source.includes(code), `${file} should show ${code} and does not name it`);
}

async function raisesErrors(testCase: OperationCase): Promise<void> {
  const { test, operation, kit, fixture } = testCase;
  const errorCases = fixture.errors ?? {};
  const undeclared = Object.keys(errorCases).filter((code) => !operation.errors.includes(code));
  assert.deepEqual(undeclared, [], `the fixture of ${operation.id} raises errors that it does not declare`);
  const raised = await coveredCodes(testCase);
  const uncoveredCodes = operation.errors.filter((code) => !raised.has(code) && errorCases[code] === undefined);
  assert.deepEqual(
    uncoveredCodes,
    [],
    `nothing raises these errors of ${operation.id}. Add \`errors: { code: async (kit) => changedRequest }\` to its fixture, or 'unreachable: ' and why, or 'unreachable here: shown in ' and a test that names the code.`,
  );
  for (const [code, errorCase] of Object.entries(errorCases)) {
    if (typeof errorCase === 'string') {
      await assertTestExists(code, errorCase);
      continue;
    }
    const freshService = await operation.fixture(kit);
    const freshCase = freshService.errors?.[code];
    const changes = typeof freshCase === 'function' ? await freshCase(kit) : {};
    const { status, body } = await send({ ...testCase, fixture: freshService }, changes);
    const text = `the request that should raise ${code} is answered ${status}: ${JSON.stringify(body)}`;
    assert.equal(body?.error?.code, code, text);
    assert.equal(status, test.service.core.registry.errors.get(code)?.status, text);
  }
}

/** The check of operations that declare errors. */
export const errorsCheck: OperationCheck = { name: 'raises the errors that it declares', run: raisesErrors };
