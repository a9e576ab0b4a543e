export const parts: Readonly<Record<string, string>>;
