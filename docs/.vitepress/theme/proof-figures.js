import { defineComponent, h } from 'vue';
import { mariadb, processes, simulator, soak } from '../../operations/reliability.json';

const written = (count) => count.toLocaleString('en');
const { counts } = simulator;
const killed = [processes, mariadb].reduce((sum, each) => sum + each.killedWorkers + each.killedPublishers, 0);
const committed = processes.committed + mariadb.committed;
const books = Object.values(soak.books);
const sum = (name) => books.reduce((total, book) => total + book[name], 0);

const broken = [simulator, processes, mariadb, soak].filter((each) => each.broken !== undefined).length;

/** The last records of the proof, as Reliability has them. */
const figures = [
  [
    counts.events,
    `events in ${written(simulator.histories)} simulated histories, with ${written(counts.crashes)} crashes, ` +
      `${written(counts.lostAnswers)} lost answers and ${written(counts.clockJumps)} clock jumps`,
  ],
  [killed, `processes killed with kill -9, while ${written(committed)} events were committed on SQLite and MariaDB`],
  [
    sum('attempts'),
    `requests to receivers for ${written(sum('payments'))} payments in a soak of half an hour, while servers restarted`,
  ],
  [broken, `laws broken, of ${simulator.laws} that each history must satisfy`],
];

export const ProofFigures = defineComponent(
  () => () =>
    h(
      'dl',
      { class: 'proof-figures' },
      figures.map(([figure, meaning]) => h('div', [h('dt', written(figure)), h('dd', meaning)])),
    ),
);
