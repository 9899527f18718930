// The entries that plugins add to the console are checked when a service is composed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type ConsoleEntry,
  type ConsolePageDeclaration,
  definePlugin,
  defineScopes,
  type Plugin,
} from '../../core/index.ts';
import { CompositionError, createRegistry } from '../../core/kernel/registry.ts';
import { html } from '../../core/unstable.ts';

const test = suite('entries of the console');

const page = (
  path: string,
  more: Partial<Pick<ConsolePageDeclaration, 'area' | 'title' | 'scopes'>> = {},
): ConsolePageDeclaration => ({
  area: 'Messages',
  path,
  title: 'Notes',
  scopes: ['notes:read'],
  render: async () => ({ heading: 'Notes', body: html`` }),
  ...more,
});

const scopes = defineScopes([{ scope: 'notes:read', description: 'Read notes.' }]);
const notes = (...console: ConsoleEntry[]): Plugin => definePlugin({ id: 'notes', scopes, console });

function faultsOf(...plugins: Plugin[]): readonly string[] {
  try {
    createRegistry(plugins, []);
    return [];
  } catch (error) {
    if (error instanceof CompositionError) return error.faults;
    throw error;
  }
}

test('pages of several plugins are collected in their order', () => {
  const { consoleEntries } = createRegistry(
    [notes(page('notes'), page('notes/{noteId}')), definePlugin({ id: 'more', console: [page('more')] })],
    [],
  );
  assert.equal(
    consoleEntries.map((entry) => 'path' in entry && entry.path),
    ['notes', 'notes/{noteId}', 'more'],
  );
});

test('the content of a page is not loaded to check the page', () => {
  let loads = 0;
  const head = { area: 'Messages', path: 'notes', title: 'Notes', scopes: ['notes:read'] };
  const load = async () => {
    loads += 1;
    return { render: async () => ({ heading: 'Notes', body: html`` }) };
  };
  assert.equal(faultsOf(notes({ ...head, load })), []);
  assert.match(faultsOf(notes({ ...head, scopes: ['notes:rad'], load })).join(), 'undeclared scope notes:rad');
  assert.is(loads, 0);
});

test('two pages with the same path are refused, whatever the names of their parameters', () => {
  const otherPlugin = definePlugin({ id: 'other', console: [page('notes'), page('notes/{id}')] });
  assert.equal(faultsOf(notes(page('notes'), page('notes/{noteId}')), otherPlugin), [
    'The console page notes is declared by notes and by other.',
    'The console page notes/{} is declared by notes and by other.',
  ]);
});

test('invalid paths, unknown scopes and links to unknown pages are refused', () => {
  for (const path of ['/notes', 'notes/', '', 'Notes', '{id}', 'a/b/c/d/e', 'notes/../x'])
    assert.match(faultsOf(notes(page(path))).join(), 'has an invalid path');
  assert.match(faultsOf(notes(page('notes', { scopes: [] }))).join(), 'names no scope');
  assert.match(faultsOf(notes(page('notes', { scopes: ['x:read'] }))).join(), 'names the undeclared scope x:read');
  assert.match(faultsOf(notes(page('notes', { title: ' ' }))).join(), 'has no area or no title');
  const link: ConsoleEntry = { area: 'Content', url: '/board', title: 'Board', scopes: [] };
  assert.match(faultsOf(notes(link)).join(), 'leads to /board, which is not a public route of notes');
  assert.match(faultsOf(notes({ ...link, unless: ['notes:x'] })).join(), 'names the undeclared scope notes:x');
});

test.run();
