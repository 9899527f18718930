// References to a resource, such as a published page that uses a list. The owner of a resource declares an extension point;
// other plugins contribute sources of references to it. The owner collects the references before it deletes a resource.
import type { ReadContext } from '../context/context.ts';
import type { ExtensionPoints } from '../open.ts';

/** A thing that refers to a resource, as the error of a refused deletion shows it. */
export interface Reference {
  /** The kind of thing, such as `page`. */
  readonly kind: string;
  /** Its key, slug or id. */
  readonly name: string;
}

/** An entry of an extension point for references. */
export interface ReferenceSource {
  /** Returns at most 20 things that would fail without the resource. Called inside the transaction that deletes it. */
  referencesTo(ctx: ReadContext, id: string): Promise<readonly Reference[]>;
}

const maxReferences = 20;

/** The extension points whose entries are sources of references. */
type ReferencePoint = {
  [P in keyof ExtensionPoints]: ExtensionPoints[P] extends ReferenceSource ? P : never;
}[keyof ExtensionPoints];

/** Returns at most 20 references to the resource: `collectReferences(ctx, 'lists.references', id)`. */
export async function collectReferences(
  ctx: ReadContext,
  point: ReferencePoint,
  id: string,
): Promise<readonly Reference[]> {
  const sources: ReadonlyMap<string, ReferenceSource> = ctx.ports.contributions(point);
  const references: Reference[] = [];
  for (const source of sources.values()) {
    references.push(...(await source.referencesTo(ctx, id)));
    if (references.length >= maxReferences) break;
  }
  return references.slice(0, maxReferences);
}

/** The references as text for the error of a refused deletion: `the page spring, the page summer`. */
export const namesOf = (references: readonly Reference[]): string =>
  references.map(({ kind, name }) => `the ${kind} ${name}`).join(', ');
