import { describe, expect, it } from 'vitest';
import { createTexts } from '../../src/element/i18n.ts';
import type { Dialog } from '../../src/element/portal.ts';
import { openSecret } from '../../src/element/secret-dialog.ts';

describe('a secret', () => {
  /** All values that a template would show. */
  const shownBy = (template: unknown): readonly unknown[] =>
    typeof template === 'object' && template !== null && 'values' in template
      ? (template.values as readonly unknown[]).flat().flatMap(shownBy)
      : [template];

  it('is forgotten by its dialog when that closes, by whatever way', () => {
    const opened: Dialog[] = [];
    const portal = { texts: createTexts('en'), update: () => undefined, open: (dialog: Dialog) => opened.push(dialog) };
    openSecret(portal as never, { title: 'Title', intro: 'Intro', label: 'Secret', secret: 'whsec_clear' });
    const [dialog] = opened;
    expect(shownBy(dialog?.render())).toContain('whsec_clear');
    dialog?.onClose?.();
    expect(shownBy(dialog?.render())).not.toContain('whsec_clear');
  });
});
