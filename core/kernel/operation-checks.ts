// Refuses invalid declarations about answers: representations, second success, conditions. Called by registry.ts.
import type { Operation } from '../contract/operation.ts';
import { jsonType } from '../contract/representation.ts';

const typeForm = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,80}$/;
const bodyTypeForm = /^application\/[a-z0-9.-]+\+json$/;

function checkRepresentations(operation: Operation, who: string, faults: string[]): void {
  const { representations, representationArgument: argument, input } = operation;
  for (const type of representations.keys()) {
    if (!typeForm.test(type))
      faults.push(`${who} represents ${type}, which is no media type in lower case without parameters.`);
    if (type === jsonType) faults.push(`${who} represents ${jsonType}: its output does.`);
  }
  if (representations.size > 0 && operation.secretOutput)
    faults.push(`${who} has representations and a secret answer: bytes are not sealed.`);
  if (representations.size > 0 && operation.alsoSucceeds !== undefined)
    faults.push(`${who} has representations and a second success: leave one of them out.`);
  const fields = { ...input.query?.shape, ...input.body?.shape };
  if (argument === undefined) {
    if (representations.size > 0 && 'format' in fields)
      faults.push(`${who} has representations and a field format: name it in representationArgument.`);
    return;
  }
  if (!(argument.name in fields))
    faults.push(`${who} says its representation by ${argument.name}, which is no field of it.`);
  for (const [value, type] of Object.entries(argument.types))
    if (!representations.has(type))
      faults.push(`${who} has ${type} for ${argument.name} ${value}, and no such representation.`);
}

/** Adds a sentence for every fault. */
export function checkAnswers(operation: Operation, who: string, faults: string[]): void {
  const { status, alsoSucceeds, idempotency, method, ifMatch, input, accepts } = operation;
  checkRepresentations(operation, who, faults);
  if (alsoSucceeds !== undefined) {
    const second = alsoSucceeds.status;
    if (second === status || !(second >= 200 && second <= 299))
      faults.push(`${who} also succeeds with ${second}: give another status than its own from 200 to 299.`);
    if (idempotency === 'read') faults.push(`${who} is a read: it has one success.`);
  }
  if (ifMatch && idempotency === 'read') faults.push(`${who} is a read and reads If-Match, which is for changes.`);
  for (const type of accepts) {
    if (!bodyTypeForm.test(type)) faults.push(`${who} accepts ${type}, which is no application/…+json.`);
    if (method === 'GET' || input.body === undefined) faults.push(`${who} accepts ${type} and takes no body.`);
  }
}
