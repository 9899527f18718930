// The refusal with which a client with an OAuth grant can ask its member for more scopes: an HTTP status with a challenge (MCP,
// authorization, "Scope Challenge Handling"). With a key, a missing scope stays an error of the method.
import { isPostriderError, PostriderError } from '../contract/errors/errors.ts';
import { toolChallenge } from '../pipeline/challenge.ts';
import type { Exchange } from './exchange.ts';

/** Whether a client with an OAuth grant lacks a scope. It can ask the member for the scope. */
export const isStepUp = ({ admission }: Exchange, error: unknown): error is PostriderError =>
  admission.byToken === true && isPostriderError(error, 'insufficient_scope');

/** The same refusal with the challenge. */
export function stepUp({ core }: Exchange, error: PostriderError): PostriderError {
  const { code, status, type, message, scopes = [] } = error;
  // Any one of the scopes is enough, but a client asks for every scope that the challenge names.
  const headers = toolChallenge(core, { error: 'insufficient_scope', scopes: scopes.slice(0, 1) });
  return new PostriderError({ code, status, type, description: message }, message, { headers, scopes });
}
