// Refuses invalid declarations about responses: representations, second success, conditions. Called by registry.ts.
import type { Operation } from '../contract/declaration/operation.ts';
import { jsonType } from '../contract/declaration/representation.ts';

const typePattern = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,80}$/;
const bodyTypePattern = /^application\/[a-z0-9.-]+\+json$/;

function checkRepresentations(operation: Operation, label: string, faults: string[]): void {
  const { representations, representationArgument: argument, input } = operation;
  for (const type of representations.keys()) {
    if (!typePattern.test(type))
      faults.push(`${label} has the representation ${type}: give a media type in lower case without parameters.`);
    if (type === jsonType)
      faults.push(`${label} has a representation ${jsonType}: every operation responds in JSON anyway.`);
  }
  if (representations.size > 0 && operation.secretOutput)
    faults.push(`${label} has representations and a secret response: bytes are not sealed.`);
  if (representations.size > 0 && operation.secondSuccess !== undefined)
    faults.push(`${label} has representations and a second success: leave one of them out.`);
  const fields = { ...input.query?.shape, ...input.body?.shape };
  if (argument === undefined) {
    if (representations.size > 0 && 'format' in fields)
      faults.push(`${label} has representations and a field format: name it in representationArgument.`);
    return;
  }
  if (!(argument.name in fields))
    faults.push(`${label} selects its representation by ${argument.name}, which is not one of its fields.`);
  for (const [value, type] of Object.entries(argument.types))
    if (!representations.has(type))
      faults.push(`${label} maps ${argument.name} ${value} to ${type}, which is not one of its representations.`);
}

/** Adds a sentence for every fault. */
export function checkResponses(operation: Operation, label: string, faults: string[]): void {
  const { status, secondSuccess, idempotency, method, ifMatch, input, accepts, contentKind, leash } = operation;
  checkRepresentations(operation, label, faults);
  if (secondSuccess !== undefined) {
    const second = secondSuccess.status;
    if (second === status || !(second >= 200 && second <= 299))
      faults.push(`${label} also succeeds with ${second}: give another status than its own from 200 to 299.`);
    if (idempotency === 'read') faults.push(`${label} is a read, which has only one success.`);
  }
  if (contentKind !== undefined && secondSuccess?.status !== 202)
    faults.push(`${label} has a content kind: declare secondSuccess, the 202 of a call that waits.`);
  if (leash !== undefined && idempotency === 'read')
    faults.push(`${label} is a read and declares leash: a read reaches nobody.`);
  if (leash?.canWait === true && contentKind === undefined)
    faults.push(`${label} lets a leash hold its calls: declare the contentKind that members decide on.`);
  if (ifMatch && idempotency === 'read') faults.push(`${label} is a read and reads If-Match, which is for changes.`);
  for (const type of accepts) {
    if (!bodyTypePattern.test(type))
      faults.push(`${label} accepts ${type}: give a media type of the form application/…+json.`);
    if (method === 'GET' || input.body === undefined) faults.push(`${label} accepts ${type}, but takes no body.`);
  }
}
