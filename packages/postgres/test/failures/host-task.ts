import { say, type Task } from '../../../workshop/src/processes/index.ts';

/** What a host process is given that stops in the middle of a command. */
export interface HostTask extends Task {
  readonly role: 'host';
  readonly database: string;
  /** Its place among the processes of its test, counted from 0: each does something else. */
  readonly nth: number;
}

/** Says that a command is stopped, with its transaction open. */
export const sayStopped = (): void => say('stopped');
