import { type AttackRequest, type AttackTarget, credentials, formType, type HttpAttack, login } from './attack.ts';

/** The parameters that every login has, as a form. */
export const grant = 'grant_type=client_credentials&scope=USER';

export const loginAttack = (
  name: string,
  request: (target: AttackTarget) => AttackRequest,
  status: readonly number[],
  work: HttpAttack['work'] = 'none',
): HttpAttack => ({ group: 'logins', name, request, status, work });

/** A login by JSON with other parameters. */
export const byJson =
  (change: (fields: Readonly<Record<string, unknown>>) => unknown) =>
  (target: AttackTarget): AttackRequest =>
    login(target, JSON.stringify(change(credentials(target))));

/** A login by form. */
export const byForm = (target: AttackTarget, fields: Readonly<Record<string, string>>): AttackRequest =>
  login(target, new URLSearchParams(fields).toString(), formType);
