// Starts real services, says where they are, and lives until its input ends or a signal ends it. It never stops them.
import { text } from 'node:stream/consumers';
import { startPostgres, startRedis } from '@partnerkit/workshop/services';

const [folder = '', deaf] = process.argv.slice(2);
if (deaf) process.on('SIGINT', () => console.log('heard'));
const servers = await Promise.all([startPostgres({ folder }), startRedis()]);
console.log(servers.map(({ url }) => url).join(' '));
await text(process.stdin);
