// The authored form of a template: push compares and sends it, and pull writes it. Pure; shared by the commands.
import type { z } from '../../../core/index.ts';
import type { LocaleChanges, Locales } from '../authoring/locales.ts';
import type { templateDetail } from '../schema.ts';

type Detail = z.output<typeof templateDetail>;

/** The authored fields of a template. They are the same for files and for a workspace. */
export interface AuthoredTemplate {
  readonly kind: 'email' | 'layout';
  readonly name: string;
  readonly category: Detail['category'];
  readonly mode: Detail['mode'];
  readonly subject: string;
  readonly previewText: string;
  /** Missing if the files name no theme: a push then keeps the workspace's theme. */
  readonly themeId?: string | null | undefined;
  readonly body: string;
  readonly text: string | null;
  readonly layout: string | null;
  readonly locale: string | null;
  readonly locales: Locales;
  /** Null if the contract is inferred from the placeholders. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly delivery: Detail['delivery'];
  readonly tracking: Detail['tracking'];
  readonly expiresIn: Detail['expiresIn'];
  readonly topicKey: Detail['topicKey'];
}

/** Converts a template of a workspace to its authored form. */
export const authoredOf = (detail: Detail): AuthoredTemplate => ({
  kind: detail.kind,
  name: detail.name,
  category: detail.category,
  mode: detail.mode,
  subject: detail.subject,
  previewText: detail.previewText,
  themeId: detail.themeId,
  body: detail.body,
  text: detail.text,
  layout: detail.layout,
  locale: detail.locale,
  locales: detail.locales,
  variables: detail.authoredVariables,
  delivery: detail.delivery,
  tracking: detail.tracking,
  expiresIn: detail.expiresIn,
  topicKey: detail.topicKey,
});

/** JSON whose members are sorted by name: equal values give equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

/** The names of the fields that differ. */
export function differences(before: AuthoredTemplate, after: AuthoredTemplate): (keyof AuthoredTemplate)[] {
  const names = Object.keys(after) as (keyof AuthoredTemplate)[];
  return names.filter((name) => canonical(before[name] ?? null) !== canonical(after[name] ?? null));
}

/** Returns the patch that turns one set of languages into another. Removed languages and removed fields are null. */
export function localeChanges(before: Locales, after: Locales): LocaleChanges {
  const changes: Record<string, LocaleChanges[string]> = {};
  for (const tag of Object.keys(before)) if (!Object.hasOwn(after, tag)) changes[tag] = null;
  for (const [tag, content] of Object.entries(after)) {
    const removedNames = Object.keys(before[tag] ?? {}).filter((name) => !Object.hasOwn(content, name));
    const changed = { ...content, ...Object.fromEntries(removedNames.map((name) => [name, null])) };
    if (canonical(before[tag]) !== canonical(content)) changes[tag] = changed;
  }
  return changes;
}
