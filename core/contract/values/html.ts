// HTML as a value: text that is written unescaped. Made by the tagged literal of core/pages/html.ts.

/** HTML that is written unescaped. */
export interface Html {
  readonly html: string;
}
