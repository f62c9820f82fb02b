import { availableParallelism, totalmem } from 'node:os';

/** Where and when a proof ran. */
export interface ProofRun {
  /** Day, such as 2026-01-31. */
  readonly date: string;
  /** Number of cores that the process may use. */
  readonly cores: number;
  /** Memory of the machine, in GiB. */
  readonly memoryGiB: number;
  /** Version of Node.js. */
  readonly node: string;
  /** Operating system and architecture. */
  readonly platform: string;
}

/** Describes this machine and this day. */
export const describeMachine = (): ProofRun => ({
  date: new Date().toISOString().slice(0, 10),
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
});
