// The input of the shared tests of social adapters: the network, and a server that imitates it.
import type { Outgoing } from '../../../core/index.ts';
import type { SimulatedFault, SocialNetwork, SocialTarget } from '../port/index.ts';

/** A post as people see it. Each part of a thread is a post of its own. */
export interface VisiblePost {
  readonly id: string;
  /** The text as people read it: without escapes, with hashtags. Empty if the form shows no text. */
  readonly text: string;
  /** The number of shown attachments. */
  readonly media: number;
}

/**
 * A simulated fault of the server. The server responds as its network would.
 *
 * - `rejected`: it permanently refuses requests that would make something visible, with the message `refusalText`.
 * - `limited`: it refuses every request for a while, and includes the end of the limit in the response if the network does.
 * - `disconnected`: it refuses the credentials, in every request.
 * - `down`: it answers every request with 500 or 503, and does nothing.
 * - `breaks before`: it reads the next request that would make something visible and closes the connection; once.
 * - `breaks after`: it executes the next request that makes something visible and then closes the connection; once.
 * - `blind`: it does not answer questions about posts; publishing works.
 */
export type ServerFault = SimulatedFault;

/** The message of a server with the fault `rejected`. */
export const refusalText = 'This post breaks a rule of the network.';

/** A network under test, with an empty server of its own. */
export interface SocialSuiteTarget {
  readonly network: SocialNetwork;
  /** The credentials of a working connector. The tests check that strings of 8 or more characters in it appear nowhere. */
  readonly credentials: unknown;
  /** (Default: {}) */
  readonly options?: unknown;
  /** `channelSettings` of the posts. (Default: a title, and the first option of the account) */
  readonly settings?: Readonly<Record<string, string>>;
  /** Reaches the server. Adapters without a server do not need it. */
  readonly outgoing?: Outgoing;
  /** The posts that people can see now, oldest first. */
  visible(): Promise<readonly VisiblePost[]>;
  /** null: the server works again. */
  simulateFault(kind: ServerFault | null): void;
  dispose(): Promise<void>;
  /**
   * Whether the network cannot say if this post was published after the response to this step was lost. Then the tests only check that
   * people see the post at most once. (Default: the network always can)
   */
  cannotTell?(target: SocialTarget, step: string): boolean;
}

/** Creates the network under test; called once for each test. */
export type SocialSuiteHarness = () => Promise<SocialSuiteTarget>;

/** Adds a test to the file's suite. */
export type RegisterSocialTest = (name: string, run: () => Promise<void>) => void;
