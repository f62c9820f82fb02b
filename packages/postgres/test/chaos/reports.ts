import type { IncomingHttpHeaders } from 'node:http';

/** What a process with a worker is given. */
export interface WorkerTask {
  readonly role: 'worker';
  readonly database: string;
  /** Of the authority that issued the certificate of the receiver, PEM. */
  readonly certificate: string;
}

/** What a process with a worker says. Times are in milliseconds. */
export type Report =
  | { readonly kind: 'joining' | 'left' | 'not_left'; readonly workerId: string }
  | {
      readonly kind: 'fenced';
      readonly workerId: string;
      /** What it called. */
      readonly by: string;
      /** Since the request was sent that renewed its lease. */
      readonly unrenewedFor: number;
    }
  | { readonly kind: 'error'; readonly message: string };

/** What a POST says of the worker that sent it. Times are of a clock that all processes of a machine share. */
export interface SentBy {
  readonly workerId: string;
  readonly startedAt: number;
  readonly leaseUntil: number;
}

export const workerHeaders = ({ workerId, startedAt, leaseUntil }: SentBy) => ({
  'x-worker': `${workerId} ${startedAt} ${leaseUntil}`,
});

export const readWorkerHeaders = (headers: IncomingHttpHeaders): SentBy => {
  const [workerId = '', startedAt, leaseUntil] = String(headers['x-worker']).split(' ');
  return { workerId, startedAt: Number(startedAt), leaseUntil: Number(leaseUntil) };
};
