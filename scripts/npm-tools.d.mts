export function installedOnce(tools: string, lacks?: (modules: string) => string | null): string | null;
