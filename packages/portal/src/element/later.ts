import type { Messages } from './i18n.ts';

// What is loaded when it is needed. Each of these modules is a file of the built element.

/** The screens that are no part of the first load. @internal */
export const laterScreens = {
  requests: () => import('./screens/requests.ts'),
  webhooks: () => import('./screens/webhooks.ts'),
  deliveries: () => import('./screens/deliveries.ts'),
  events: () => import('./screens/events.ts'),
  keys: () => import('./screens/keys.ts'),
  audit: () => import('./screens/audit.ts'),
  verify: () => import('./screens/verify.ts'),
} as const;

/** @internal */
export const loadDialogs = () => import('./dialogs/dialogs.ts');

/** @internal */
export const loadAlertAddress = () => import('./parts/alert-address.ts');

/** The languages beside English. @internal */
export const languages: Readonly<Record<string, () => Promise<{ readonly default: Messages }>>> = {
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fr: () => import('./languages/fr.ts'),
  it: () => import('./languages/it.ts'),
  nl: () => import('./languages/nl.ts'),
};
