/**
 * Attack corpora as data, for tests of a host, a sender or a receiver: hostile requests, addresses, answers of DNS and
 * receivers, each with what must become of it.
 * @module conformance/attacks
 */

export {
  type AddressAttack,
  addressAttacks,
  type DnsAttack,
  dnsAttacks,
  metadataAddresses,
  publicAddresses,
  urlAttacks,
} from './addresses.ts';
export { assertionAttacks } from './assertions.ts';
export {
  type AttackedAssertions,
  type AttackGroup,
  type AttackRequest,
  type AttackTarget,
  type AttackWork,
  type HttpAttack,
  maxAttackWork,
} from './attack.ts';
export { headerAttacks } from './headers.ts';
export { type HttpAttacksOptions, httpAttacks } from './http-attacks.ts';
export { loginAttacks } from './logins.ts';
export { pathAttacks } from './paths.ts';
export {
  type HostileReceiver,
  type ReceiverAttack,
  type ReceiverStep,
  receiverAttacks,
  startHostileReceiver,
} from './receivers.ts';
export { cursorAttacks, jsonAttacks, moneyAttacks } from './requests.ts';
export { tokenAttacks } from './tokens.ts';
