/** What a browser shows of markup that has each line of text on a line of its own. */
export function textOfHtml(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
    .replaceAll('&amp;', '&');
}

const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
