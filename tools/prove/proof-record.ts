// docs/operations/reliability.json.
import type { Soaked } from '../../bench/soak/figures.ts';
import type { ProofRun } from '../../packages/conformance/src/prove/machine.ts';
import type { ProvedProcesses } from '../../packages/conformance/src/prove/processes/prove-processes.ts';
import type { ProvedHistories } from '../../packages/conformance/src/prove/prove-histories.ts';

/** What every recorded run has. */
export interface Recorded extends ProofRun {
  /** The commit that was checked out. */
  readonly commit: string;
  readonly command: string;
  readonly seconds: number;
  readonly seed: number;
}

/** The figures that the chaos test of PostgreSQL prints. */
export interface PostgresChaos {
  readonly acts: Readonly<Record<string, number>>;
  readonly workers: number;
  readonly fenced: number;
  readonly shardsTaken: number;
  readonly events: Readonly<Record<string, number>>;
  readonly deliveries: Readonly<Record<string, number>>;
  readonly posts: number;
  readonly abandoned: number;
}

/** What became of the mutants of one part. */
export interface TestedMutants extends ProofRun {
  readonly commit: string;
  readonly seconds: number;
  /** Lines were mutated in one of so many blocks. Absent: all were. */
  readonly sample?: number;
  /** A test failed, or did not end. */
  readonly killed: number;
  /** No test can fail: the change means the same. Each is named with its reason. */
  readonly equivalent: number;
  readonly survived: number;
}

/** docs/operations/reliability.json. A part that was never recorded is absent. */
export interface ProofRecord {
  readonly simulator?: Recorded & ProvedHistories;
  readonly processes?: Recorded & ProvedProcesses;
  readonly mariadb?: Recorded & ProvedProcesses;
  readonly postgres?: Recorded & PostgresChaos;
  readonly 'postgres-processes'?: Recorded & ProvedProcesses;
  readonly soak?: Recorded & Soaked;
  readonly mutants?: Readonly<Record<string, TestedMutants>>;
}
