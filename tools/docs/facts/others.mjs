// Numbers of pages that are no facts of the code: promises, measurements, examples, and what other software does.

const promises = [
  'an answer within three working days, and a fix or a plan within thirty days',
  'two minor versions and six months',
  'security fixes for twelve months',
  'signed webhook in five minutes',
  'sees in ten seconds which webhook fails',
];

const measured = [
  '100 events for 1,000 endpoints each',
  'So 100,000 events of one account',
  '20 endpoints each; 48 accounts with one | 0 s |',
  '20 endpoints each; 64 or 100 accounts with one | 14.5 s | the first 15 s |',
  'one endpoint each | 44.5 s | the first 45 s |',
  '14.5 seconds beside 100 such accounts and 44.5 seconds beside 200',
  'about a millisecond later',
  'slow for about a minute',
  'some 10 million rows a day',
  '0.1 ms less of CPU',
  '4,000 events were published',
  'to 64 MB after those events, with a file of 17 MB',
];

const advice = [
  '`updatedFrom` five minutes before',
  'oldest_due_age` above 5 minutes',
  'give the process 30 seconds before it is killed. It resolves within a minute',
  'Within 40 seconds, stop the platform',
  'or that runs once an hour',
];

const examples = [
  '// 4 attempts',
  '30 EUR for a day',
  'A card holds it for 7 days',
  'one of a card after 7 days',
  'A day is refunded',
  'a Retry-After of two minutes',
  'The last four lines call the app',
  'These are 30 lines, and a table with an index',
  'What the handlers add to a worker are 20 lines',
  'before an authorisation of seven days ends',
  'only if fewer than two days are left',
  'gets four packages beside its driver',
  '32 bytes in base64',
];

const ofOthers = [
  'about 64 KiB of an unread body per connection until the answer is sent, and 16 KiB of headers',
  'buffers about 64 KiB per connection',
  'headers of more than 16 KiB | 431',
  'first 12 bytes are those of RFC 8410',
  'One webhook has up to 250 events',
  'ends an interactive transaction after 5 seconds',
  'at most once a minute. Only the owner',
  'from PostgreSQL 17 on a role',
  'MariaDB 11.6 and newer',
  'MySQL 9.7',
  'Redis 7 or Valkey',
  'Node.js 22.18',
  'Fastify on Node.js 24',
  'Node.js 24.9 or newer',
  'with Jest 30',
  'Bun 1.4 or Deno 2.9',
  'Next.js 16 answers',
  'this is Express 4',
  'one of Express 4',
];

const ofTests = [
  'also PostgreSQL 15, 10,000 runs',
  'longer than 300 lines',
  'install, ten lines of code',
  'fails after five seconds in which',
  'under three minutes on two quiet cores',
];

/** Of formats and exit codes. */
const ofFormats = [
  '`"1.<16 digits>"`',
  'a migrator of your own; needs no database | 0 |',
  'only later ones; needs no database | 0 |',
];

const ofCommands = [
  'at most a day ahead',
  'was delivered in 24 hours and 7 days',
  'a chart of 24 hours, 7 or 30 days',
  'that remain then | 60 |',
];

/**
 * Places that are full of measurements: a file, or a file and a heading. There, only a number that differs from a
 * sentence of the code is a problem.
 */
export const measuredPlaces = [
  'docs/comparison.md',
  'docs/contributing/storages.md',
  'docs/guides/portal.md#At scale',
  'docs/operations/availability.md',
  'docs/operations/performance.md',
  'docs/operations/reliability.md',
  'docs/operations/scale.md',
];

export const others = [
  ...promises,
  ...measured,
  ...advice,
  ...examples,
  ...ofOthers,
  ...ofTests,
  ...ofFormats,
  ...ofCommands,
];
