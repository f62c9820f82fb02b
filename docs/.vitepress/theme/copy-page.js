import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

/** A button above each page: copies its Markdown, which the build writes beside it. */
export const CopyPage = defineComponent(() => {
  const { page, frontmatter } = useData();
  const label = ref('Copy as Markdown');
  const copy = async () => {
    try {
      const answer = await fetch(withBase(`/${page.value.relativePath}`));
      if (!answer.ok) throw new Error(String(answer.status));
      await navigator.clipboard.writeText(await answer.text());
      label.value = 'Copied';
    } catch {
      label.value = 'Could not copy';
    }
    setTimeout(() => {
      label.value = 'Copy as Markdown';
    }, 2_000);
  };
  return () =>
    frontmatter.value.layout === 'home'
      ? undefined
      : h('button', { class: 'copy-page', type: 'button', onClick: copy, 'aria-live': 'polite' }, label.value);
});
