// The texts in a report or an answer of a server, in the form in which they are stored: one line, bounded, without characters that
// databases refuse. Adapters of programs may pass on whatever a provider wrote. Pure.
import { oneLine } from '../../../core/unstable.ts';
import type { BounceDetails } from '../port/bounce.ts';
import type { ReportedFact } from '../port/reports.ts';

const maxText = 500;
const maxUrl = 8_192;
const maxCode = 20;

/** The reason that a server or a provider gave. */
export const storedReason = (text: string): string => oneLine(text, maxText);

export const storedBounce = ({ diagnostic, enhancedCode, ...bounce }: BounceDetails): BounceDetails => ({
  ...bounce,
  ...(enhancedCode === undefined ? {} : { enhancedCode: oneLine(enhancedCode, maxCode) }),
  diagnostic: storedReason(diagnostic),
});

export function storedFact(fact: ReportedFact): ReportedFact {
  switch (fact.kind) {
    case 'bounced':
      return { kind: fact.kind, bounce: storedBounce(fact.bounce) };
    case 'delivery_delayed':
      return { kind: fact.kind, reason: storedReason(fact.reason) };
    case 'clicked':
      return { ...fact, url: oneLine(fact.url, maxUrl) };
    default:
      return fact;
  }
}
