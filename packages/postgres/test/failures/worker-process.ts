// A process with a worker.
import pg from 'pg';
import { readTask, type Task, untilStopped } from '../../../workshop/src/processes/index.ts';
import { postgresStorage } from '../../src/index.ts';
import { openKit } from '../support/kit.ts';
import { plainSender } from '../support/plain-sender.ts';

/** What a process with a worker is given. */
export interface WorkerTask extends Task {
  readonly role: 'worker';
  readonly database: string;
  /** Of the receiver. */
  readonly port: number;
}

const { database, port } = readTask<WorkerTask>();
const pool = new pg.Pool({ connectionString: database, max: 3 });
const sender = plainSender(port);
const worker = openKit(postgresStorage(pool), { sender }).worker();
worker.start();
await untilStopped();
await worker.stop();
await pool.end();
sender.close();
