/** Clusters of databases on machines that are killed, frozen and cut off. */

export { type Galera, galeraNeeds, startGalera } from './galera.ts';
export { type Machine, machinesLack } from './machines.ts';
export { type Patroni, type PatroniOptions, patroniNeeds, startPatroni } from './patroni.ts';
