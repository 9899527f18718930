// An index into a changed copy of a text, such as its lower-case form, must not be used on another text.
import { suite } from 'uvu';
import { changedCopyFaults } from './changed-copies.ts';
import { assertFaultsAt, assertNoFaults, readSources } from './sources.ts';

const test = suite('changed copies');

const faultsIn = (...lines: string[]) => changedCopyFaults({ path: 'core/a.ts', source: `${lines.join('\n')}\n` });

test('no file of the project cuts a text at an index into a changed copy', () => {
  assertNoFaults(readSources().flatMap(changedCopyFaults));
});

test('an index into a changed copy is detected, however it is passed on', () => {
  const fault = (...lines: string[]) => assertFaultsAt(faultsIn(...lines), [`core/a.ts:${lines.length}`]);
  fault("const end = html.toLowerCase().lastIndexOf('</body>');", 'html.slice(0, end);');
  fault("html.slice(html.toLowerCase().indexOf('<p>'));");
  fault('html.substring(0, html.toUpperCase().search(/<P>/) + 3);');
  fault('const lower = html.toLowerCase();', "const at = lower.indexOf('x');", 'html.slice(at < 0 ? 0 : at + 1);');
  fault("const plain = text.normalize('NFD').trim();", "const at = plain.indexOf('x');", 'text.charAt(at);');
  fault('const found = /x/.exec(name.toLocaleLowerCase());', 'name.slice(found.index);');
  fault('const found = name.toLowerCase().match(/x/);', 'name.slice(0, Math.max(0, found.index));');
  fault('const key = name.toLowerCase();', 'line.slice(key.length + 2);');
  fault('const key = name.toLowerCase();', 'const at = key.length;', 'const then = at + 1;', 'line.slice(then);');
});

test('a changed copy may itself be searched, compared and cut', () => {
  assertNoFaults(
    faultsIn(
      'const lower = html.toLowerCase();',
      "const at = lower.indexOf('x');",
      'lower.slice(at);',
      "if (html.toLowerCase().indexOf('y') < 0) stop();",
      "html.slice(html.indexOf('z'));",
      'const names = list.map((name) => name.toLowerCase());',
      "list.at(names.indexOf('a'));",
    ),
  );
});

test.run();
