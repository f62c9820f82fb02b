/** Clusters of databases on machines that are killed, frozen and cut off. */

export { type Galera, galeraNeeds, startGalera } from './galera.ts';
export { machinesLack } from './machines.ts';
export { type Outage, takeAway } from './outages.ts';
export { type Patroni, type PatroniOptions, patroniNeeds, startPatroni } from './patroni.ts';
