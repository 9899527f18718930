// What a test gives to the shared tests of social adapters: the network, and a server of its shape.
import type { Outgoing } from '../../../core/index.ts';
import type { CaptureTrouble, SocialNetwork, SocialTarget } from '../port/index.ts';

/** A post as people see it. Each part of a thread is one. */
export interface VisiblePost {
  readonly id: string;
  /** What people read: without escapes, with hashtags. Empty where the form shows none. */
  readonly text: string;
  /** How many attachments it shows. */
  readonly media: number;
}

/**
 * What a server does from now on, in the words of its network.
 *
 * - `rejected`: it refuses what would become visible for good, and says `refusalText`.
 * - `limited`: it refuses every request for a while, and says until when if the network does.
 * - `disconnected`: it refuses the credentials, in every request.
 * - `down`: it answers every request with 500 or 503, and does nothing.
 * - `breaks before`: it reads the next request that would make something visible and closes the connection; once.
 * - `breaks after`: it does what this request asks and then closes the connection; once.
 * - `blind`: it answers no question about posts; publishing works.
 */
export type ServerTrouble = CaptureTrouble;

/** What a server says with the trouble `rejected`. */
export const refusalText = 'This post breaks a rule of the network.';

/** A network under test, with an empty server of its own. */
export interface SocialSuiteSubject {
  readonly network: SocialNetwork;
  /** Of a connector that works. Long texts in it must appear nowhere. */
  readonly credentials: unknown;
  /** (Default: {}) */
  readonly options?: unknown;
  /** `channelSettings` of the posts. (Default: a title, and the first option of the account) */
  readonly settings?: Readonly<Record<string, string>>;
  /** Reaches the server; adapters without one need none. */
  readonly outgoing?: Outgoing;
  /** What people can see now, oldest first. */
  visible(): Promise<readonly VisiblePost[]>;
  /** null: the server works again. */
  trouble(kind: ServerTrouble | null): void;
  dispose(): Promise<void>;
  /**
   * Whether the network cannot say what became of this post where the answer to this step was lost: then people see the post once
   * at most. (Default: it always can)
   */
  cannotTell?(target: SocialTarget, step: string): boolean;
}

/** Makes a subject; called once for each test. */
export type SocialSuiteHarness = () => Promise<SocialSuiteSubject>;

/** Adds a test to the file's suite. */
export type RegisterTest = (name: string, run: () => Promise<void>) => void;
