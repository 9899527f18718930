// What names a resource, such as a published page that names a list: entries of the extension points that the owners of
// resources declare. The owner asks before it deletes one.
import type { ReadContext } from './context.ts';
import type { ExtensionPoints } from './open.ts';

/** Something that names a resource, as the error of a refused deletion shows it. */
export interface Reference {
  /** Such as `page`. */
  readonly kind: string;
  /** Its key, slug or id. */
  readonly name: string;
}

/** An entry of an extension point for references. */
export interface ReferenceSource {
  /** What would fail without the resource, at most 20. Called inside the transaction that deletes it. */
  referencesTo(ctx: ReadContext, id: string): Promise<readonly Reference[]>;
}

const maxReferences = 20;

/** The extension points whose entries are sources of references. */
type ReferencePoint = {
  [P in keyof ExtensionPoints]: ExtensionPoints[P] extends ReferenceSource ? P : never;
}[keyof ExtensionPoints];

/** What names the resource, at most 20: `collectReferences(ctx, 'lists.references', id)`. */
export async function collectReferences(
  ctx: ReadContext,
  point: ReferencePoint,
  id: string,
): Promise<readonly Reference[]> {
  const sources: ReadonlyMap<string, ReferenceSource> = ctx.ports.contributions(point);
  const found: Reference[] = [];
  for (const source of sources.values()) {
    found.push(...(await source.referencesTo(ctx, id)));
    if (found.length >= maxReferences) break;
  }
  return found.slice(0, maxReferences);
}

/** How the error of a refused deletion names them: `the page spring, the page summer`. */
export const namesOf = (references: readonly Reference[]): string =>
  references.map(({ kind, name }) => `the ${kind} ${name}`).join(', ');
