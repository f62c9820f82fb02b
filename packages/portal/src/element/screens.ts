import { createActivityScreen } from './activity-screen.ts';
import { createKeysScreen } from './keys-screen.ts';
import type { Place, Portal, Screen } from './portal.ts';
import { createWebhookForm } from './webhook-form.ts';
import { createWebhookEditScreen, createWebhookScreen } from './webhook-screen.ts';
import { createWebhooksScreen } from './webhooks-screen.ts';

const parts = { keys: 'keys', webhooks: 'webhooks', activity: 'deliveries' } as const;

/** The screens that the session may see. @internal */
export const screensOf = (portal: Portal): readonly Place['screen'][] =>
  (['keys', 'webhooks', 'activity'] as const).filter((screen) => portal.can(parts[screen], 'read'));

/** Makes the screen of a place. @internal */
export const createScreen = (portal: Portal, place: Place): Screen => {
  const { screen, id, isEditing } = place;
  if (screen === 'keys') return createKeysScreen(portal);
  if (screen === 'activity') return createActivityScreen(portal, place);
  const isForm = id === 'new' || isEditing;
  if (id === undefined || (isForm && !portal.can('webhooks', 'write'))) return createWebhooksScreen(portal);
  if (id === 'new') return createWebhookForm(portal);
  return isEditing ? createWebhookEditScreen(portal, id) : createWebhookScreen(portal, id);
};
