/** A workspace folder as VS Code has it. */
interface Named {
  readonly name: string;
  readonly uri: { readonly path: string };
}

/**
 * Says what people tell a folder of the window by: its name, with as much of its path as no other one of that name has.
 */
export function folderName(folder: Named, all: readonly Named[]): string {
  const { name, uri } = folder;
  const others = all.filter((other) => other.uri.path !== uri.path && other.name === name);
  if (others.length === 0) return name;
  const most = uri.path.split('/').length;
  let count = 1;
  while (count < most && others.some((other) => endOf(other, count) === endOf(folder, count))) count += 1;
  const end = endOf(folder, count);
  return end.endsWith(`/${name}`) ? end : `${name} (${end})`;
}

/** Says what people tell a file of the window by. @param path within its folder, POSIX */
export function fileName(folder: Named, path: string, all: readonly Named[]): string {
  return all.length > 1 ? `${folderName(folder, all)}/${path}` : path;
}

function endOf({ uri }: Named, count: number): string {
  return uri.path.split('/').slice(-count).join('/');
}
