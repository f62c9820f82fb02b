import type { VersionCondition, Versions } from '../runtime/if-version.ts';
import { assertOptionNames } from '../runtime/option-names.ts';
import type { Actor } from './actor.ts';

/**
 * Who makes a change.
 * @public
 */
export interface ActorOptions {
  /**
   * Who makes the change. Its signal names the actor as `by`, and so does the history of a request.
   * @defaultValue `{ type: 'host' }`
   */
  readonly actor?: Actor | undefined;
  /**
   * The id of the HTTP request that makes it, at most 128 visible ASCII characters: the audit trail names it.
   * @defaultValue none
   */
  readonly requestId?: string | undefined;
}

/**
 * Who makes a change, and of which version.
 * @public
 */
export interface ChangeOptions extends ActorOptions {
  /** Versions that the change is meant for; any other version returns `version_mismatch`. @defaultValue any */
  readonly ifVersion?: number | VersionCondition | undefined;
}

/** Who gives a command to a request, whose history keeps it. */
export type CommandActor = Pick<ActorOptions, 'actor'>;

/** The names of {@link ActorOptions}. */
export const actorNames = { actor: true, requestId: true } as const satisfies Record<keyof ActorOptions, true>;

/** The names of {@link ChangeOptions}. */
const changeNames = { ...actorNames, ifVersion: true } as const satisfies Record<keyof ChangeOptions, true>;

/** A change that names no actor is the host's. */
export const hostActor: Actor = { type: 'host' };

/** Who makes a change, and by which request. */
export interface By {
  readonly actor: Actor;
  readonly requestId?: string;
}

/** A change as its options describe it. */
export interface Change extends By {
  readonly versions: Versions;
}

/** Whether a text names a request in the audit trail. */
export const isRequestId = (text: string): boolean => /^[!-~]{1,128}$/.test(text);

const byOf = (caller: string, { actor = hostActor, requestId }: ActorOptions): By => {
  if (requestId === undefined) return { actor };
  if (!isRequestId(requestId))
    throw new TypeError(`${caller}: requestId is a text of at most 128 visible ASCII characters.`);
  return { actor, requestId };
};

/** Reads who makes a change. @throws TypeError that names a wrong option. */
export const readBy = (caller: string, options: ActorOptions): By => {
  assertOptionNames(caller, options, actorNames);
  return byOf(caller, options);
};

/** Reads the options of a change, beside others. @throws TypeError that names a wrong one. */
export const readChange = (
  caller: string,
  options: ChangeOptions,
  others: Readonly<Record<string, true>> = {},
): Change => {
  assertOptionNames(caller, options, { ...others, ...changeNames });
  return { ...byOf(caller, options), versions: options.ifVersion };
};
