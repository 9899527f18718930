/** MJML ships no types. These declarations cover only what compile.ts needs. */
declare module 'mjml' {
  interface MjmlOptions {
    validationLevel: 'soft';
    keepComments: boolean;
    ignoreIncludes: boolean;
    fonts: Record<string, string>;
    filePath: string;
  }

  interface MjmlError {
    line: number;
    message: string;
    tagName: string;
  }

  function mjml2html(source: string, options: MjmlOptions): Promise<{ html: string; errors: readonly MjmlError[] }>;

  export = mjml2html;
}
