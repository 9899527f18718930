// The options of the templates plugin.
import type { StarterLanguages } from './starters/languages.ts';

/** Options of the templates plugin. */
export interface TemplatesPluginOptions {
  /**
   * Whether a new workspace gets the seven starter templates, published: receipt, password-reset, login-code,
   * magic-link, shipping-notice, welcome, invitation; and in which languages. (Default: true, in English)
   */
  readonly starters?: boolean | StarterLanguages;
  /**
   * The program of the threads that compile templates, for a bundled service: a file built from
   * `postrider/compile-worker`. (Default: the program in the package)
   */
  readonly compileWorker?: URL | string;
}
