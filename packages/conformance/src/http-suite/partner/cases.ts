import type { HttpCase } from '../support/http-case.ts';
import { accountCases } from './account-cases.ts';
import { bodyCases } from './body-cases.ts';
import { childrenCases } from './children-cases.ts';
import { contentCases } from './content-cases.ts';
import { credentialCases } from './credential-cases.ts';
import { headerCases, hostCases, methodCases, pathCases, unreadCases } from './host-cases.ts';
import { loginCases } from './login-cases.ts';
import { revocationCases } from './revocation-cases.ts';
import { tokenCases } from './token-cases.ts';

/** Every request of the suite under `basePath`. */
export const httpCases: readonly HttpCase[] = [
  ...loginCases,
  ...credentialCases,
  ...bodyCases,
  ...contentCases,
  ...revocationCases,
  ...tokenCases,
  ...accountCases,
  ...childrenCases,
  ...pathCases,
  ...methodCases,
  ...headerCases,
  ...hostCases,
  ...unreadCases,
];
