// Scenarios of the protocol's conformance suite that the endpoint does not pass, each with its reason. mcp-conformance.test.ts fails if
// one of them passes or if another scenario fails. docs/mcp.md has the same table.

const bytes = 'these scenarios call tools that exist only in the suite';
const noRequests = 'the endpoint sends its client no requests: no sampling, no elicitation, no roots';
const stateless = 'the endpoint keeps no state between requests, so it cannot notify clients of changes';
const plainJson = 'an answer is one JSON document, not a stream: nothing is sent before the answer';
const plainPrompts = 'a prompt is the text that a user would write; data that it refers to are resources';

/** Maps each failing scenario to the reason. */
export const exceptions: Readonly<Record<string, string>> = {
  'tools-call-image': bytes,
  'tools-call-audio': bytes,
  'tools-call-embedded-resource': bytes,
  'tools-call-mixed-content': bytes,
  'resources-read-binary': bytes,
  'tools-call-with-logging': plainJson,
  'tools-call-with-progress': plainJson,
  'tools-call-sampling': noRequests,
  'tools-call-elicitation': noRequests,
  'elicitation-sep1034-defaults': noRequests,
  'elicitation-sep1330-enums': noRequests,
  'input-required-result-basic-elicitation': noRequests,
  'input-required-result-basic-sampling': noRequests,
  'input-required-result-basic-list-roots': noRequests,
  'input-required-result-request-state': noRequests,
  'input-required-result-multiple-input-requests': noRequests,
  'input-required-result-multi-round': noRequests,
  'input-required-result-non-tool-request': noRequests,
  'input-required-result-result-type': noRequests,
  'input-required-result-tampered-state': noRequests,
  'input-required-result-capability-check': noRequests,
  'server-stateless': `4 of its 25 checks need a tool that sends its client requests or log messages: ${noRequests}`,
  'resources-subscribe': stateless,
  'resources-unsubscribe': stateless,
  'prompts-get-embedded-resource': plainPrompts,
  'prompts-get-with-image': plainPrompts,
  'http-custom-header-server-validation': 'no tool requires its arguments to be repeated in headers (x-mcp-header)',
};

/** Scenarios that check nothing if a server responds with JSON, and that report this. */
export const scenariosWithoutChecks: readonly string[] = ['server-sse-polling'];
