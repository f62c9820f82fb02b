import type { ClientClock } from '@partnerkit/client';
import type { Environment } from './secrets.ts';

/** What a command takes from its process. */
export interface Surroundings {
  readonly environment: Environment;
  readonly folder: string;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Resolves when the user ends a command that runs until then. */
  readonly interrupted: Promise<void>;
  /** Waits between requests to a platform. Absent: the clock of the system. */
  readonly clock?: ClientClock;
}
