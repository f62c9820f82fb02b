// A process with a worker. It ends when its input does, or when it is killed.
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { postgresStorage } from '../../src/index.ts';
import { openKit } from '../support/kit.ts';
import { plainSender } from '../support/plain-sender.ts';

const [connectionString, port, userAgent = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 3 });
const sender = plainSender(Number(port));
const worker = openKit(postgresStorage(pool), { sender, webhooks: { userAgent } }).worker();
worker.start();
await text(process.stdin);
await worker.stop();
await pool.end();
sender.close();
