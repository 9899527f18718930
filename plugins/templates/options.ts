/** Options of the templates plugin. */
export interface TemplatesPluginOptions {
  /**
   * Whether a new workspace gets the seven starter templates, published: receipt, password-reset, login-code,
   * magic-link, shipping-notice, welcome, invitation. (Default: true)
   */
  readonly starters?: boolean;
}
