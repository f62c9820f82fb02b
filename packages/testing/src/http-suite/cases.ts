import { accountCases } from './account-cases.ts';
import { hostCases, pathCases } from './host-cases.ts';
import type { HttpCase } from './http-case.ts';
import { loginCases } from './login-cases.ts';

/** Every request of the suite under `basePath`. @public */
export const httpCases: readonly HttpCase[] = [...loginCases, ...accountCases, ...pathCases, ...hostCases];
