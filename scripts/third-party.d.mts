export function thirdParty(inputs: Iterable<string>, root: string): Promise<string>;
