/** Returns the text without fenced code. */
export function withoutFences(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '');
}

/** Returns the text without fenced and quoted code. */
export function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/`[^`\n]*`/g, 'code');
}
