// Starts real services, says where they are, and lives until it is told to end or is killed. It never stops them.
import { text } from 'node:stream/consumers';
import { startPostgres, startRedis } from '@partnerkit/testing/services';

const [folder = ''] = process.argv.slice(2);
const servers = await Promise.all([startPostgres({ folder }), startRedis()]);
console.log(JSON.stringify(servers.map(({ port }) => port)));
await text(process.stdin);
