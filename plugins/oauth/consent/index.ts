// The parts of the member pages that the plugin uses.
export { createConsentPage } from './consent-page.ts';
