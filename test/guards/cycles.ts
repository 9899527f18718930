// Finds import cycles. Called by the guard of cycles, and by the guard of layers to find the files that a file loads.
// Type-only imports do not exist at run time, so they are never part of a cycle.
import { importsOf, resolveImport, type SelfNames } from './imports.ts';
import type { Fault, SourceText } from './sources.ts';

/** File → our files that it imports as values, statically or dynamically, in source order. */
export function importGraph(files: readonly SourceText[], selfNames: SelfNames): Map<string, string[]> {
  const knownPaths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map((file) => {
      const targets = importsOf(file)
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ specifier }) => resolveImport(file.path, specifier, selfNames))
        .flatMap((target) => (target.kind === 'ours' && knownPaths.has(target.path) ? [target.path] : []));
      return [file.path, targets];
    }),
  );
}

/** One fault for each import that closes a cycle, with the whole cycle. */
export function cycleFaults(files: readonly SourceText[], selfNames: SelfNames): Fault[] {
  const graph = importGraph(files, selfNames);
  const faults: Fault[] = [];
  const finishedPaths = new Set<string>();
  const trail: string[] = [];
  const walk = (path: string) => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const cyclePath = [...trail.slice(start), path].join(' → ');
      faults.push({ path, rule: `Files must not import each other in a circle: ${cyclePath}.` });
    }
    if (start >= 0 || finishedPaths.has(path)) return;
    trail.push(path);
    for (const target of graph.get(path) ?? []) walk(target);
    trail.pop();
    finishedPaths.add(path);
  };
  for (const path of graph.keys()) walk(path);
  return faults;
}
