// Checks that every declared error of an operation is raised, or that the operation states why no request can raise it.
import * as assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { foreignIds } from '../../../core/contract/fixture.ts';
import { isList } from './lists.ts';
import { variationsOf } from './missing.ts';
import { nobodys, withoutExcuses } from './references.ts';
import { type Case, type Check, send } from './request.ts';

/** The codes that other checks of this suite raise. */
async function raisedAnyway(one: Case): Promise<Set<string>> {
  const codes = new Set(isList(one.operation) ? ['cursor_invalid'] : []);
  const foreign = withoutExcuses(foreignIds(one.fixture) ?? {});
  for (const { changes } of variationsOf(one, nobodys(one.operation, foreign)))
    codes.add((await send(one, changes)).body?.error?.code);
  return codes;
}

/** If the text names a test, the test must exist and name the code. */
async function assertShown(code: string, text: string): Promise<void> {
  assert.match(text, /: \S/, `say why ${code} cannot be raised`);
  const [, file] = /shown in (\S+)/.exec(text) ?? [];
  if (file === undefined) return;
  const source = await readFile(resolve(file), 'utf8').catch(() => undefined);
  assert.ok(source !== undefined, `${file}, which should show ${code}, is not there`);
  assert.ok(source.includes(code), `${file} should show ${code} and does not name it`);
}

async function raisesErrors(one: Case): Promise<void> {
  const { test, operation, kit, fixture } = one;
  const given = fixture.errors ?? {};
  const undeclared = Object.keys(given).filter((code) => !operation.errors.includes(code));
  assert.deepEqual(undeclared, [], `the fixture of ${operation.id} raises errors that it does not declare`);
  const raised = await raisedAnyway(one);
  const open = operation.errors.filter((code) => !raised.has(code) && given[code] === undefined);
  assert.deepEqual(
    open,
    [],
    `nothing raises these errors of ${operation.id}. Add \`errors: { code: async (kit) => changedRequest }\` to its fixture, or 'unreachable: ' and why, or 'unreachable here: shown in ' and a test that names the code.`,
  );
  for (const [code, provocation] of Object.entries(given)) {
    if (typeof provocation === 'string') {
      await assertShown(code, provocation);
      continue;
    }
    const fresh = await operation.fixture(kit);
    const provoke = fresh.errors?.[code];
    const changes = typeof provoke === 'function' ? await provoke(kit) : {};
    const { status, body } = await send({ ...one, fixture: fresh }, changes);
    const text = `the request that should raise ${code} is answered ${status}: ${JSON.stringify(body)}`;
    assert.equal(body?.error?.code, code, text);
    assert.equal(status, test.service.core.registry.errors.get(code)?.status, text);
  }
}

/** The check of operations that declare errors. */
export const errorsCheck: Check = { name: 'raises the errors that it declares', run: raisesErrors };
