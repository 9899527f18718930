/** Options of the templates plugin. */
export interface TemplatesPluginOptions {
  /**
   * Whether a new workspace gets the seven starter templates, published: receipt, password-reset, login-code,
   * magic-link, shipping-notice, welcome, invitation. (Default: true)
   */
  readonly starters?: boolean;
  /**
   * The program of the threads that compile templates, for a service that is bundled: a file made of
   * `postrider/compile-worker`. (Default: the one in the package)
   */
  readonly compileWorker?: URL | string;
}
