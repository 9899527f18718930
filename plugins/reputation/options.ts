// The options of the reputation plugin, and the complete rules that they make.
import { checkOptions } from '../../core/index.ts';

/** The rates at which the guard warns and at which it holds. */
export interface ReputationLimit {
  /** The rate counts only if at least this number of mails was handed over. */
  readonly handedOver: number;
  /** The rate counts only if there are at least this number of faults. */
  readonly faults: number;
  /** The share from which the guard warns: 0.05 is 5 %. */
  readonly warn: number;
  /** The share from which marketing mail is held. */
  readonly hold: number;
}

/** The limits of one kind of fault. Missing limits keep their defaults. */
export interface ReputationLimits {
  /** For the mail of one hour. */
  readonly hour?: Partial<ReputationLimit>;
  /** For the mail of 24 hours. */
  readonly day?: Partial<ReputationLimit>;
}

/** Options of `reputationPlugin`. */
export interface ReputationOptions {
  /** (Default: in one hour 200 mails and 5 complaints, 0.5 % and 1 %; in 24 hours 1,000 and 10, 0.15 % and 0.3 %) */
  readonly complaints?: ReputationLimits;
  /** (Default: in one hour 50 mails and 20 bounces, 5 % and 10 %; in 24 hours 50 and 20, 2.5 % and 5 %) */
  readonly hardBounces?: ReputationLimits;
  /**
   * Domains of recipients whose providers report complaints to you, in addition to the well-known ones, such as `['bigisp.example']`.
   * (Default: none)
   */
  readonly reportingDomains?: readonly string[];
}

/** The kinds of rates, as callers see them. */
export type RateKind = 'complaints' | 'hard_bounces';

/** The lengths of the windows, as callers see them. */
export type WindowLength = '1h' | '24h';

/** One row of the table of limits. */
export interface ReputationRule extends ReputationLimit {
  readonly kind: RateKind;
  readonly window: WindowLength;
}

/** The length of a window, in minutes. */
export const minutesOf: Readonly<Record<WindowLength, number>> = { '1h': 60, '24h': 1_440 };

const defaults: readonly ReputationRule[] = [
  { kind: 'complaints', window: '1h', handedOver: 200, faults: 5, warn: 0.005, hold: 0.01 },
  { kind: 'complaints', window: '24h', handedOver: 1_000, faults: 10, warn: 0.0015, hold: 0.003 },
  { kind: 'hard_bounces', window: '1h', handedOver: 50, faults: 20, warn: 0.05, hold: 0.1 },
  { kind: 'hard_bounces', window: '24h', handedOver: 50, faults: 20, warn: 0.025, hold: 0.05 },
];

const refuse = (name: string, fault: string): never => {
  throw new TypeError(`reputationPlugin: \`${name}\` ${fault}`);
};

function checkRule(name: string, { handedOver, faults, warn, hold }: ReputationRule): void {
  for (const [field, count] of Object.entries({ handedOver, faults }))
    if (!Number.isInteger(count) || count < 1) refuse(`${name}.${field}`, 'must be a whole number of at least 1.');
  for (const [field, share] of Object.entries({ warn, hold }))
    if (!(typeof share === 'number' && share > 0 && share <= 1))
      refuse(`${name}.${field}`, 'must be a share above 0 and up to 1: 0.05 is 5 %.');
  if (warn > hold) refuse(`${name}.warn`, 'must not be above `hold`.');
}

/** All rows of the table. @throws TypeError for values that cannot be a limit */
export function rulesOf({ complaints = {}, hardBounces = {} }: ReputationOptions): readonly ReputationRule[] {
  const limitsByKind = { complaints, hard_bounces: hardBounces };
  checkOptions<ReputationLimits>('reputationPlugin complaints', complaints, { hour: 'optional', day: 'optional' });
  checkOptions<ReputationLimits>('reputationPlugin hardBounces', hardBounces, { hour: 'optional', day: 'optional' });
  return defaults.map((standard) => {
    const part = standard.window === '1h' ? 'hour' : 'day';
    const ownLimits = limitsByKind[standard.kind][part] ?? {};
    const name = `${standard.kind === 'complaints' ? 'complaints' : 'hardBounces'}.${part}`;
    checkOptions<Partial<ReputationLimit>>(`reputationPlugin ${name}`, ownLimits, {
      handedOver: 'optional',
      faults: 'optional',
      warn: 'optional',
      hold: 'optional',
    });
    const rule = { ...standard, ...ownLimits };
    checkRule(name, rule);
    return rule;
  });
}
