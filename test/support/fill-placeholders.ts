// Fills placeholders in composed texts, as a person would who writes the missing words.

/** A copy of the value in which each placeholder is replaced by its own description as plain text. */
export const withFilledPlaceholders = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replace(/\[\u2060([^\u2060\]]*)\u2060\]/g, '$1')) as T;

interface WrittenPage {
  readonly title: string;
  readonly sections: readonly unknown[];
}

interface PagesProgram {
  readonly pages: {
    read(input: { idOrSlug: string; sections: 'full' }): Promise<WrittenPage>;
    update(input: { idOrSlug: string; title: string; sections: never }): Promise<unknown>;
  };
}

/** Writes the missing words of a built page. */
export async function writePage({ pages }: PagesProgram, idOrSlug: string): Promise<void> {
  const { title, sections } = withFilledPlaceholders(await pages.read({ idOrSlug, sections: 'full' }));
  await pages.update({ idOrSlug, title, sections: sections as never });
}

interface TemplatesProgram {
  readonly templates: {
    read(input: { key: string }): Promise<{ subject: string; body: string; text: string | null }>;
    update(input: { key: string; subject: string; body: string; text: string | null }): Promise<unknown>;
  };
}

/** Writes the missing words of a composed mail. */
export async function writeMail({ templates }: TemplatesProgram, key: string): Promise<void> {
  const { subject, body, text } = withFilledPlaceholders(await templates.read({ key }));
  await templates.update({ key, subject, body, text });
}

interface BlogProgram {
  readonly blog: {
    read(input: { idOrSlug: string }): Promise<{ title: string; excerpt: string | null; body: string }>;
    update(input: { idOrSlug: string; title: string; excerpt: string | null; body: string }): Promise<unknown>;
  };
}

/** Writes the missing words of a composed post. */
export async function writePost({ blog }: BlogProgram, idOrSlug: string): Promise<void> {
  const { title, excerpt, body } = withFilledPlaceholders(await blog.read({ idOrSlug }));
  await blog.update({ idOrSlug, title, excerpt, body });
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
};

/** The names of the fields in which a page of the console asks for missing words. */
export const missingTexts = (page: string): string[] =>
  [...page.matchAll(/<textarea name="([^"]+:\[[^"]*\])"/g)].map(([, name = '']) =>
    name.replace(/&(?:amp|quot|lt|gt|#39);/g, (entity) => entities[entity] ?? entity),
  );
